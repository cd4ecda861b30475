import { normalTerm } from '#shared/keyword-rules.ts'
import type { PendingRow } from '../sql/pending-rows.ts'
import { idName, letIn, type ListedClause, type Operation, type PortList, type Verdict } from './port-calls.ts'
import { type Push, settled, type Settled, settleRows } from './settle-rows.ts'

// Looks at the marketplace for what was sent without a clear answer: rows made there, or archived there, all the same.

/** Lists may lag behind for this long, so until then an absent row proves nothing. */
const LIST_LAG_MS = 2 * 60_000

/**
 * Looks in a list of the marketplace for new rows that were sent without an answer, and gives those that are there their
 * id. Returns those that are not, to be sent again: the marketplace takes none twice.
 */
export async function adoptSent(push: Push, list: PortList, rows: readonly PendingRow[]): Promise<PendingRow[]> {
  const found = await letIn(findClauses(list, rows, idName(push.entity, rows[0] as PendingRow)))
  const absent = rows.filter(row => !found.has(row.id))
  const removed = absent.filter(row => row.requested.state === 'ARCHIVED')
  const certain = removed.filter(row => !wasSentLately(push, row))
  await settleRows(push, [
    ...rows.flatMap(row => (found.has(row.id) ? adoptedAs(push, row, found.get(row.id) as string) : [])),
    ...certain.map(row => settled(row, { isRemoved: true })),
  ])
  if (certain.length < removed.length) push.unclear.push('REMOVED_BEFORE_FOUND')
  return absent.filter(row => !removed.includes(row))
}

/** A new row that was found. Unless it was only ever sent as it is now, it continues to wait, to be changed there. */
function adoptedAs(push: Push, row: PendingRow, newAmazonId: string): Settled {
  // A negative has nothing that could differ.
  if (push.entity === 'negative' ? row.requested.state !== 'ARCHIVED' : row.base.sentVersion === row.version)
    return settled(row, { newAmazonId })
  push.unclear.push('FOUND_AS_BEFORE_AN_EDIT')
  const requested = { ...row.requested, sent: Object.keys(row.requested) }
  // Archived rows would otherwise look as if nothing were left to send.
  return settled({ ...row, version: -1, requested: { ...requested, state: 'ENABLED' } }, { newAmazonId })
}

function wasSentLately({ services }: Push, { base }: PendingRow): boolean {
  return base.sentAt !== undefined && services.clock.now().getTime() - Date.parse(base.sentAt) < LIST_LAG_MS
}

/** Rejected rows of which the marketplace may have what the user wants all the same. */
export async function settleDoubtful(
  push: Push,
  list: PortList,
  operation: Operation,
  doubtful: readonly (Verdict & { row: PendingRow })[],
): Promise<void> {
  const rows = doubtful.map(({ row }) => row)
  const id = idName(push.entity, rows[0] as PendingRow)
  const archived = operation === 'archive' ? await letIn(findArchived(list, rows, id)) : new Set<number>()
  const existing = operation === 'create' ? await letIn(findClauses(list, rows, id)) : new Map<number, string>()
  const done = doubtful.flatMap(({ row, rejection, reason }): Settled[] => {
    const existingId = existing.get(row.id)
    if (existingId !== undefined) return [adoptedAs(push, row, existingId)]
    if (archived.has(row.id)) return [settled(row, {})]
    const mayBeListedLater = operation === 'create' && (reason === 'DUPLICATE_VALUE' || wasSentLately(push, row))
    if (!mayBeListedLater) return [settled(row, { rejection })]
    push.unclear.push(reason)
    return []
  })
  await settleRows(push, done)
}

// Two clauses are the same to the marketplace whatever their case and spaces.
function keyOf({ campaignId, adGroupId, text, matchType, expression }: ListedClause): string {
  const what = expression
    ? expression.map(({ type, value }) => `${type}=${value ?? ''}`.toLowerCase()).toSorted()
    : [matchType, normalTerm(text ?? '')]
  return JSON.stringify([campaignId, adGroupId ?? null, what])
}

/** Asks the marketplace for clauses like these rows; their ids there, by ours. What was made just now may be missing. */
async function findClauses(list: PortList, rows: readonly PendingRow[], id: string): Promise<Map<number, string>> {
  const idsByKey = new Map<string, string>()
  const campaignIds = [...new Set(rows.map(row => row.campaignAmazonId))]
  for await (const page of list.pages({ campaignIds, states: ['ENABLED', 'PAUSED'] }))
    for (const item of page) idsByKey.set(keyOf(item), String((item as Record<string, unknown>)[id]))
  return new Map(
    rows.flatMap(row => {
      const { campaignAmazonId: campaignId, adGroupAmazonId: adGroupId, text, matchType, expression } = row
      const clause =
        row.kind === 'KEYWORD' ? { text: text ?? '', matchType: matchType ?? '' } : { expression: expression ?? [] }
      const found = idsByKey.get(keyOf({ campaignId, adGroupId, ...clause }))
      return found === undefined ? [] : [[row.id, found] as const]
    }),
  )
}

/** Asks the marketplace which of these rows are archived there. */
async function findArchived(list: PortList, rows: readonly PendingRow[], id: string): Promise<Set<number>> {
  const archived = new Set<string>()
  const campaignIds = [...new Set(rows.map(row => row.campaignAmazonId))]
  for await (const page of list.pages({ campaignIds, states: ['ARCHIVED'] }))
    for (const item of page) archived.add(String((item as Record<string, unknown>)[id]))
  return new Set(rows.filter(row => archived.has(row.amazonId)).map(row => row.id))
}
