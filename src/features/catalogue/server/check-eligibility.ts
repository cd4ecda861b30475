import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { toUpstreamProblem } from '#server/http-client/failures/upstream-problem.ts'
import type { Eligibility } from '#integrations/amazon-ads/index.ts'
import type { EligibilityAnswer } from '../contract.ts'
import { askEligibility } from './import/ask-eligibility.ts'
import { eligibilityMessage } from './import/merge-products.ts'
import { rowsByAsin, saveEligibility } from './sql/inventory-rows.ts'

const worst = ['ELIGIBLE', 'ELIGIBLE_WITH_WARNING', 'INELIGIBLE']

/**
 * Asks the marketplace now whether products may be advertised and keeps its answers. One answer an ASIN, in the order
 * asked; of several skus the most restricted counts. Throws UPSTREAM_* when the marketplace cannot be asked.
 */
export const checkEligibility = async (ctx: Ctx, asked: readonly string[]): Promise<EligibilityAnswer[]> => {
  const profile = await currentProfile(ctx)
  const asins = [...new Set(asked)]
  const known = await ctx.db.tenant(profile.merchantId, tx => rowsByAsin(tx, profile, asins))
  const products = asins.flatMap(asin => {
    const skus = known.filter(row => row.asin === asin)
    return skus.length ? skus.map(({ sku }) => ({ asin, sku })) : [{ asin }]
  })
  const ads = ctx.integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
  const answers = await askEligibility(ads, products).catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })
  const told = (answer: Eligibility) => ({ status: answer.status, message: eligibilityMessage(answer) })
  const found = asins.flatMap(asin => {
    const skus = new Set(known.filter(row => row.asin === asin).map(row => row.sku))
    const [answer] = answers
      .filter(a => (a.asin ? a.asin === asin : skus.has(a.sku ?? '')))
      .toSorted((a, b) => worst.indexOf(b.status) - worst.indexOf(a.status))
    return answer ? [{ asin, ...told(answer) }] : []
  })
  // A used offer that may not be advertised says nothing of the new one of the same ASIN.
  const bySku = known.flatMap(({ sku, asin }) => {
    const answer = answers.find(a => a.sku === sku) ?? answers.find(a => !a.sku && a.asin === asin)
    return answer ? [{ sku, ...told(answer) }] : []
  })
  await ctx.db.tenant(profile.merchantId, tx => saveEligibility(tx, profile, bySku, ctx.clock.now()))
  return asins.map(asin => found.find(answer => answer.asin === asin) ?? { asin, status: null, message: null })
}
