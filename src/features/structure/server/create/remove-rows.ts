import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { Negative } from '../../contract.ts'
import { recordChanges } from '../changes/record-changes.ts'
import { sendChanges } from '../push/send-changes.ts'
import { matching, selectList } from '../sql/entity-sql.ts'
import { isNew, pushedValues, removeNewRows } from '../sql/pending-rows.ts'

interface Act {
  accountId: number
  groupId: string
  at: Date
}

async function lockNegative(tx: Db, profile: Profile, id: number): Promise<Negative & { isSent: boolean }> {
  const { rows } = await sql<Negative & { isSent: boolean }>`
    select ${selectList('negative')}, coalesce(t.base ? 'sent', false) as "isSent" from negative t
    where ${matching(profile, [sql`t.id = ${id}`])} for update of t`.execute(tx)
  const [row] = rows
  if (!row) throw new AppError('NOT_FOUND', 'There is no such negative.')
  return row
}

async function announce(services: Pick<Services, 'events'>, tx: Db, profile: Profile, row: Negative): Promise<void> {
  const event = { negativeIds: [row.id], campaignId: row.campaignId }
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
  const row = await lockNegative(tx, profile, id)
  if (row.state === 'ARCHIVED') return
  const { campaignId, state: before } = row
  const change = { entity: 'negative', entityId: id, campaignId, field: 'state', before, after: 'ARCHIVED' } as const
  await recordChanges(tx, profile, { origin: 'USER', accountId, groupId, at }, [change])
  if (isNew(row) && !row.isSent) await removeNewRows(tx, 'negative', profile.merchantId, [id])
  else {
    await sql`update negative t set base = ${pushedValues('negative')} || coalesce(t.base, '{}'::jsonb), state = 'ARCHIVED',
        sync_state = 'PENDING', sync_error = null, version = t.version + 1, updated_at = ${at}
      where ${matching(profile, [sql`t.id = ${id}`])}`.execute(tx)
    await sendChanges(services, tx, profile, 'negative', [id])
  }
  await announce(services, tx, profile, row)
}

/**
 * Sends a new negative again that the marketplace did not accept; one that waits already stays. Throws NOT_FOUND when the
 * account has none of this id, RULE_VIOLATED when the marketplace has it.
 */
export async function retryNegative(
  services: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  profile: Profile,
  id: number,
  at: Date,
): Promise<Negative> {
  const { isSent: _, ...row } = await lockNegative(tx, profile, id)
  if (!isNew(row)) throw new AppError('RULE_VIOLATED', 'The marketplace has this negative already.')
  if (row.syncState === 'PENDING') return row
  const { rows } =
    await sql<Negative>`update negative t set sync_state = 'PENDING', sync_error = null, version = t.version + 1,
      updated_at = ${at}
    where ${matching(profile, [sql`t.id = ${id}`])} returning ${selectList('negative')}`.execute(tx)
  await sendChanges(services, tx, profile, 'negative', [id])
  await announce(services, tx, profile, row)
  return rows[0] as Negative
}
