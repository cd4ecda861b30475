import { readAccount } from '#features/accounts/server/public.ts'
import { productEvents } from '#features/catalogue/server/public.ts'
import { presentFreshness, profileDays, profileFreshness, settlingBands } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addSums, toFigures } from '#shared/metrics.ts'
import type { homeEndpoints } from '../contract.ts'
import { bucketOf, type Granularity } from '../days.ts'

// A chart of more marks says nothing.
const mostEvents = 500

/** The advertising performance of the current marketplace: every day, week or month of the range, the empty ones too. */
export function getPerformance(
  ctx: Ctx,
  { dateFrom, dateTo, granularity }: { dateFrom: string; dateTo: string; granularity: Granularity },
): Promise<EndpointOutput<typeof homeEndpoints.performance>> {
  return readAccount(ctx, async (tx, profile) => {
    const days = await profileDays(tx, profile.merchantId, [profile.profileId], dateFrom, dateTo)
    const { merchantId, marketplaceId } = profile
    const isDaily = granularity === 'DAY'
    const events = isDaily ? await productEvents(tx, merchantId, marketplaceId, dateFrom, dateTo) : []
    const bands = isDaily ? await settlingBands(tx, profile, days) : null
    return {
      currency: profile.currency,
      freshness: presentFreshness(await profileFreshness(tx, profile)),
      events: events.slice(0, mostEvents),
      points: [...Map.groupBy(days, day => bucketOf(day.date, granularity))].map(([date, bucket]) => ({
        date,
        ...toFigures(addSums(bucket)),
        band: bands?.get(date) ?? null,
      })),
    }
  })
}
