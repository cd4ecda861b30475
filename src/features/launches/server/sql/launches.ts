import { sql, type Updateable } from 'kysely'
import type { Db, Tables } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { StepName, StepStatus } from '../../contract.ts'
import type { Template } from '../../templates.ts'

/** Which launch of which merchant. */
export interface LaunchKey {
  merchantId: number
  launchId: number
}

/** What the rows of a launch have in common, for a condition or for new ones. */
export const ofLaunch = ({ merchantId, launchId }: LaunchKey) => ({ merchant_id: merchantId, launch_id: launchId })

/** One launch, locked until the transaction ends when `lock` is set; undefined when the merchant has none of this id. */
export function launchById(tx: Db, { merchantId, launchId }: LaunchKey, lock = false) {
  const query = tx
    .selectFrom('launch')
    .selectAll()
    .where(eb => eb.and({ merchant_id: merchantId, id: launchId }))
    .$narrowType<{ template: Template }>()
  return (lock ? query.forUpdate() : query).executeTakeFirst()
}
export type LaunchRow = NonNullable<Awaited<ReturnType<typeof launchById>>>

/** The same. Throws NOT_FOUND when the merchant has none of this id. */
export async function requireLaunch(tx: Db, key: LaunchKey, lock = false): Promise<LaunchRow> {
  const launch = await launchById(tx, key, lock)
  if (!launch) throw new AppError('NOT_FOUND', 'There is no such launch.')
  return launch
}

/** Changes a launch. */
export async function updateLaunch(tx: Db, key: LaunchKey, change: Updateable<Tables['launch']>): Promise<void> {
  await tx
    .updateTable('launch')
    .set(change)
    .where(eb => eb.and({ merchant_id: key.merchantId, id: key.launchId }))
    .execute()
}

/** Sets a step's status, and what stopped it as a whole. A step that continues keeps its start; one that is planned again has none. */
export async function updateStep(
  tx: Db,
  key: LaunchKey,
  name: StepName,
  status: StepStatus,
  { reason, message }: { reason: string | null; message: string | null } = { reason: null, message: null },
): Promise<void> {
  const hasEnded = status !== 'PENDING' && status !== 'IN_PROGRESS'
  await tx
    .updateTable('launch_step')
    .set({
      status,
      reason,
      message,
      started_at: status === 'PENDING' ? null : sql<Date>`(select coalesce(started_at, now()))`,
      finished_at: hasEnded ? sql<Date>`now()` : null,
    })
    .where(eb => eb.and({ ...ofLaunch(key), name }))
    .execute()
}

/** Marks the step at which a launch stopped, so that people see why. */
export async function markStopped(tx: Db, key: LaunchKey, reason: string, message: string): Promise<void> {
  const steps = await stepsOf(tx, key.merchantId, [key.launchId])
  const at = steps.find(s => s.status === 'IN_PROGRESS') ?? steps.find(s => s.status === 'PENDING')
  if (at) await updateStep(tx, key, at.name, 'FAILED', { reason, message })
}

/** Steps of launches, in their order. */
export async function stepsOf(tx: Db, merchantId: number, launchIds: readonly number[]) {
  if (!launchIds.length) return []
  return tx
    .selectFrom('launch_step')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('launch_id', 'in', launchIds)
    .orderBy('launch_id')
    .orderBy('position')
    .$narrowType<{ name: StepName }>()
    .execute()
}
