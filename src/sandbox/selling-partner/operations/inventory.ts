import type { Product } from '../../core/model/store.ts'
import { LISTED } from './listings/listing-parts.ts'
import { check, DAY_MS, iso, offsetIn, ok, operation, pageToken, type SpRequest } from './operation.ts'
import { productsOf, totalQuantityOf } from './product-fields.ts'

const PAGE = 50
const MAX_SKUS = 50
const HOUR_MS = 3_600_000
const EIGHTEEN_MONTHS_MS = 548 * DAY_MS
/** Tokens of this API expire within half a minute, so they also have their expiry. */
const TOKEN_MS = 30_000

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

/** Stock changes when something is sold. A product that never sold has not changed since it was listed. */
function lastChanges({ seller, world, now }: SpRequest, marketplaceId: string): (product: Product) => number {
  const changes = new Map<string, number>()
  for (const { sku, hour } of world.market().ordersByHour(seller.sellerId, marketplaceId, new Date(0), now))
    changes.set(sku, Math.max(changes.get(sku) ?? 0, (hour + 1) * HOUR_MS))
  return ({ sku }) => changes.get(sku) ?? Date.parse(LISTED)
}

function answer(request: SpRequest) {
  const { query, seller } = request
  const now = request.now.getTime()
  const granularityId = query.one('granularityId')
  const [marketplaceId, second] = query.list('marketplaceIds')
  check(query.one('granularityType') === 'Marketplace', 'granularityType must be Marketplace')
  check(
    granularityId && granularityId === marketplaceId && second === undefined,
    'granularityId must be the marketplace id',
  )
  check(seller.marketplaceIds.includes(granularityId), `marketplace ${granularityId} is not yours`)
  const since = query.moment('startDateTime')
  check(since === null || since >= now - EIGHTEEN_MONTHS_MS, 'startDateTime must be a date-time of the last 18 months')
  const problem = 'nextToken is not valid or has expired'
  const [page, expiry] = query.one('nextToken')?.split('.') ?? []
  check(!expiry || parseInt(expiry, 36) >= now, problem)
  const offset = offsetIn(page, problem)
  const skus = [...query.list('sellerSkus'), ...query.list('sellerSku')]
  check(skus.length <= MAX_SKUS, `sellerSkus may hold ${MAX_SKUS} values`)
  const changedAt = lastChanges(request, granularityId)
  const products = productsOf(request, granularityId).filter(
    product => (skus.length === 0 || skus.includes(product.sku)) && (since === null || changedAt(product) >= since),
  )
  const inventorySummaries = products.slice(offset, offset + PAGE).map(product => ({
    asin: product.asin,
    fnSku: product.fnsku,
    sellerSku: product.sku,
    condition: product.condition,
    ...(query.one('details') === 'true' && { inventoryDetails: detailsOf(product) }),
    lastUpdatedTime: iso(changedAt(product)),
    productName: product.title,
    totalQuantity: totalQuantityOf(product),
    stores: [],
  }))
  const nextToken = `${pageToken(offset + PAGE)}.${(now + TOKEN_MS).toString(36)}`
  return ok({
    payload: { granularity: { granularityType: 'Marketplace', granularityId }, inventorySummaries },
    ...(offset + PAGE < products.length && { pagination: { nextToken } }),
  })
}

export const inventoryOperations = [operation('getInventorySummaries', 'GET /fba/inventory/v1/summaries', 2, 2, answer)]
