import { accountsOf } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { recordChanges } from '../changes/record-changes.ts'
import { recordRejections } from '../changes/record-rejections.ts'
import {
  isNew,
  type PendingRow,
  type PushKey,
  removeNewRows,
  settleAccepted,
  settleNotCreated,
  settleRejected,
} from '../sql/pending-rows.ts'

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

interface Place {
  services: Services
  entity: EntityName
  key: PushKey
  onSettledNew: (tx: Db, ids: number[]) => Promise<void>
}

// An event carries at most 7 kB.
const MAX_EVENT_IDS = 500

/** Saves what became of rows, in one transaction with the ledger and the event. */
export async function settleRows(place: Place, settled: readonly Settled[]): Promise<void> {
  if (!settled.length) return
  const { services, entity, key, onSettledNew } = place
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
    await rejectRows(place, tx, settled, at)
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

async function rejectRows({ entity, key }: Place, tx: Db, settled: readonly Settled[], at: Date): Promise<void> {
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
