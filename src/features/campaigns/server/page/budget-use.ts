import { AppError } from '#shared/errors.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { campaignHours } from '#features/metrics/server/public.ts'
import { idExists } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { budgetDays, budgetRange } from '../../budget-use.ts'
import type { campaignPageEndpoints } from '../../page-contract.ts'

/** How a campaign used its budget by the hour in a week. Throws NOT_FOUND when the current account has none of this id. */
export async function readBudgetUse(
  ctx: Ctx,
  campaignId: number,
): Promise<EndpointOutput<typeof campaignPageEndpoints.budgetUse>> {
  const now = ctx.clock.now()
  return readAccount(ctx, async (tx, profile) => {
    if (!(await idExists(tx, 'campaign', profile, campaignId)))
      throw new AppError('NOT_FOUND', 'There is no such campaign.')
    const { timezone, currency } = profile
    const days = budgetRange(now, timezone)
    const [from = '', to = ''] = [days[0], days.at(-1)]
    const received = await campaignHours(tx, profile, campaignId, {
      from,
      to,
      fromAt: startOfDayIn(from, timezone),
      toAt: startOfDayIn(addDays(to, 1), timezone),
    })
    return {
      currency,
      timezone,
      since: received.since?.toISOString() ?? null,
      asOf: received.asOf?.toISOString() ?? null,
      days: budgetDays(days, timezone, now, received),
    }
  })
}
