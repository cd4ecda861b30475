import type { Profile } from '#features/accounts/server/public.ts'
import { productsByAsin } from '#features/catalogue/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { breakEvenOf, lowestBreakEven } from '../../review/break-even.ts'
import type { ReviewFacts } from '../../review/notices.ts'
import type { CreatePayload } from '../../launch-schema.ts'
import { productUnits, runningTargets } from '../sql/review-facts.ts'

/** What the review holds against a plan: margins, stock, warnings of the marketplace, and what runs already. */
export const reviewFactsOf = async (tx: Db, profile: Profile, payload: CreatePayload): Promise<ReviewFacts> => {
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
