import type { Product } from '../../core/model/store.ts'
import { LISTED } from './listings/listing-parts.ts'
import {
  invalid,
  listOf,
  momentOf,
  offsetOf,
  ok,
  oneOf,
  type Operation,
  pageToken,
  productsOf,
  type SpAnswer,
  type SpRequest,
} from './operation.ts'

const PAGE = 50
const MOST_SKUS = 50
const HOUR_MS = 3_600_000
const EIGHTEEN_MONTHS_MS = 548 * 86_400_000
/** This API's tokens grow old within half a minute. */
const TOKEN_MS = 30_000

const tokenFor = (offset: number, now: number): string => `${pageToken(offset)}.${(now + TOKEN_MS).toString(36)}`

function tokenOf(token: string | undefined): { offset: number; expiresAt: number } | null {
  if (token === undefined) return { offset: 0, expiresAt: Infinity }
  const [page = '', expiry = ''] = token.split('.')
  const offset = offsetOf(page)
  return offset === null ? null : { offset, expiresAt: parseInt(expiry, 36) }
}

function detailsOf(product: Product): Record<string, unknown> {
  return {
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
  }
}

function totalOf(product: Product): number {
  return (
    product.fulfillable +
    product.reserved +
    product.unfulfillable +
    product.inboundWorking +
    product.inboundShipped +
    product.inboundReceiving
  )
}

/** Stock changes when something is sold; what never sold has not changed since it was listed. */
function lastChanges(request: SpRequest, marketplaceId: string): Map<string, number> {
  const { seller, market, now } = request
  const changes = new Map<string, number>()
  for (const { sku, hour } of market.ordersByHour(seller.sellerId, marketplaceId, new Date(0), now))
    changes.set(sku, Math.max(changes.get(sku) ?? 0, (hour + 1) * HOUR_MS))
  return changes
}

function answer(request: SpRequest): SpAnswer {
  const { query, seller, now } = request
  const granularityId = oneOf(query.granularityId)
  const [marketplaceId, more] = listOf(query.marketplaceIds)
  if (oneOf(query.granularityType) !== 'Marketplace') return invalid('granularityType must be Marketplace')
  if (!granularityId || granularityId !== marketplaceId || more !== undefined)
    return invalid('granularityId must be the marketplace id')
  if (!seller.marketplaceIds.includes(marketplaceId)) return invalid(`marketplace ${marketplaceId} is not yours`)
  const since = momentOf(query.startDateTime)
  if (since !== null && !(since >= now.getTime() - EIGHTEEN_MONTHS_MS))
    return invalid('startDateTime must be a date-time of the last 18 months')
  const page = tokenOf(oneOf(query.nextToken))
  if (!page || page.expiresAt < now.getTime()) return invalid('nextToken is not valid or has expired')
  const wanted = [...listOf(query.sellerSkus), ...listOf(query.sellerSku)]
  if (wanted.length > MOST_SKUS) return invalid(`sellerSkus may hold ${MOST_SKUS} values`)
  const changes = lastChanges(request, marketplaceId)
  const changedAt = (product: Product): number => changes.get(product.sku) ?? Date.parse(LISTED)
  const all = productsOf(request, marketplaceId).filter(
    product => (wanted.length === 0 || wanted.includes(product.sku)) && (since === null || changedAt(product) >= since),
  )
  const inventorySummaries = all.slice(page.offset, page.offset + PAGE).map(product => ({
    asin: product.asin,
    fnSku: product.fnsku,
    sellerSku: product.sku,
    condition: product.condition,
    ...(oneOf(query.details) === 'true' ? { inventoryDetails: detailsOf(product) } : {}),
    lastUpdatedTime: new Date(changedAt(product)).toISOString(),
    productName: product.title,
    totalQuantity: totalOf(product),
    stores: [],
  }))
  const left = page.offset + PAGE < all.length
  return ok({
    payload: { granularity: { granularityType: 'Marketplace', granularityId }, inventorySummaries },
    ...(left ? { pagination: { nextToken: tokenFor(page.offset + PAGE, now.getTime()) } } : {}),
  })
}

/** Stock in the marketplace's own warehouses. */
export const inventoryOperations: Operation[] = [
  { id: 'getInventorySummaries', method: 'GET', url: '/fba/inventory/v1/summaries', rate: 2, burst: 2, answer },
]
