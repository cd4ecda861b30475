import type { Profile } from '#features/accounts/server/public.ts'
import { productsByAsin } from '#features/catalogue/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { PlanProduct } from '../launch-plan.ts'
import type { CreatePayload } from '../payload.ts'

/**
 * What is known of the payload's products, in its order. Throws RULE_VIOLATED for one that the seller does not list in
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
  if (barred.length)
    throw new AppError('PRODUCT_NOT_ELIGIBLE', 'Product Not Eligible', {
      details: barred.map(
        row => row.eligibilityMessage ?? 'This product is not eligible for Sponsored Products campaigns.',
      ),
      extra: { asins: barred.map(row => row.asin) },
    })
  return facts.map(row => ({
    asin: row.asin ?? '',
    sku: row.sku,
    title: row.title,
    orderValueMicros: null,
    conversionRate: null,
  }))
}
