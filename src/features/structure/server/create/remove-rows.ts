import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { accountsOf, currentProfile, type Profile, requireOwner } from '#features/accounts/server/public.ts'
import { type Ctx, requireAuthority, type Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { Rows, Target } from '../../contract.ts'
import { recordChanges } from '../changes/record-changes.ts'
import { sendChanges } from '../push/send-changes.ts'
import { matching, selectList, tableOf } from '../sql/entity-sql.ts'
import { isNew, pushedValues, removeNewRows } from '../sql/pending-rows.ts'

interface Act {
  accountId: number
  groupId: string
  at: Date
}

type CreatedEntity = 'target' | 'negative'

async function lockRow<E extends CreatedEntity>(
  tx: Db,
  profile: Profile,
  entity: E,
  id: number,
): Promise<{ row: Rows[E]; isSent: boolean }> {
  const { rows } = await sql<Rows[E] & { isSent: boolean }>`
    select ${selectList(entity)}, coalesce(t.base ? 'sent', false) as "isSent" from ${tableOf(entity)} t
    where ${matching(profile, [sql`t.id = ${id}`])} for update of t`.execute(tx)
  if (!rows[0]) throw new AppError('NOT_FOUND', `There is no such ${nouns[entity]}.`)
  const { isSent, ...row } = rows[0]
  // Without the note on what was sent it is the row that the select list describes.
  return { row: row as unknown as Rows[E], isSent }
}
const nouns = { target: 'keyword or target', negative: 'negative' }

async function announce(
  services: Pick<Services, 'events'>,
  tx: Db,
  profile: Profile,
  row: { id: number; campaignId: number },
): Promise<void> {
  const event = { clauseIds: [row.id], campaignId: row.campaignId }
  await services.events.publish(tx, await accountsOf(tx, profile.merchantId), 'campaigns', event)
}

/**
 * Archives a negative here and at the marketplace; one that never reached the marketplace is deleted. One that is archived
 * already stays so. Throws NOT_FOUND when the account has none of this id.
 */
export async function removeNegative(
  services: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  profile: Profile,
  id: number,
  { accountId, groupId, at }: Act,
): Promise<void> {
  const { row, isSent } = await lockRow(tx, profile, 'negative', id)
  if (row.state === 'ARCHIVED') return
  const { campaignId, state: before } = row
  const change = { entity: 'negative', entityId: id, campaignId, field: 'state', before, after: 'ARCHIVED' } as const
  await recordChanges(tx, profile, { origin: 'USER', accountId, groupId, at }, [change])
  if (isNew(row) && !isSent) await removeNewRows(tx, 'negative', profile.merchantId, [id])
  else {
    await sql`update negative t set base = ${pushedValues('negative')} || coalesce(t.base, '{}'::jsonb), state = 'ARCHIVED',
        sync_state = 'PENDING', sync_error = null, version = t.version + 1, updated_at = ${at}
      where ${matching(profile, [sql`t.id = ${id}`])}`.execute(tx)
    await sendChanges(services, tx, profile, 'negative', [id])
  }
  await announce(services, tx, profile, row)
}

/**
 * Sends a new row again that the marketplace did not accept; one that waits already stays. Throws NOT_FOUND when the
 * account has none of this id, RULE_VIOLATED when the marketplace has it.
 */
export async function retryNewRow<E extends CreatedEntity>(
  services: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  profile: Profile,
  entity: E,
  id: number,
  at: Date,
): Promise<Rows[E]> {
  const { row } = await lockRow(tx, profile, entity, id)
  if (!isNew(row)) throw new AppError('RULE_VIOLATED', `The marketplace has this ${nouns[entity]} already.`)
  const { syncState }: Rows[CreatedEntity] = row
  if (syncState === 'PENDING') return row
  const { rows } = await sql<Rows[E]>`update ${tableOf(entity)} t set sync_state = 'PENDING', sync_error = null,
      version = t.version + 1, updated_at = ${at}
    where ${matching(profile, [sql`t.id = ${id}`])} returning ${selectList(entity)}`.execute(tx)
  await sendChanges(services, tx, profile, entity, [id])
  await announce(services, tx, profile, row)
  return rows[0] as Rows[E]
}

/** Sends a new keyword or target again. Throws FORBIDDEN to those who may only look, and what `retryNewRow` throws. */
export async function retryTarget(ctx: Ctx, id: number): Promise<Target> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  await requireOwner(ctx, profile.merchantId)
  const { currency } = profile
  return ctx.db.tenant(profile.merchantId, async tx => ({
    ...(await retryNewRow(ctx, tx, profile, 'target', id, ctx.clock.now())),
    currency,
  }))
}
