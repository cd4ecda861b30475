import { readAccount } from '#features/accounts/server/public.ts'
import { compareCampaigns, presentFreshness, profileFreshness } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { homeEndpoints } from '../contract.ts'
import { comparedDays } from '../days.ts'
import { explain } from '../why.ts'

// So many campaigns can be named; what the others moved is one part of the whole.
const mostCampaigns = 40

/** Why ACOS, spend and sales of the current marketplace changed: the days of a range that are over, against as many before. */
export function getWhy(
  ctx: Ctx,
  range: { dateFrom: string; dateTo: string },
): Promise<EndpointOutput<typeof homeEndpoints.why>> {
  return readAccount(ctx, async (tx, profile) => {
    const { currency, timezone } = profile
    const freshness = await profileFreshness(tx, profile)
    const compared = comparedDays(range, freshness.asOf, timezone)
    const movers = compared
      ? await compareCampaigns(
          tx,
          profile,
          { from: compared.previousFrom, to: compared.previousTo },
          { from: compared.from, to: compared.to },
          mostCampaigns,
        )
      : []
    return {
      currency,
      compared,
      freshness: presentFreshness(freshness),
      acos: explain('acos', movers, currency),
      cost: explain('cost', movers, currency),
      sales: explain('sales', movers, currency),
    }
  })
}
