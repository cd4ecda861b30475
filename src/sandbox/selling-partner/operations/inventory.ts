import type { Product } from '../../core/model.ts'
import { invalid, listOf, ok, offsetOf, oneOf, type Operation, pageToken, productsOf } from './operation.ts'

const PAGE = 50

const detailsOf = (product: Product): Record<string, unknown> => ({
  fulfillableQuantity: product.fulfillable,
  inboundWorkingQuantity: product.inboundWorking,
  inboundShippedQuantity: product.inboundShipped,
  inboundReceivingQuantity: product.inboundReceiving,
  reservedQuantity: {
    totalReservedQuantity: product.reserved,
    pendingCustomerOrderQuantity: product.reserved,
    pendingTransshipmentQuantity: 0,
    fcProcessingQuantity: 0,
  },
  researchingQuantity: { totalResearchingQuantity: 0, researchingQuantityBreakdown: [] },
  unfulfillableQuantity: {
    totalUnfulfillableQuantity: product.unfulfillable,
    customerDamagedQuantity: product.unfulfillable,
    warehouseDamagedQuantity: 0,
    distributorDamagedQuantity: 0,
    carrierDamagedQuantity: 0,
    defectiveQuantity: 0,
    expiredQuantity: 0,
  },
})

const totalOf = (product: Product): number =>
  product.fulfillable +
  product.reserved +
  product.unfulfillable +
  product.inboundWorking +
  product.inboundShipped +
  product.inboundReceiving

export const inventoryOperations: Operation[] = [
  {
    id: 'getInventorySummaries',
    method: 'GET',
    url: '/fba/inventory/v1/summaries',
    rate: 2,
    burst: 2,
    answer(request) {
      const { query, seller, now } = request
      const granularityId = oneOf(query.granularityId)
      const marketplaceId = listOf(query.marketplaceIds)[0]
      if (oneOf(query.granularityType) !== 'Marketplace') return invalid('granularityType must be Marketplace')
      if (!granularityId || granularityId !== marketplaceId) return invalid('granularityId must be the marketplace id')
      if (!seller.marketplaceIds.includes(marketplaceId)) return invalid(`marketplace ${marketplaceId} is not yours`)
      const offset = offsetOf(oneOf(query.nextToken))
      if (offset === null) return invalid('nextToken is not valid')
      const wanted = listOf(query.sellerSkus ?? query.sellerSku)
      const all = productsOf(request, marketplaceId).filter(
        product => wanted.length === 0 || wanted.includes(product.sku),
      )
      const inventorySummaries = all.slice(offset, offset + PAGE).map(product => ({
        asin: product.asin,
        fnSku: product.fnsku,
        sellerSku: product.sku,
        condition: product.condition,
        ...(oneOf(query.details) === 'true' ? { inventoryDetails: detailsOf(product) } : {}),
        lastUpdatedTime: now.toISOString(),
        productName: product.title,
        totalQuantity: totalOf(product),
        stores: [],
      }))
      const more = offset + PAGE < all.length
      return ok({
        payload: { granularity: { granularityType: 'Marketplace', granularityId }, inventorySummaries },
        ...(more ? { pagination: { nextToken: pageToken(offset + PAGE) } } : {}),
      })
    },
  },
]
