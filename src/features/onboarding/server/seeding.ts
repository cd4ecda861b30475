import { profileById, requireOwner } from '#features/accounts/server/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { SeedingItem } from '../contract.ts'
import { type SeedingRow, seedingRows, setSeeding } from './seeding-jobs.ts'
import { AppError } from '#shared/errors.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { seedProfile } from './jobs/seed-profile.job.ts'

const SHOWN_AFTER_MS = 60_000

const names: Record<SeedingItem['kind'], string> = {
  STRUCTURE: 'Campaigns and keywords',
  INVENTORY: 'Products and stock',
  DAILY_FIGURES: 'Figures of the last 95 days',
  HOURLY_FIGURES: 'Hourly figures',
}

/** The imports of all the user's merchants that wait, run, failed, or were finished within the last minute. */
export async function listActiveSeeding(ctx: Ctx): Promise<SeedingItem[]> {
  const { merchantIds } = ctx.actor
  if (!merchantIds.length) return []
  const since = new Date(ctx.clock.now().getTime() - SHOWN_AFTER_MS)
  return ctx.db.tenant(merchantIds, async tx => {
    const items: SeedingItem[] = []
    const active = seedingRows(tx, merchantIds).where(row =>
      row.or([row('status', '<>', 'COMPLETED'), row('finished_at', '>', since)]),
    )
    for (const row of await active.execute()) items.push(await presentSeeding(tx, row))
    return items
  })
}

/** A row as the contract shows it, with the name of the account's marketplace. */
export async function presentSeeding(
  tx: Db,
  { merchantId, profileId, failure, ...row }: SeedingRow,
): Promise<SeedingItem> {
  const { marketplaceId, countryCode } = await profileById(tx, merchantId, profileId)
  const marketplace = marketplaceById(marketplaceId)?.name ?? countryCode
  const description = failure ?? row.description
  return { ...row, displayName: `${names[row.kind]}, ${marketplace}`, description }
}

/**
 * Retries a failed import from where it stopped. Throws NOT_FOUND if none of the user's merchants has it, CONFLICT if it has
 * not failed, FORBIDDEN for viewers.
 */
export async function retrySeeding(ctx: Ctx, id: number): Promise<SeedingItem> {
  const { merchantIds, accountId } = ctx.actor
  const found = await ctx.db.tenant(merchantIds, tx =>
    seedingRows(tx, merchantIds).where('id', '=', id).executeTakeFirst(),
  )
  if (!found) throw new AppError('NOT_FOUND', 'There is no such import.')
  const { merchantId, profileId } = found
  await requireOwner(ctx, merchantId)
  return ctx.db.transaction(async tx => {
    const row = await seedingRows(tx, [merchantId]).where('id', '=', id).executeTakeFirst()
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
