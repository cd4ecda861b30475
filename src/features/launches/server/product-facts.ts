import type { Profile } from '#features/accounts/server/public.ts'
import { productsByAsin } from '#features/catalogue/server/public.ts'
import { profileFreshness } from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { addDays } from '#shared/time.ts'
import type { PlanProduct } from '../plan/launch-plan.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { ratesOf } from '../plan/product-rates.ts'
import { advertisedFigures } from './sql/facts.ts'

// Long enough to be sure of a rate, short enough to be of today's price and season.
const RATE_DAYS = 60

// Only days with all orders reported: a day that may still change shows too few.
async function settledFigures(tx: Db, profile: Profile, asins: readonly string[]) {
  const { movingFrom } = await profileFreshness(tx, profile)
  if (!movingFrom) return []
  return advertisedFigures(tx, profile, asins, { from: addDays(movingFrom, -RATE_DAYS), to: addDays(movingFrom, -1) })
}

/**
 * The facts about the payload's products, in its order. Throws RULE_VIOLATED for one that the seller does not list in
 * this marketplace, PRODUCT_NOT_ELIGIBLE for one that may not be advertised.
 */
export const factsOfProducts = async (tx: Db, profile: Profile, payload: CreatePayload): Promise<PlanProduct[]> => {
  const { merchantId, marketplaceId } = profile
  const rows = await productsByAsin(
    tx,
    merchantId,
    marketplaceId,
    payload.products.map(p => p.asin),
  )
  const facts = payload.products.map(({ asin, sku }) => {
    const row = rows.find(r => r.asin === asin && r.sku === sku)
    if (!row)
      throw new AppError('RULE_VIOLATED', `The product ${asin} (${sku}) is not in this marketplace’s inventory.`, {
        details: [`The product ${asin} (${sku}) is not in this marketplace’s inventory.`],
        extra: { field: 'products' },
      })
    return row
  })
  const barred = facts.filter(row => row.eligibilityStatus === 'INELIGIBLE')
  if (barred.length) {
    const reasons = barred.map(
      row => row.eligibilityMessage ?? 'This product is not eligible for Sponsored Products campaigns.',
    )
    const named = barred.map((row, i) => `${row.asin}: ${reasons[i]}`).join(' ')
    throw new AppError('PRODUCT_NOT_ELIGIBLE', 'Product Not Eligible', {
      details: reasons,
      extra: { asins: barred.map(row => row.asin), fields: { products: named } },
    })
  }
  const figures = await settledFigures(
    tx,
    profile,
    payload.products.map(p => p.asin),
  )
  return facts.map(row => ({
    asin: row.asin ?? '',
    sku: row.sku,
    title: row.title,
    brand: row.brand,
    category: row.category,
    ...ratesOf(figures.find(f => f.asin === row.asin) ?? { clicks: 0, orders: 0, salesMicros: 0 }),
  }))
}
