import { sql } from 'kysely'
import { adsOf, currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { toUpstreamProblem } from '#server/http-client/upstream-errors.ts'
import type { Eligibility } from '#integrations/amazon-ads/index.ts'
import type { EligibilityAnswer } from '../contract.ts'
import { askEligibility } from './import/ask-eligibility.ts'
import { eligibilityMessage } from './import/merge-products.ts'
import { productsByAsin } from './product-rows.ts'

const mildToWorst = ['ELIGIBLE', 'ELIGIBLE_WITH_WARNING', 'INELIGIBLE']

/**
 * Asks the marketplace now whether products may be advertised and saves its answers. One answer for each ASIN, in the
 * order of the request; of several skus the most restricted counts. Throws UPSTREAM_* when the marketplace does not answer.
 */
export async function checkEligibility(ctx: Ctx, requested: readonly string[]): Promise<EligibilityAnswer[]> {
  const profile = await currentProfile(ctx)
  const { merchantId, marketplaceId } = profile
  const asins = [...new Set(requested)]
  const rows = await ctx.db.tenant(merchantId, tx => productsByAsin(tx, merchantId, marketplaceId, asins))
  const products = asins.flatMap(asin => {
    const skus = rows.filter(row => row.asin === asin)
    return skus.length ? skus.map(({ sku }) => ({ asin, sku })) : [{ asin }]
  })
  const answers = await askEligibility(adsOf(ctx.integrations, profile), products).catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })
  const present = (answer: Eligibility) => ({ status: answer.status, message: eligibilityMessage(answer) })
  // A used offer that may not be advertised says nothing about the new one of the same ASIN.
  const bySku = rows.flatMap(({ sku, asin }) => {
    const answer = answers.find(a => a.sku === sku) ?? answers.find(a => !a.sku && a.asin === asin)
    return answer ? [{ sku, ...present(answer) }] : []
  })
  const column = (of: 'sku' | 'status' | 'message') => sql`${bySku.map(answer => answer[of])}::text[]`
  const save = sql`update product p
    set eligibility_status = u.status, eligibility_message = u.message, eligibility_checked_at = ${ctx.clock.now()}
    from unnest(${column('sku')}, ${column('status')}, ${column('message')}) as u(sku, status, message)
    where p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId} and p.sku = u.sku`
  await ctx.db.tenant(merchantId, tx => save.execute(tx))
  return asins.map(asin => {
    const skus = new Set(rows.filter(row => row.asin === asin).map(row => row.sku))
    const [worst] = answers
      .filter(a => (a.asin ? a.asin === asin : skus.has(a.sku ?? '')))
      .toSorted((a, b) => mildToWorst.indexOf(b.status) - mildToWorst.indexOf(a.status))
    return { asin, ...(worst ? present(worst) : { status: null, message: null }) }
  })
}
