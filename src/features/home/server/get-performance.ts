import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { profileDays, profileFreshness } from '#features/metrics/server/public.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { homeEndpoints } from '../contract.ts'
import { type Granularity, inBuckets } from '../rules.ts'
import { figuresOf, freshnessOf, withRatios } from './figures.ts'

/** The advertising performance of the current marketplace: every day, week or month of the range, the empty ones too. */
export const getPerformance = (
  ctx: Ctx,
  { dateFrom, dateTo, granularity }: { dateFrom: string; dateTo: string; granularity: Granularity },
): Promise<EndpointOutput<typeof homeEndpoints.performance>> =>
  readAccount(ctx, async (tx, profile) => {
    const days = await profileDays(tx, profile.merchantId, [profile.profileId], dateFrom, dateTo)
    const points = inBuckets(
      days.map(day => ({ date: day.date, ...figuresOf(day) })),
      granularity,
    )
    return {
      currency: profile.currency,
      freshness: freshnessOf(await profileFreshness(tx, profile)),
      points: points.map(({ date, ...figures }) => ({ date, ...withRatios(figures) })),
    }
  })
