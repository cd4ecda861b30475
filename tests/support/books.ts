import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Profile } from '#features/accounts/server/public.ts'
import { campaignDays } from '#features/metrics/server/public.ts'
import { keptDays } from '#integrations/amazon-ads/index.ts'
import type { Fact } from '#sandbox/market/market.ts'
import type { World } from '#sandbox/core/world.ts'
import { type AdType, adTypes } from '#shared/campaign-rules.ts'
import type { Services } from '#server/context.ts'
import { addSums, type FigureSums } from '#shared/metrics.ts'
import { addDays, dayIn } from '#shared/time.ts'

/** What the marketplace holds of one fact, with the orders that count for a seller's ads of that type. */
export function sumsOfFact(fact: Fact, adType: AdType): FigureSums {
  const window = adType === 'SPONSORED_PRODUCTS' ? 'd7' : 'd14'
  const { impressions, clicks, costMicros } = fact
  return {
    impressions,
    clicks,
    costMicros,
    salesMicros: fact.salesMicros[window],
    orders: fact.orders[window],
    units: fact.units[window],
  }
}

/**
 * The sums of the marketplace's own ledger over days of an account, as it reports them at this moment, by whatever `keyOf`
 * says; facts without a key are left out.
 */
export function bookedBy(
  world: World,
  amazonProfileId: string,
  { from, to }: { from: string; to: string },
  keyOf: (fact: Fact, adType: AdType) => string | null,
  types: readonly AdType[] = adTypes,
): Map<string, FigureSums> {
  const now = world.clock.now()
  const rows = types.flatMap(adType =>
    world
      .market()
      .facts(Number(amazonProfileId), from, to, now, adType)
      .flatMap(fact => {
        const key = keyOf(fact, adType)
        return key === null ? [] : [{ key, sums: sumsOfFact(fact, adType) }]
      }),
  )
  return new Map([...Map.groupBy(rows, row => row.key)].map(([key, own]) => [key, addSums(own.map(row => row.sums))]))
}

/** Compares the settled days of an account, as imported, with the sums of the marketplace’s own ledger, by ad type. */
export async function expectOwnBooks(
  { services, sandbox }: { services: Services; sandbox: { world: World } },
  profile: Profile,
): Promise<void> {
  const today = dayIn(services.clock.now(), profile.timezone)
  const to = addDays(today, -45)
  for (const adType of adTypes) {
    const from = addDays(today, 1 - keptDays[adType])
    const books = bookedBy(sandbox.world, profile.amazonProfileId, { from, to }, () => 'all', [adType])
    const booked = books.get('all') ?? expect.unreachable()
    expect(booked.costMicros).toBeGreaterThan(0)
    const campaigns = sql`select c.id from campaign c where c.merchant_id = ${profile.merchantId} and c.ad_type = ${adType}`
    const imported = await services.db.tenant(profile.merchantId, tx => campaignDays(tx, profile, campaigns, from, to))
    expect([adType, addSums(imported)]).toEqual([adType, booked])
  }
}
