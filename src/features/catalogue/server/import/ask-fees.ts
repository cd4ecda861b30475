import type { Seller } from '#integrations/selling-partner/index.ts'
import type { Micros } from '#shared/money.ts'
import type { ImportedProduct } from './merge-products.ts'

/**
 * What the marketplace would keep of a sale of each product at its present price, by sku, in micros. Products without a
 * price, and those it cannot estimate, are missing.
 */
export const askFees = async (
  seller: Pick<Seller, 'feesEstimates'>,
  products: readonly ImportedProduct[],
  marketplaceId: string,
): Promise<[sku: string, micros: Micros][]> => {
  const questions = products.flatMap(({ sku, priceMicros, currency, fulfilledByAmazon }) =>
    priceMicros === null || currency === null
      ? []
      : [{ id: { sku }, marketplaceId, priceMicros, currency, fulfilledByAmazon: fulfilledByAmazon ?? false }],
  )
  const estimates = await seller.feesEstimates(questions)
  return estimates.flatMap((estimate, i): [string, number][] => {
    const question = questions[i]
    return estimate.ok && question ? [[question.id.sku, estimate.totalMicros]] : []
  })
}
