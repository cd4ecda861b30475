import { currentProfile, requireOwner } from '#features/accounts/server/public.ts'
import { toUpstreamProblem } from '#server/http-client/failures/upstream-problem.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { LaunchPreview } from '../../contract.ts'
import type { CreatePayload } from '../../launch-schema.ts'
import { planLaunch } from '../../plan/plan-launch.ts'
import { previewOf } from '../../review/preview-rules.ts'
import { checkCategories } from '../check-categories.ts'
import { checkLaunch } from '../check-launch.ts'
import { gatherAdvice } from '../gather-advice.ts'
import { marketOf } from '../market-of.ts'
import { reviewFactsOf } from './review-facts.ts'

/**
 * What a launch of this payload would make, by the same plan that the launch follows. Nothing is made or accepted.
 * Throws as the launch would, and UPSTREAM_* when the marketplace cannot be asked.
 */
export const previewLaunch = async (ctx: Ctx, payload: CreatePayload): Promise<LaunchPreview> => {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  await requireOwner(ctx, profile.merchantId)
  const { products, facts } = await ctx.db.tenant(profile.merchantId, async tx => ({
    products: await checkLaunch(tx, profile, payload),
    facts: await reviewFactsOf(tx, profile, payload),
  }))
  await checkCategories(ctx, profile, payload)
  const advice = await gatherAdvice(ctx, profile, payload).catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })
  const plan = planLaunch({ payload, market: marketOf(profile), products, advice })
  return previewOf(payload, plan, products, facts)
}
