import { readAccount } from '#features/accounts/server/public.ts'
import { presentFreshness, profileDays, profileFreshness, settlingBands } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addSums, toFigures } from '#shared/metrics.ts'
import type { homeEndpoints } from '../contract.ts'
import { bucketOf, type Granularity } from '../days.ts'

/** The advertising performance of the current marketplace: every day, week or month of the range, the empty ones too. */
export function getPerformance(
  ctx: Ctx,
  { dateFrom, dateTo, granularity }: { dateFrom: string; dateTo: string; granularity: Granularity },
): Promise<EndpointOutput<typeof homeEndpoints.performance>> {
  return readAccount(ctx, async (tx, profile) => {
    const days = await profileDays(tx, profile.merchantId, [profile.profileId], dateFrom, dateTo)
    const bands = granularity === 'DAY' ? await settlingBands(tx, profile, days) : null
    return {
      currency: profile.currency,
      freshness: presentFreshness(await profileFreshness(tx, profile)),
      points: [...Map.groupBy(days, day => bucketOf(day.date, granularity))].map(([date, bucket]) => ({
        date,
        ...toFigures(addSums(bucket)),
        band: bands?.get(date) ?? null,
      })),
    }
  })
}
