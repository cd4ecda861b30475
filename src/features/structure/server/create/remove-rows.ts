import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { Negative, Rows } from '../../contract.ts'
import { recordChanges, type RecordedChange } from '../changes/record-changes.ts'
import { sendChanges } from '../push/send-changes.ts'
import { matching, selectList, tableOf } from '../sql/entity-sql.ts'
import { isNew, isNewRow, pushedValues, removeNewRows } from '../sql/pending-rows.ts'

interface Act {
  accountId: number
  groupId: string
  at: Date
}

type CreatedEntity = 'target' | 'negative'

async function lockNewRows<E extends CreatedEntity>(
  tx: Db,
  profile: Profile,
  entity: E,
  ids: readonly number[],
): Promise<{ row: Rows[E]; isSent: boolean }[]> {
  const { rows } = await sql<Rows[E] & { isSent: boolean }>`
    select ${selectList(entity, profile)}, coalesce(t.base ? 'sent', false) as "isSent" from ${tableOf(entity)} t
    where ${matching(profile, [sql`t.id = any(${ids}::bigint[])`])} order by t.id for update of t`.execute(tx)
  // Without the note on what was sent it is the row that the select list describes.
  return rows.map(({ isSent, ...row }) => ({ row: row as unknown as Rows[E], isSent }))
}

async function announce(
  services: Pick<Services, 'events'>,
  tx: Db,
  { merchantId }: Profile,
  rows: readonly { id: number; campaignId: number }[],
): Promise<void> {
  // An event carries at most 7 kB.
  const [first] = rows
  if (!first) return
  const event = { clauseIds: rows.slice(0, 300).map(({ id }) => id), campaignId: first.campaignId }
  await services.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', event)
}

/**
 * Archives negatives here and at the marketplace; those that never reached the marketplace are deleted. Leaves those that
 * are archived already, or that the account does not have, as they are. Returns the ids of the others.
 */
export async function archiveNegatives(
  services: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  profile: Profile,
  chosen: readonly { id: number; undoes?: number }[],
  { accountId, groupId, at }: Act,
): Promise<Set<number>> {
  if (!chosen.length) return new Set()
  const { merchantId } = profile
  const undoes = new Map(chosen.map(one => [one.id, one.undoes]))
  const found = await lockNewRows(tx, profile, 'negative', [...undoes.keys()])
  const running = found.filter(({ row }) => row.state !== 'ARCHIVED')
  const changes = running.map(({ row: { id, campaignId, state: before } }): RecordedChange => {
    const undone = undoes.get(id)
    const place = { entity: 'negative', entityId: id, campaignId } as const
    return { ...place, field: 'state', before, after: 'ARCHIVED', ...(undone !== undefined && { undoes: undone }) }
  })
  await recordChanges(tx, profile, { origin: 'USER', accountId, groupId, at }, changes)
  const idsOf = (list: typeof found) => list.map(({ row }) => row.id)
  const [unsent, sent] = [running.filter(isUnsent), running.filter(one => !isUnsent(one))].map(idsOf) as [
    number[],
    number[],
  ]
  await removeNewRows(tx, 'negative', merchantId, unsent)
  await sql`update negative t set base = (select ${pushedValues('negative')} || coalesce(t.base, '{}'::jsonb)), state = 'ARCHIVED',
      sync_state = 'PENDING', sync_error = null, version = t.version + 1, updated_at = ${at}
    where ${matching(profile, [sql`t.id = any(${sent}::bigint[])`])}`.execute(tx)
  if (sent.length) await sendChanges(services, tx, profile, 'negative', sent)
  await announce(
    services,
    tx,
    profile,
    running.map(({ row }) => row),
  )
  return new Set(idsOf(running))
}
const isUnsent = ({ row, isSent }: { row: { amazonId: string }; isSent: boolean }): boolean => isNew(row) && !isSent

/** Archives one negative, as `archiveNegatives` does. Throws NOT_FOUND when the account has none of this id. */
export async function removeNegative(
  services: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  profile: Profile,
  id: number,
  act: Act,
): Promise<void> {
  const [found] = await lockNewRows(tx, profile, 'negative', [id])
  if (!found) throw new AppError('NOT_FOUND', 'There is no such negative.')
  await archiveNegatives(services, tx, profile, [{ id }], act)
}

/**
 * Sends new rows again that the marketplace did not accept, in the caller's transaction. Returns the ids of those; it has
 * the others already, or they wait already.
 */
export async function resendNewRows(
  services: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  profile: Profile,
  entity: CreatedEntity,
  ids: readonly number[],
  at: Date,
): Promise<number[]> {
  if (!ids.length) return []
  const { rows } = await sql<{ id: number; campaignId: number }>`update ${tableOf(entity)} t set sync_state = 'PENDING',
      sync_error = null, version = t.version + 1, updated_at = ${at}
    where ${matching(profile, [sql`t.id = any(${ids}::bigint[])`, isNewRow, sql`t.sync_state = 'FAILED'`])}
    returning t.id, t.campaign_id as "campaignId"`.execute(tx)
  const sent = rows.map(({ id }) => id)
  if (sent.length) await sendChanges(services, tx, profile, entity, sent)
  await announce(services, tx, profile, rows)
  return sent
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
  const [found] = await lockNewRows(tx, profile, 'negative', [id])
  if (!found) throw new AppError('NOT_FOUND', 'There is no such negative.')
  if (!isNew(found.row)) throw new AppError('RULE_VIOLATED', 'The marketplace has this negative already.')
  await resendNewRows(services, tx, profile, 'negative', [id], at)
  const [now = found] = await lockNewRows(tx, profile, 'negative', [id])
  return now.row
}
