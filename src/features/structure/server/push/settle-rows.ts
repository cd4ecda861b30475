import { accountsOf } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { recordChanges, type RecordedChange } from '../changes/record-changes.ts'
import {
  isNew,
  type PendingRow,
  type PushKey,
  removeNewRows,
  settleAccepted,
  settleNotCreated,
  settleRejected,
} from '../sql/pending-rows.ts'
import { sql } from 'kysely'
import { changesOf } from '#shared/fields.ts'
import { lockRows } from '../sql/edit-rows.ts'
import type { Owner } from '../sql/entity-sql.ts'
import { noteRecount } from '../sql/target-counts.ts'

/** What became of a row. */
export interface Settled {
  row: PendingRow
  /** Null when it was accepted, else why not. */
  rejection: string | null
  /** False where a rejected new row may have been created all the same. */
  isCertain: boolean
  /** It never reached the marketplace, and shall not. */
  isRemoved: boolean
  /** The marketplace's id of a new row. */
  newAmazonId?: string
}

/** Which rows are sent, and what is learnt of them. */
export interface Push {
  services: Services
  entity: EntityName
  key: PushKey
  /** Called in the transaction that settles new keywords and targets: negatives may wait for them. */
  onSettledNew: (tx: Db, ids: number[]) => Promise<void>
  /** What is still unclear, in words. */
  unclear: string[]
}

/** What became of a row: accepted, except for what `part` says. */
export const settled = (row: PendingRow, part: Partial<Settled>): Settled => ({
  row,
  rejection: null,
  isCertain: true,
  isRemoved: false,
  ...part,
})

// An event carries at most 7 kB.
const MAX_EVENT_IDS = 500

/** Saves what became of rows, in one transaction with the ledger and the event. */
export async function settleRows(push: Push, settled: readonly Settled[]): Promise<void> {
  if (!settled.length) return
  const { services, entity, key, onSettledNew } = push
  const { merchantId } = key
  await services.db.tenant(merchantId, async tx => {
    const at = services.clock.now()
    const removed = settled.filter(one => one.isRemoved)
    const accepted = settled.filter(one => one.rejection === null && !one.isRemoved)
    await removeNewRows(
      tx,
      entity,
      merchantId,
      removed.map(one => one.row.id),
    )
    await settleAccepted(
      tx,
      entity,
      key,
      accepted.map(one => ({ ...one.row, newAmazonId: one.newAmazonId })),
      at,
    )
    await rejectRows(push, tx, settled, at)
    // An accepted change is what the row has already; of new rows one may have given way to the mirrored one.
    const isOther = ({ rejection, isRemoved, newAmazonId }: Settled) =>
      rejection !== null || isRemoved || newAmazonId !== undefined
    const changed = settled.filter(isOther)
    await noteRecount(
      tx,
      key,
      entity,
      changed.map(({ row }) => row.campaignId),
    )
    const ids = settled.map(({ row }) => row.id)
    if (entity === 'target')
      await onSettledNew(
        tx,
        settled.filter(({ row }) => isNew(row)).map(({ row }) => row.id),
      )
    const event = { table: entities[entity].table, ...(ids.length <= MAX_EVENT_IDS && { ids }) }
    await services.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', event)
  })
}

async function rejectRows({ entity, key }: Push, tx: Db, settled: readonly Settled[], at: Date): Promise<void> {
  const { merchantId } = key
  const rejected = settled.flatMap(one => (one.rejection === null ? [] : [{ ...one, message: one.rejection }]))
  const asRows = (list: typeof rejected) => list.map(({ row: { id, version }, message }) => ({ id, version, message }))
  const created = rejected.filter(({ row }) => isNew(row))
  const changed = rejected.filter(({ row }) => !isNew(row))
  const messages = new Map(changed.map(({ row, message }) => [row.id, message]))
  const settle = async () => void (await settleRejected(tx, entity, merchantId, asRows(changed), at))
  if (changed.length) await recordRejections(tx, key, entity, messages, at, settle)
  for (const isCertain of [true, false]) {
    const chosen = created.filter(one => one.isCertain === isCertain)
    if (!chosen.length) continue
    const failed = await settleNotCreated(tx, entity, merchantId, asRows(chosen), at, isCertain)
    const lines = chosen.flatMap(({ row: { id, campaignId }, message: note }) => {
      const line = { entity, entityId: id, campaignId, field: 'syncState', before: 'PENDING', after: 'FAILED', note }
      return failed.has(id) ? [line] : []
    })
    await recordChanges(tx, key, { origin: 'MARKETPLACE', accountId: null, at }, lines)
  }
}

interface OpenLine {
  id: number
  entityId: number
  field: string
  before: unknown
  after: unknown
}

/**
 * Lets `settle` give rows back what the marketplace had, because it rejected their pending edits, and records what was
 * given back: a line for each rejected change, which undoes it and says why. Rows that `settle` leaves alone get none.
 */
async function recordRejections(
  tx: Db,
  owner: Owner,
  entity: EntityName,
  messages: ReadonlyMap<number, string>,
  at: Date,
  settle: () => Promise<void>,
): Promise<void> {
  const ids = [...messages.keys()]
  const before = await lockRows(tx, owner, entity, ids)
  await settle()
  const after = await lockRows(tx, owner, entity, ids)
  const reverted = [...before]
    .flatMap(([id, { row }]) => {
      const now = after.get(id)?.row
      return now ? changesOf(entities[entity].fields, row, now).map(change => ({ row, change })) : []
    })
    .filter(({ change }) => change.field.edit && change.field.port)
  if (!reverted.length) return
  const open = await openLines(tx, owner, entity, [...new Set(reverted.map(({ row }) => row.id))])
  const recorded = reverted.flatMap(({ row, change: { name: field, before: rejected, after: restored } }) => {
    const place = {
      entity,
      entityId: row.id,
      campaignId: 'campaignId' in row ? row.campaignId : row.id,
      field,
      note: messages.get(row.id) ?? '',
    }
    const lines = open.filter(line => line.entityId === row.id && line.field === field)
    return backTo(restored, rejected, lines).map((line): RecordedChange => ({ ...place, ...line }))
  })
  await recordChanges(tx, owner, { origin: 'MARKETPLACE', accountId: null, at }, recorded)
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** From the rejected value back to the restored one, over every change that was waiting; else in one step. */
function backTo(restored: unknown, rejected: unknown, lines: readonly OpenLine[]) {
  const steps: { before: unknown; after: unknown; undoes?: number }[] = []
  let value = rejected
  for (const line of lines) {
    if (same(value, restored) || !same(line.after, value)) break
    steps.push({ before: value, after: line.before, undoes: line.id })
    value = line.before
  }
  return same(value, restored) ? steps : [{ before: rejected, after: restored }]
}

const mostWaiting = 20

/** The latest changes of rows that nothing has undone, the latest first. */
async function openLines(
  tx: Db,
  { merchantId }: Owner,
  entity: EntityName,
  ids: readonly number[],
): Promise<OpenLine[]> {
  const { rows } = await sql<OpenLine>`
    select c.id, c.entity_id as "entityId", c.field, c.before, c.after from unnest(${ids}::bigint[]) as u(id)
    cross join lateral (
      select * from entity_change c where c.merchant_id = ${merchantId} and c.entity = ${entity} and c.entity_id = u.id
        and c.field is not null and not exists (select 1 from entity_change o where o.merchant_id = ${merchantId} and o.undoes = c.id)
      order by c.id desc limit ${mostWaiting}) c
    order by c.id desc`.execute(tx)
  return rows
}
