import type { Profile } from '#features/accounts/server/public.ts'
import { productsByAsin } from '#features/catalogue/server/public.ts'
import { productFigures, profileFreshness } from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { Micros } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'
import type { CreatePayload } from '../launch-schema.ts'
import type { PlanProduct } from '../plan/launch-plan.ts'

// Long enough to be sure of a rate, short enough to be of today's price and season.
const RATE_DAYS = 60

// With fewer clicks or orders a rate is chance: at 100 clicks and 3 orders it may still be off by half.
const LEAST_CLICKS = 100
const LEAST_ORDERS = 3

/** Order value and conversion rate (a share of clicks) of a product; both null until there is enough to tell. */
export function ratesOf({ clicks, orders, salesMicros }: { clicks: number; orders: number; salesMicros: Micros }) {
  return clicks >= LEAST_CLICKS && orders >= LEAST_ORDERS
    ? { orderValueMicros: Math.round(salesMicros / orders), conversionRate: orders / clicks }
    : { orderValueMicros: null, conversionRate: null }
}

/**
 * The facts about the payload's products, in its order. Throws RULE_VIOLATED for one that the seller does not list in
 * this marketplace, PRODUCT_NOT_ELIGIBLE for one that may not be advertised.
 */
export async function factsOfProducts(tx: Db, profile: Profile, payload: CreatePayload): Promise<PlanProduct[]> {
  const asins = payload.products.map(p => p.asin)
  const rows = await productsByAsin(tx, profile.merchantId, profile.marketplaceId, asins)
  const facts = payload.products.map(({ asin, sku }) => {
    const row = rows.find(r => r.asin === asin && r.sku === sku)
    if (row) return row
    const message = `The product ${asin} (${sku}) is not in this marketplace’s inventory.`
    throw new AppError('RULE_VIOLATED', message, { details: [message], extra: { field: 'products' } })
  })
  const barred = facts.filter(row => row.eligibilityStatus === 'INELIGIBLE')
  if (barred.length) {
    const unexplained = 'This product is not eligible for Sponsored Products campaigns.'
    const reasons = barred.map(row => row.eligibilityMessage ?? unexplained)
    const named = barred.map((row, i) => `${row.asin}: ${reasons[i]}`).join(' ')
    throw new AppError('PRODUCT_NOT_ELIGIBLE', 'Product Not Eligible', {
      details: reasons,
      extra: { asins: barred.map(row => row.asin), fields: { products: named } },
    })
  }
  const { movingFrom } = await profileFreshness(tx, profile)
  // Only days with all orders reported: a day that may still change shows too few.
  const figures = movingFrom
    ? await productFigures(tx, profile, asins, addDays(movingFrom, -RATE_DAYS), addDays(movingFrom, -1))
    : []
  return facts.map(({ asin, sku, title, brand, category }) => {
    const own = figures.find(f => f.asin === asin) ?? { clicks: 0, orders: 0, salesMicros: 0 }
    return { asin: asin ?? '', sku, title, brand, category, ...ratesOf(own) }
  })
}
