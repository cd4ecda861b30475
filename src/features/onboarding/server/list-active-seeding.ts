import { profileById } from '#features/accounts/server/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { SeedingItem } from '../contract.ts'
import { presentSeeding } from './present-seeding.ts'
import { activeSeedingJobs, type SeedingRow } from './sql/seeding-jobs.ts'

const SHOWN_AFTER_MS = 60_000

/** The imports of all the user's merchants that wait, run, failed, or were finished within the last minute. */
export async function listActiveSeeding(ctx: Ctx): Promise<SeedingItem[]> {
  const { merchantIds } = ctx.actor
  if (!merchantIds.length) return []
  const since = new Date(ctx.clock.now().getTime() - SHOWN_AFTER_MS)
  return ctx.db.tenant(merchantIds, async tx => {
    const rows = await activeSeedingJobs(tx, merchantIds, since)
    const names = new Map<number, string>()
    for (const row of rows) if (!names.has(row.profileId)) names.set(row.profileId, await marketplaceOf(tx, row))
    return rows.map(row => presentSeeding(row, names.get(row.profileId) ?? ''))
  })
}

/** The name of the marketplace that a job's account is in. */
export async function marketplaceOf(tx: Db, row: SeedingRow): Promise<string> {
  const profile = await profileById(tx, row.merchantId, row.profileId)
  return marketplaceById(profile.marketplaceId)?.name ?? profile.countryCode
}
