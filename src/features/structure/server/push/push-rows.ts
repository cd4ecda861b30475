import { AppError } from '#shared/errors.ts'
import { changeRejectionMessage } from '#shared/marketplace-rejections.ts'
import { adsOf, profileById } from '#features/accounts/server/public.ts'
import type { JobRun, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { UpstreamForbidden, UpstreamRejected, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import type { EntityName } from '../../contract.ts'
import { isNew, noteSent, type PendingRow, type PushKey, readPendingRows } from '../sql/pending-rows.ts'
import {
  columnsToSend,
  findArchived,
  findClauses,
  idName,
  judge,
  listName,
  listsOf,
  type Operation,
  type PortList,
  sendRows,
  type Verdict,
} from './port-calls.ts'
import { type Settled, settleRows } from './settle-rows.ts'

/** What the push of one job works with. */
interface Push {
  services: Services
  entity: EntityName
  key: PushKey
  job: JobRun
  lists: Record<string, PortList | undefined>
  /** Called in the transaction that settles new keywords and targets: negatives may wait for them. */
  onSettledNew: (tx: Db, ids: number[]) => Promise<void>
  /** How often a rejected batch may still be cut in two, to find the item that spoils it. */
  cuts: number
  /** What is still unclear, in words. */
  unclear: string[]
}

/** The marketplace lets nothing of this account in; trying again would not help. */
class AccountRejected extends Error {}

const gaveUp =
  'The marketplace did not answer, so Tideline stopped trying. The next import shows the current values: please check them before you try again.'
const notLetIn = 'The marketplace no longer accepts our permission. Please connect the account again.'
const keywordNotThere = 'Not added, because the keyword for it was not accepted: no ad would reach the term.'

/** So many rows are sorted by operation at a time. */
const MAX_READ = 10_000
const MAX_CUTS = 30
/** An edit that is younger was hardly tried, whatever the job has behind it. */
const MIN_TRIED_MS = 2 * 60_000
/** Lists may lag behind for this long, so until then an absent row proves nothing. */
const LIST_LAG_MS = 2 * 60_000

/**
 * Sends the pending rows of one entity of an account and ad type to the marketplace, batch by batch, and saves each item's
 * outcome before it sends the next. Sending twice does no harm, since a change names the wished end and a new row is
 * looked for first: so whatever is unclear stays pending and is thrown, for the queue to try again, and given up with
 * the last try. Returns false when rows are left that were added too late to be given up.
 */
export async function pushRows(
  services: Services,
  entity: EntityName,
  key: PushKey,
  job: JobRun,
  onSettledNew: Push['onSettledNew'],
): Promise<boolean> {
  const push: Push = { services, entity, key, job, lists: {}, onSettledNew, cuts: MAX_CUTS, unclear: [] }
  try {
    for (let afterId = 0; ; ) {
      const rows = await readPendingRows(services.db.system, entity, key, afterId, MAX_READ)
      await pushPage(push, rows)
      afterId = rows.at(-1)?.id ?? 0
      if (rows.length < MAX_READ) break
    }
    if (push.unclear.length) throw new Error(`not accepted yet: ${[...new Set(push.unclear)].slice(0, 5).join(', ')}`)
    return true
  } catch (error) {
    if (error instanceof AccountRejected) {
      await failAll(push, error.message, () => true)
      return true
    }
    if (!job.lastAttempt || job.signal.aborted) throw error
    const triedSince = services.clock.now().getTime() - MIN_TRIED_MS
    const left = await failAll(push, gaveUp, row => row.editedAt.getTime() <= triedSince)
    if (left) return false
    throw error
  }
}

async function pushPage(push: Push, rows: readonly PendingRow[]): Promise<void> {
  const due = rows.filter(row => row.keywordState !== 'PENDING')
  const isOrphan = ({ keywordState }: PendingRow) => keywordState === 'FAILED' || keywordState === 'MISSING'
  const isGone = (row: PendingRow) => row.requested.state === 'ARCHIVED'
  const created = due.filter(row => isNew(row) && !isOrphan(row))
  const changed = due.filter(row => !isNew(row))
  const isSame = (row: PendingRow) => !columnsToSend(push.entity, row).length
  const unsent = created.filter(row => !row.base.sent)
  // First, so that what is added again where it was removed does not find itself there.
  await sendAll(
    push,
    'archive',
    changed.filter(row => isGone(row) && !isSame(row)),
  )
  await settleRows(push, [
    ...due.filter(isOrphan).map(row => settled(row, { rejection: keywordNotThere })),
    ...unsent.filter(isGone).map(row => settled(row, { isRemoved: true })),
    ...changed.filter(isSame).map(row => settled(row, {})),
  ])
  const missing = await adoptCreated(
    push,
    created.filter(row => row.base.sent),
  )
  await sendAll(
    push,
    'create',
    [...unsent, ...missing].filter(row => !isGone(row)),
  )
  await sendAll(
    push,
    'update',
    changed.filter(row => !isGone(row) && !isSame(row)),
  )
}

const settled = (row: PendingRow, part: Partial<Settled>): Settled => ({
  row,
  rejection: null,
  isCertain: true,
  isRemoved: false,
  ...part,
})

/**
 * Looks at the marketplace for new rows that were sent without an answer, and gives those that are there their id. Returns
 * those that are not, to be sent again: the marketplace takes none twice.
 */
async function adoptCreated(push: Push, rows: readonly PendingRow[]): Promise<PendingRow[]> {
  const missing: PendingRow[] = []
  for (const [name, ofList] of byList(push, rows)) {
    const found = await letIn(
      findClauses(await openList(push, name), ofList, idName(push.entity, ofList[0] as PendingRow)),
    )
    const adopted = ofList.filter(row => found.has(row.id))
    await settleRows(
      push,
      adopted.map(row => adoptedAs(push, row, found.get(row.id) as string)),
    )
    const absent = ofList.filter(row => !found.has(row.id))
    const removed = absent.filter(row => row.requested.state === 'ARCHIVED')
    const certain = removed.filter(row => !wasSentLately(push, row))
    await settleRows(
      push,
      certain.map(row => settled(row, { isRemoved: true })),
    )
    if (certain.length < removed.length) push.unclear.push('REMOVED_BEFORE_FOUND')
    missing.push(...absent.filter(row => !removed.includes(row)))
  }
  return missing
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

function byList(push: Push, rows: readonly PendingRow[]): Map<string, PendingRow[]> {
  return Map.groupBy(rows, row => listName(push.entity, push.key.adType, row))
}

async function sendAll(push: Push, operation: Operation, rows: readonly PendingRow[]): Promise<void> {
  for (const [name, ofList] of byList(push, rows)) {
    const list = await openList(push, name)
    for (let from = 0; from < ofList.length; from += list.batchSize)
      await sendBatch(push, list, operation, ofList.slice(from, from + list.batchSize))
  }
}

async function openList(push: Push, name: string): Promise<PortList> {
  const { services, key } = push
  if (!push.lists[name]) push.lists = listsOf(await openAccount(services, key), key.adType)
  const list = push.lists[name]
  if (!list) throw new Error(`the marketplace has no ${name} of ${key.adType}`)
  return list
}

async function openAccount({ db, integrations }: Services, { merchantId, profileId }: PushKey) {
  const profile = await letIn(db.tenant(merchantId, tx => profileById(tx, merchantId, profileId)))
  return adsOf(integrations, profile)
}

async function letIn<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (error instanceof AppError) throw new AccountRejected(error.message)
    if (error instanceof UpstreamUnauthorized || error instanceof UpstreamForbidden) throw new AccountRejected(notLetIn)
    throw error
  })
}

async function sendBatch(push: Push, list: PortList, operation: Operation, rows: readonly PendingRow[]): Promise<void> {
  const { services, entity, key, job } = push
  job.signal.throwIfAborted()
  const notes = rows.map(row => ({
    ...row,
    columns: operation === 'create' ? ['amazon_id'] : columnsToSend(entity, row),
  }))
  await services.db.tenant(key.merchantId, tx => noteSent(tx, entity, key.merchantId, notes, services.clock.now()))
  try {
    const outcomes = await letIn(sendRows(list, operation, { entity, adType: key.adType }, rows))
    await settleOutcomes(
      push,
      list,
      operation,
      rows,
      rows.map((_row, i) => judge(outcomes[i], operation)),
    )
  } catch (error) {
    if (!(error instanceof UpstreamRejected)) throw error
    // The call as a whole was rejected, perhaps because of one of its items.
    if (rows.length > 1 && push.cuts-- > 0) {
      const half = Math.ceil(rows.length / 2)
      await sendBatch(push, list, operation, rows.slice(0, half))
      return sendBatch(push, list, operation, rows.slice(half))
    }
    const rejection = changeRejectionMessage(error.code ?? '', error.message)
    await settleRows(
      push,
      rows.map(row => settled(row, { rejection })),
    )
  }
}

async function settleOutcomes(
  push: Push,
  list: PortList,
  operation: Operation,
  rows: readonly PendingRow[],
  verdicts: readonly Verdict[],
): Promise<void> {
  const judged = rows.map((row, i) => ({ row, ...(verdicts[i] as Verdict) }))
  // The older calls do not say why: the row may be archived already, perhaps by a call with a lost answer.
  const isDoubtful = ({ rejection }: Verdict) =>
    rejection !== null && (operation === 'create' || (operation === 'archive' && !list.archive))
  const clear = judged.filter(one => !one.isUnclear && !isDoubtful(one))
  await settleRows(
    push,
    clear.map(({ row, rejection, amazonId }) =>
      settled(row, { rejection, ...(operation === 'create' && amazonId !== null && { newAmazonId: amazonId }) }),
    ),
  )
  for (const { isUnclear, reason } of judged) if (isUnclear) push.unclear.push(reason)
  const doubtful = judged.filter(isDoubtful)
  if (doubtful.length) await settleDoubtful(push, list, operation, doubtful)
}

/** Rejected rows of which the marketplace may have what the user wants all the same. */
async function settleDoubtful(
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

/** Fails all rows that still wait and that `isChosen`; true when others are left. */
async function failAll(push: Push, rejection: string, isChosen: (row: PendingRow) => boolean): Promise<boolean> {
  const { services, entity, key } = push
  let isLeft = false
  for (let afterId = 0; ; ) {
    const rows = await readPendingRows(services.db.system, entity, key, afterId, MAX_READ)
    const due = rows.filter(row => row.keywordState !== 'PENDING')
    const chosen = due.filter(isChosen)
    isLeft ||= chosen.length < due.length
    await settleRows(
      push,
      chosen.map(row => settled(row, { rejection, isCertain: false })),
    )
    afterId = rows.at(-1)?.id ?? 0
    if (rows.length < MAX_READ) return isLeft
  }
}
