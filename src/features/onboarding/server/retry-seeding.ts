import { AppError } from '#shared/errors.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import { requireOwner } from '#features/accounts/server/public.ts'
import type { SeedingItem } from '../contract.ts'
import { seedProfile } from './jobs/seed-profile.job.ts'
import { presentSeeding } from './list-active-seeding.ts'
import { seedingJob, setSeeding } from './seeding-jobs.ts'

/**
 * Retries a failed import from where it stopped. Throws NOT_FOUND if none of the user's merchants has it, CONFLICT if it has
 * not failed, FORBIDDEN for viewers.
 */
export async function retrySeeding(ctx: Ctx, id: number): Promise<SeedingItem> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const { merchantIds, accountId } = ctx.actor
  const found = await ctx.db.tenant(merchantIds, tx => seedingJob(tx, merchantIds, id))
  if (!found) throw new AppError('NOT_FOUND', 'There is no such import.')
  const { merchantId, profileId } = found
  await requireOwner(ctx, merchantId)
  return ctx.db.transaction(async tx => {
    const row = await seedingJob(tx, [merchantId], id)
    if (row?.status !== 'FAILED') throw new AppError('CONFLICT', 'This import has not failed.')
    const change = { status: 'PENDING', description: 'Waiting to try again' } as const
    await setSeeding(tx, row, change, ctx.clock.now())
    await ctx.jobs.send(tx, seedProfile, { merchantId, profileId }, { key: `${profileId}` })
    await ctx.events.publish(tx, [accountId], 'seeding', { ids: [id] })
    await recordAudit(tx, {
      merchantId,
      accountId,
      action: 'seeding.retry',
      entity: 'seeding_job',
      entityId: id,
      requestId: ctx.requestId,
    })
    return presentSeeding(tx, { ...row, ...change, failure: null, days: null })
  })
}
