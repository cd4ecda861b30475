import { profileById } from '#features/accounts/server/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { SeedingItem } from '../contract.ts'
import { activeSeedingJobs, type SeedingRow } from './seeding-jobs.ts'

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
    for (const row of await activeSeedingJobs(tx, merchantIds, since)) items.push(await presentSeeding(tx, row))
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
