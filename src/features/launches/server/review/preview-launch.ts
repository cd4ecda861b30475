import { currentProfile, requireOwner, type Profile } from '#features/accounts/server/public.ts'
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
import { productsByAsin } from '#features/catalogue/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { breakEvenOf, lowestBreakEven } from '../../review/break-even.ts'
import type { ReviewFacts } from '../../review/notices.ts'
import { productUnits, runningTargets } from '../sql/facts.ts'

/** What the review holds against a plan: margins, stock, warnings of the marketplace, and what runs already. */
async function reviewFactsOf(tx: Db, profile: Profile, payload: CreatePayload): Promise<ReviewFacts> {
  const asins = payload.products.map(p => p.asin)
  const skus = payload.products.map(p => p.sku)
  const rows = await productsByAsin(tx, profile.merchantId, profile.marketplaceId, asins)
  const breakEvens = (await productUnits(tx, profile, skus)).map(breakEvenOf)
  return {
    targetAcos: payload.targetAcos,
    breakEvenAcos: lowestBreakEven(breakEvens),
    breakEvenKnownFor: breakEvens.filter(one => one.acos !== null).length,
    running: await runningTargets(tx, profile, { asins, skus }),
    products: rows
      .filter(row => skus.includes(row.sku))
      .map(row => ({
        asin: row.asin ?? row.sku,
        available: row.available,
        isInbound: (row.inboundShipped ?? 0) + (row.inboundReceived ?? 0) > 0,
        eligibilityWarning: row.eligibilityStatus === 'ELIGIBLE_WITH_WARNING' ? (row.eligibilityMessage ?? '') : null,
      })),
  }
}

/**
 * What a launch of this payload would make, by the same plan that the launch follows. Nothing is made or accepted.
 * Throws as the launch would, and UPSTREAM_* when the marketplace cannot be asked.
 */
export async function previewLaunch(ctx: Ctx, payload: CreatePayload): Promise<LaunchPreview> {
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
