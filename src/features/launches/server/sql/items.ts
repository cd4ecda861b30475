import { sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import type { StepName } from '../../contract.ts'
import type { ItemContent, LaunchItem } from '../../plan/launch-items.ts'
import type { LaunchKey } from './launch-key.ts'

/** An item as the journal has it. */
export interface JournalItem extends LaunchItem {
  no: number
  state: Row<'launch_item'>['state']
  amazonId: string | null
  reason: string | null
  message: string | null
  attempts: number
  sentAt: Date | null
  /** Whether the account's mirrored structure has it. */
  saved: boolean
}

/** Writes the items of a launch in their order; does nothing where they are written already. */
export async function insertItems(tx: Db, key: LaunchKey, items: readonly LaunchItem[]): Promise<void> {
  await sql`
    insert into launch_item (merchant_id, launch_id, item_no, step, key, parent_key, label, content)
    select ${key.merchantId}::bigint, ${key.launchId}::bigint, u.no, u.step, u.key, u.parent_key, u.label, u.content::jsonb
    from unnest(${items.map((_, i) => i)}::int[], ${items.map(i => i.step)}::text[], ${items.map(i => i.key)}::text[],
      ${items.map(i => i.parentKey)}::text[], ${items.map(i => i.label)}::text[], ${items.map(i => JSON.stringify(i.content))}::text[])
      as u(no, step, key, parent_key, label, content)
    on conflict (merchant_id, launch_id, item_no) do nothing`.execute(tx)
}

const asItem = (row: Row<'launch_item'>): JournalItem => ({
  no: row.item_no,
  step: row.step as StepName,
  key: row.key,
  parentKey: row.parent_key,
  label: row.label,
  // Written by insertItems alone, from this type.
  content: row.content as ItemContent,
  state: row.state,
  amazonId: row.amazon_id,
  reason: row.reason,
  message: row.message,
  attempts: row.attempts,
  sentAt: row.sent_at,
  saved: row.saved,
})

function ordered(tx: Db, { merchantId, launchId }: LaunchKey) {
  return tx
    .selectFrom('launch_item')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('launch_id', '=', launchId)
    .orderBy('item_no')
}

/** The items of a launch, or of some steps of it, in their order. */
export async function itemsOf(tx: Db, key: LaunchKey, steps?: readonly StepName[]): Promise<JournalItem[]> {
  const query = ordered(tx, key)
  const rows = await (steps ? query.where('step', 'in', steps) : query).execute()
  return rows.map(asItem)
}

/** What is left to do in a step, with all campaigns and ad groups that it may hang under, in their order. */
export async function openItems(tx: Db, key: LaunchKey, step: StepName): Promise<JournalItem[]> {
  const rows = await ordered(tx, key)
    .where(eb =>
      eb.or([
        eb('step', 'in', ['CAMPAIGNS', 'AD_GROUPS']),
        eb.and([eb('step', '=', step), eb('state', 'in', ['PLANNED', 'SENDING'])]),
      ]),
    )
    .execute()
  return rows.map(asItem)
}

/** The first items that a launch created at the marketplace, in their order; changes of existing entities are left out. */
export async function createdItems(
  tx: Db,
  { merchantId, launchId }: LaunchKey,
  limit: number,
): Promise<Pick<JournalItem, 'content' | 'amazonId' | 'label'>[]> {
  const rows = await tx
    .selectFrom('launch_item')
    .select(['content', 'amazon_id as amazonId', 'label'])
    .where('merchant_id', '=', merchantId)
    .where('launch_id', '=', launchId)
    .where('state', '=', 'CREATED')
    .where('amazon_id', 'is not', null)
    .where('step', 'not in', ['AUTO_TARGETS', 'ENABLE'])
    .orderBy('item_no')
    .limit(limit)
    .execute()
  return rows.map(row => ({ ...row, content: row.content as ItemContent }))
}

/** Notes that items are about to be sent: this is durable before the call is made. */
export async function markSending(tx: Db, key: LaunchKey, nos: readonly number[], at: Date): Promise<void> {
  await tx
    .updateTable('launch_item')
    .set(eb => ({ state: 'SENDING', attempts: eb('attempts', '+', 1), sent_at: at, reason: null, message: null }))
    .where('merchant_id', '=', key.merchantId)
    .where('launch_id', '=', key.launchId)
    .where('item_no', 'in', nos)
    .execute()
}

export interface ItemChange {
  no: number
  state: Row<'launch_item'>['state']
  amazonId?: string | null
  reason?: string | null
  message?: string | null
  /** Reset where the call certainly had no effect. */
  attempts?: number
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

/** Notes that the account's mirrored structure has items. */
export async function markSaved(tx: Db, key: LaunchKey, nos: readonly number[]): Promise<void> {
  if (!nos.length) return
  await tx
    .updateTable('launch_item')
    .set({ saved: true })
    .where('merchant_id', '=', key.merchantId)
    .where('launch_id', '=', key.launchId)
    .where('item_no', 'in', nos)
    .execute()
}

/** How many items of each state every step of launches has. */
export async function countItems(
  tx: Db,
  merchantId: number,
  launchIds: readonly number[],
): Promise<{ launchId: number; step: StepName; state: Row<'launch_item'>['state']; count: number }[]> {
  if (!launchIds.length) return []
  const rows = await tx
    .selectFrom('launch_item')
    .select(eb => ['launch_id', 'step', 'state', eb.fn.countAll<number>().as('count')])
    .where('merchant_id', '=', merchantId)
    .where('launch_id', 'in', launchIds)
    .groupBy(['launch_id', 'step', 'state'])
    .$narrowType<{ step: StepName }>()
    .execute()
  return rows.map(row => ({ launchId: row.launch_id, step: row.step, state: row.state, count: row.count }))
}

/** Failed items of launches. */
export async function failedItems(
  tx: Db,
  merchantId: number,
  launchIds: readonly number[],
): Promise<
  { launchId: number; step: StepName; item: string; content: ItemContent; reason: string; message: string }[]
> {
  if (!launchIds.length) return []
  const rows = await tx
    .selectFrom('launch_item')
    .select(['launch_id', 'step', 'label', 'content', 'reason', 'message'])
    .where('merchant_id', '=', merchantId)
    .where('launch_id', 'in', launchIds)
    .where('state', '=', 'FAILED')
    .orderBy('launch_id')
    .orderBy('item_no')
    .$narrowType<{ step: StepName }>()
    .execute()
  return rows.map(row => ({
    launchId: row.launch_id,
    step: row.step,
    item: row.label,
    content: row.content as ItemContent,
    reason: row.reason ?? 'OTHER_ERROR',
    message: row.message ?? '',
  }))
}
