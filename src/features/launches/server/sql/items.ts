import { sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import { launchRejectionMessage } from '#shared/marketplace-rejections.ts'
import type { StepName } from '../../contract.ts'
import type { LaunchItem } from '../../plan/launch-items.ts'
import { type LaunchKey, ofLaunch } from './launches.ts'

/** An item as the journal has it; `saved`: the account's mirrored structure has it. */
export interface JournalItem
  extends LaunchItem,
    Pick<Row<'launch_item'>, 'state' | 'reason' | 'message' | 'attempts' | 'saved'> {
  no: number
  amazonId: string | null
  sentAt: Date | null
}

/** A query of the items of a launch, in their order. */
export function journal(tx: Db, key: LaunchKey) {
  return tx
    .selectFrom('launch_item')
    .select(['item_no as no', 'step', 'key', 'parent_key as parentKey', 'label', 'content', 'state', 'saved'])
    .select(['amazon_id as amazonId', 'reason', 'message', 'attempts', 'sent_at as sentAt'])
    .where(eb => eb.and(ofLaunch(key)))
    .orderBy('item_no')
    .$castTo<JournalItem>()
}

/** The items of a launch, in their order. */
export const itemsOf = (tx: Db, key: LaunchKey): Promise<JournalItem[]> => journal(tx, key).execute()

export interface ItemChange extends Pick<JournalItem, 'no' | 'state'> {
  amazonId?: string
  reason?: string
  message?: string
  /** Reset where the call certainly had no effect. */
  attempts?: number
}

/** An item that was not made, with a message for the seller. */
export function notMade(
  { no }: JournalItem,
  state: 'FAILED' | 'SKIPPED',
  reason: string,
  marketplaceMessage?: string,
): ItemChange {
  return { no, state, reason, message: launchRejectionMessage(reason, marketplaceMessage) }
}

/** Writes what became of items. An id is never removed. */
export async function recordItems(tx: Db, key: LaunchKey, changes: readonly ItemChange[]): Promise<void> {
  if (!changes.length) return
  await sql`
    update launch_item set state = u.state, amazon_id = coalesce(u.amazon_id, launch_item.amazon_id), reason = u.reason,
      message = u.message, attempts = coalesce(u.attempts, launch_item.attempts)
    from unnest(${changes.map(c => c.no)}::int[], ${changes.map(c => c.state)}::text[], ${changes.map(c => c.amazonId ?? null)}::text[],
      ${changes.map(c => c.reason ?? null)}::text[], ${changes.map(c => c.message ?? null)}::text[], ${changes.map(c => c.attempts ?? null)}::int[])
      as u(no, state, amazon_id, reason, message, attempts)
    where launch_item.merchant_id = ${key.merchantId} and launch_item.launch_id = ${key.launchId} and launch_item.item_no = u.no`.execute(
    tx,
  )
}

/** How many items of each state every step of launches has. */
export async function countItems(tx: Db, merchantId: number, launchIds: readonly number[]) {
  if (!launchIds.length) return []
  return tx
    .selectFrom('launch_item')
    .select(eb => ['launch_id as launchId', 'step', 'state', eb.fn.countAll<number>().as('count')])
    .where('merchant_id', '=', merchantId)
    .where('launch_id', 'in', launchIds)
    .groupBy(['launch_id', 'step', 'state'])
    .$narrowType<{ step: StepName }>()
    .execute()
}
