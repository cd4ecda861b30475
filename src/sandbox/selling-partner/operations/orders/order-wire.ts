import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { mix } from '../../../market/random.ts'
import type { SpRequest } from '../operation.ts'
import { amountOf, currencyOf, isoCountryOf, marketplaceNameOf } from '../product-fields.ts'
import type { PlacedOrder } from './order-store.ts'

const PENDING_MS = 30 * 60_000
const PACKING_MS = 20 * 3_600_000

/** An order's fulfilment status, and since when it has it. */
export function progressOf(
  { placedAt }: PlacedOrder,
  now: number,
): { status: 'PENDING' | 'UNSHIPPED' | 'SHIPPED'; since: number } {
  const age = now - placedAt
  if (age < PENDING_MS) return { status: 'PENDING', since: placedAt }
  if (age < PACKING_MS) return { status: 'UNSHIPPED', since: placedAt + PENDING_MS }
  return { status: 'SHIPPED', since: placedAt + PACKING_MS }
}

const iso = (ms: number): string => new Date(ms).toISOString()

// These are not real people.
const buyers = ['Robin Example', 'Kim Sample', 'Noa Muster', 'Sora Mihon', 'Alex Ejemplo']

function itemOf(
  request: SpRequest,
  order: PlacedOrder,
  included: readonly string[],
  shipped: boolean,
): Record<string, unknown> {
  const currency = currencyOf(order.marketplaceId)
  const product = request.store.products.get(`${request.seller.sellerId}|${order.marketplaceId}|${order.sku}`)
  const total = amountOf(order.unitMicros * order.units, currency)
  return {
    orderItemId: String(50_000_000_000_000 + mix(order.seed, 6)),
    quantityOrdered: order.units,
    product: {
      asin: order.asin,
      title: product?.title ?? order.asin,
      sellerSku: order.sku,
      condition: { conditionType: 'NEW', conditionSubtype: 'NEW' },
      price: { unitPrice: amountOf(order.unitMicros, currency) },
    },
    ...(included.includes('PROCEEDS') && {
      proceeds: { proceedsTotal: total, breakdowns: [{ type: 'ITEM', subtotal: total }] },
    }),
    ...(included.includes('FULFILLMENT') && {
      fulfillment: {
        quantityFulfilled: shipped ? order.units : 0,
        quantityUnfulfilled: shipped ? 0 : order.units,
      },
    }),
  }
}

/** The buyer. Names and streets need a restricted data token; the city does not. */
function buyerParts(request: SpRequest, order: PlacedOrder, included: readonly string[]): object {
  const marketplace = marketplaceByAmazonId(order.marketplaceId)
  const name = buyers[mix(order.seed, 7) % buyers.length]
  const countryCode = isoCountryOf(marketplace?.key)
  return {
    ...(included.includes('BUYER') && {
      buyer: {
        buyerEmail: `${mix(order.seed, 8).toString(36)}@marketplace.${marketplace?.domain}`,
        ...(request.restricted && { buyerName: name }),
        ...(order.business && { buyerCompanyName: 'Example Company' }),
      },
    }),
    ...(included.includes('RECIPIENT') && {
      recipient: {
        deliveryAddress: {
          ...(request.restricted && { name, addressLine1: `${1 + (mix(order.seed, 9) % 99)} Example Street` }),
          city: 'Exampleton',
          postalCode: String(10_000 + (mix(order.seed, 10) % 80_000)),
          countryCode,
          addressType: order.business ? 'COMMERCIAL' : 'RESIDENTIAL',
        },
      },
    }),
  }
}

/** An order in the API's format, with the requested data sets. */
export function wireOfOrder(request: SpRequest, order: PlacedOrder, included: readonly string[]): object {
  const { status, since } = progressOf(order, request.now.getTime())
  const total = amountOf(order.unitMicros * order.units, currencyOf(order.marketplaceId))
  const shipBy = { earliestDateTime: iso(order.placedAt), latestDateTime: iso(order.placedAt + 48 * 3_600_000) }
  const shipped = status === 'SHIPPED'
  return {
    orderId: order.orderId,
    createdTime: iso(order.placedAt),
    lastUpdatedTime: iso(since),
    programs: [order.business ? 'AMAZON_BUSINESS' : 'PRIME'],
    salesChannel: {
      channelName: 'AMAZON',
      marketplaceId: order.marketplaceId,
      marketplaceName: marketplaceNameOf(order.marketplaceId),
    },
    ...buyerParts(request, order, included),
    ...(included.includes('PROCEEDS') && { proceeds: { grandTotal: total } }),
    ...(included.includes('FULFILLMENT') && {
      fulfillment: {
        fulfillmentStatus: status,
        fulfilledBy: 'AMAZON',
        fulfillmentServiceLevel: 'STANDARD',
        shipByWindow: shipBy,
      },
    }),
    orderItems: [itemOf(request, order, included, shipped)],
    ...(included.includes('PACKAGES') && {
      packages: shipped
        ? [{ packageReferenceId: '1', shipTime: iso(since), packageStatus: { status: 'SHIPPED' } }]
        : [],
    }),
  }
}
