import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { mix } from '../../../market/random.ts'
import { iso, type SpRequest } from '../operation.ts'
import { amountOf, isoCountryOf, marketplaceNameOf } from '../product-fields.ts'
import type { PlacedOrder } from './order-store.ts'

const PENDING_MS = 30 * 60_000
const PACKING_MS = 20 * 3_600_000
const SHIP_BY_MS = 48 * 3_600_000

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

// These are not real people.
const buyers = ['Robin Example', 'Kim Sample', 'Noa Muster', 'Sora Mihon', 'Alex Ejemplo']

const dataSet = (included: readonly string[], name: string, parts: object): object =>
  included.includes(name) ? parts : {}

function itemOf({ store, seller }: SpRequest, order: PlacedOrder, included: readonly string[], shipped: boolean) {
  const { marketplaceId, seed, units, unitMicros, asin, sku } = order
  const subtotal = amountOf(unitMicros * units, marketplaceId)
  return {
    orderItemId: String(50_000_000_000_000 + mix(seed, 6)),
    quantityOrdered: units,
    product: {
      asin,
      title: store.products.get(`${seller.sellerId}|${marketplaceId}|${sku}`)?.title ?? asin,
      sellerSku: sku,
      condition: { conditionType: 'NEW', conditionSubtype: 'NEW' },
      price: { unitPrice: amountOf(unitMicros, marketplaceId) },
    },
    ...dataSet(included, 'PROCEEDS', {
      proceeds: { proceedsTotal: subtotal, breakdowns: [{ type: 'ITEM', subtotal }] },
    }),
    ...dataSet(included, 'FULFILLMENT', {
      fulfillment: { quantityFulfilled: shipped ? units : 0, quantityUnfulfilled: shipped ? 0 : units },
    }),
  }
}

/** An order in the API's format, with the requested data sets. Names and streets need a restricted data token. */
export function wireOfOrder(request: SpRequest, order: PlacedOrder, included: readonly string[]): object {
  const { marketplaceId, placedAt, seed, units, unitMicros, business } = order
  const { status, since } = progressOf(order, request.now.getTime())
  const marketplace = marketplaceByAmazonId(marketplaceId)
  const total = amountOf(unitMicros * units, marketplaceId)
  const shipped = status === 'SHIPPED'
  const name = request.access.restricted && buyers[mix(seed, 7) % buyers.length]
  return {
    orderId: order.orderId,
    createdTime: iso(placedAt),
    lastUpdatedTime: iso(since),
    programs: [business ? 'AMAZON_BUSINESS' : 'PRIME'],
    salesChannel: { channelName: 'AMAZON', marketplaceId, marketplaceName: marketplaceNameOf(marketplaceId) },
    ...dataSet(included, 'BUYER', {
      buyer: {
        buyerEmail: `${mix(seed, 8).toString(36)}@marketplace.${marketplace?.domain}`,
        ...(name && { buyerName: name }),
        ...(business && { buyerCompanyName: 'Example Company' }),
      },
    }),
    ...dataSet(included, 'RECIPIENT', {
      recipient: {
        deliveryAddress: {
          ...(name && { name, addressLine1: `${1 + (mix(seed, 9) % 99)} Example Street` }),
          city: 'Exampleton',
          postalCode: String(10_000 + (mix(seed, 10) % 80_000)),
          countryCode: isoCountryOf(marketplace?.key),
          addressType: business ? 'COMMERCIAL' : 'RESIDENTIAL',
        },
      },
    }),
    ...dataSet(included, 'PROCEEDS', { proceeds: { grandTotal: total } }),
    ...dataSet(included, 'FULFILLMENT', {
      fulfillment: {
        fulfillmentStatus: status,
        fulfilledBy: 'AMAZON',
        fulfillmentServiceLevel: 'STANDARD',
        shipByWindow: { earliestDateTime: iso(placedAt), latestDateTime: iso(placedAt + SHIP_BY_MS) },
      },
    }),
    orderItems: [itemOf(request, order, included, shipped)],
    ...dataSet(included, 'PACKAGES', {
      packages: shipped
        ? [{ packageReferenceId: '1', shipTime: iso(since), packageStatus: { status: 'SHIPPED' } }]
        : [],
    }),
  }
}
