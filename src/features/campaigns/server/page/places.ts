import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { toFigures } from '#shared/metrics.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { figuresByPlace } from '#features/metrics/server/public.ts'
import { idExists } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { campaignPageEndpoints } from '../../page-contract.ts'
import { rangeOf } from '../list/list-figures.ts'

/** What a campaign brought in each place. Throws NOT_FOUND when the current account has none of this id. */
export async function readPlaces(
  ctx: Ctx,
  campaignId: number,
  request: { dateFrom?: string | undefined; dateTo?: string | undefined },
): Promise<EndpointOutput<typeof campaignPageEndpoints.places>> {
  return readAccount(ctx, async (tx, profile) => {
    if (!(await idExists(tx, 'campaign', profile, campaignId)))
      throw new AppError('NOT_FOUND', 'There is no such campaign.')
    const { from, to } = rangeOf(ctx, profile, request)
    const places = await figuresByPlace(tx, profile, campaignId, from, to)
    return {
      currency: profile.currency,
      dateFrom: from,
      dateTo: to,
      content: places.map(({ place, ...sums }) => ({ place, ...toFigures(sums) })),
    }
  })
}
