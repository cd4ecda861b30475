import type { RawBuilder } from 'kysely'
import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { JobDefinition } from '#server/jobs/define-job.ts'
import { pushAdGroupJob, pushAdJob, pushCampaignJob, pushKey, pushTargetJob } from '../push/push-jobs.ts'
import type { PushedRow } from '../push/push-change.ts'
import { editRow, type EditedRows, type EditedTable } from '../sql/edits.ts'

/** The job that sends what waits of each table. */
export const pushJobs: Record<EditedTable, JobDefinition<PushedRow>> = {
  campaign: pushCampaignJob,
  ad_group: pushAdGroupJob,
  product_ad: pushAdJob,
  target: pushTargetJob,
}

interface Edit<T extends EditedTable, Shown extends { id: number }> {
  table: T
  /** What the audit calls it: "campaign.update". */
  action: string
  values: Record<string, RawBuilder<unknown>>
  before: Shown
  present: (row: EditedRows[T], currency: string) => Shown
  /** What of it the audit keeps. */
  audited: (shown: Shown) => object
  /** Which rows the screens should ask for anew. */
  told: object
}

/**
 * The journal of every edit, in the transaction of its check: the row as the user wants it, PENDING, what it was and is
 * in the audit, the job that sends it, and a hint to all who look. Returns the row as shown; `before` when nothing changes.
 */
export const saveEdit = async <T extends EditedTable, Shown extends { id: number }>(
  tx: Db,
  ctx: Ctx,
  profile: Profile,
  { table, action, values, before, present, audited, told }: Edit<T, Shown>,
): Promise<Shown> => {
  if (!Object.keys(values).length) return before
  const { merchantId, currency } = profile
  const after = present(await editRow(tx, table, profile, before.id, values, ctx.clock.now()), currency)
  await recordAudit(tx, {
    merchantId,
    accountId: ctx.actor.accountId,
    action,
    entity: table,
    entityId: before.id,
    before: audited(before),
    after: audited(after),
    requestId: ctx.requestId,
  })
  const where = { merchantId, id: before.id }
  await ctx.jobs.send(tx, pushJobs[table], where, { key: pushKey(where) })
  await ctx.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', told)
  return after
}
