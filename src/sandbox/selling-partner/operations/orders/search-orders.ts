import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { check, iso, notFound, offsetIn, ok, operation, pageToken, type SpRequest } from '../operation.ts'
import { ordersOf, orderWithId, type PlacedOrder } from './order-store.ts'
import { mix } from '../../../market/random.ts'
import { amountOf, isoCountryOf, marketplaceNameOf } from '../product-fields.ts'

const PENDING_MS = 30 * 60_000
const PACKING_MS = 20 * 3_600_000
const SHIP_BY_MS = 48 * 3_600_000

/** An order's fulfilment status, and since when it has it. */
function progressOf(
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
function wireOfOrder(request: SpRequest, order: PlacedOrder, included: readonly string[]): object {
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

const dataSets = new Set(
  'BUYER RECIPIENT PROCEEDS EXPENSE PROMOTION CANCELLATION FULFILLMENT PACKAGES TAX PAYMENT FULFILLMENT_ORDERS'.split(
    ' ',
  ),
)
const statuses = new Set(
  'PENDING_AVAILABILITY PENDING UNSHIPPED PARTIALLY_SHIPPED SHIPPED CANCELLED UNFULFILLABLE'.split(' '),
)
const fulfillers = new Set(['AMAZON', 'MERCHANT'])
/** Orders younger than this cannot be requested. */
const SETTLED_MS = 2 * 60_000

function periodOf({ query, now }: SpRequest) {
  const [name, other] = query.has('createdAfter') ? ['created', 'lastUpdated'] : ['lastUpdated', 'created']
  const after = query.moment(`${name}After`)
  check(
    after !== null && !query.has(`${other}After`) && !query.has(`${other}Before`),
    'exactly one of createdAfter and lastUpdatedAfter is needed, with its own Before only',
  )
  const latest = now.getTime() - SETTLED_MS
  const before = query.moment(`${name}Before`) ?? latest
  check(!Number.isNaN(after) && !Number.isNaN(before), 'a date-time is not valid')
  check(before >= after && before <= latest, `${name}Before must be after ${name}After and two minutes ago`)
  return { name, after, before }
}

function findOrders(
  request: SpRequest,
  marketplaceIds: readonly string[],
  { name, after, before }: ReturnType<typeof periodOf>,
): PlacedOrder[] {
  const now = request.now.getTime()
  const placedSince = (from: number): PlacedOrder[] =>
    marketplaceIds.flatMap(id => ordersOf(request, id, from, before + 1)).sort((a, b) => a.placedAt - b.placedAt)
  if (name === 'created') return placedSince(after)
  // An order changes for the last time when it is shipped.
  return placedSince(after - PACKING_MS)
    .map(order => ({ order, since: progressOf(order, now).since }))
    .filter(({ since }) => since >= after && since <= before)
    .sort((a, b) => a.since - b.since)
    .map(({ order }) => order)
}

const includedIn = ({ query }: SpRequest): string[] => query.list('includedData', dataSets, 'includedData is not valid')

function search(request: SpRequest) {
  const { query, seller, now } = request
  const period = periodOf(request)
  const own = new Set(seller.marketplaceIds)
  const marketplaceIds = query.list('marketplaceIds', own, 'marketplaceIds are not yours')
  const included = includedIn(request)
  const requestedStatuses = query.list('fulfillmentStatuses', statuses, 'fulfillmentStatuses are not valid')
  const fulfilledBy = query.list('fulfilledBy', fulfillers, 'fulfilledBy is not valid')
  const size = query.pageSize('maxResultsPerPage', 100, 100, 'maxResultsPerPage must be 1 to 100')
  const offset = offsetIn(query.one('paginationToken'), 'paginationToken is not valid')
  const found = findOrders(request, marketplaceIds.length > 0 ? marketplaceIds : seller.marketplaceIds, period).filter(
    order =>
      (requestedStatuses.length === 0 || requestedStatuses.includes(progressOf(order, now.getTime()).status)) &&
      (fulfilledBy.length === 0 || fulfilledBy.includes('AMAZON')),
  )
  return ok({
    orders: found.slice(offset, offset + size).map(order => wireOfOrder(request, order, included)),
    ...(offset + size < found.length && { pagination: { nextToken: pageToken(offset + size) } }),
    [`${period.name}Before`]: iso(period.before),
  })
}

function get(request: SpRequest) {
  const included = includedIn(request)
  const order = orderWithId(request, request.path.orderId ?? '')
  if (!order) throw notFound(`Order ${request.path.orderId}`)
  return ok({ order: wireOfOrder(request, order, included) })
}

/** Single orders, made from the market's counts. Buyers' names need a restricted data token. */
export const orderOperations = [
  operation('searchOrders', 'GET /orders/2026-01-01/orders', 0.0056, 20, search),
  operation('getOrder', 'GET /orders/2026-01-01/orders/:orderId', 0.5, 30, get),
]
