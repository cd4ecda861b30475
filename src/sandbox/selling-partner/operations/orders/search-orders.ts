import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { check, iso, notFound, offsetIn, ok, operation, pageToken, type SpRequest } from '../operation.ts'
import { mix, hashText } from '../../../market/random.ts'
import { amountOf, isoCountryOf, marketplaceNameOf, productsOf } from '../product-fields.ts'

const HOUR_MS = 3_600_000

/** One order as it was placed. Its current state follows from its age. */
export interface PlacedOrder {
  orderId: string
  marketplaceId: string
  placedAt: number
  sku: string
  asin: string
  units: number
  unitMicros: number
  business: boolean
  /** The order's other properties are drawn from it. */
  seed: number
}

const BUSINESS_SHARE = 0.12

const SEVEN_DIGITS = 10_000_000
// Each is the other's inverse modulo seven digits, so that a number that looks random encodes an hour.
const [SCATTER, GATHER] = [4_782_969, 7_613_129]

const digits = (value: number): string => String(value % SEVEN_DIGITS).padStart(7, '0')

/** An order's number. Its middle part encodes the hour, so that an order is found without searching all. */
const orderIdOf = (hour: number, seed: number): string =>
  `${111 + (mix(seed, 1) % 9)}-${digits(hour * SCATTER)}-${digits(mix(seed, 3))}`

/** The order of the seller with this number; undefined when there is none. */
function orderWithId(request: SpRequest, orderId: string): PlacedOrder | undefined {
  const middle = /^\d{3}-(\d{7})-\d{7}$/.exec(orderId)?.[1]
  if (middle === undefined) return undefined
  const from = ((Number(middle) * GATHER) % SEVEN_DIGITS) * HOUR_MS
  return request.seller.marketplaceIds
    .flatMap(id => ordersOf(request, id, from, from + HOUR_MS))
    .find(order => order.orderId === orderId)
}

/**
 * The seller's orders placed from `from` on and before `to`, oldest first. The market counts orders by the hour; each
 * gets its minute, number and buyer from its position in that hour, so that it is the same on every request.
 */
export function ordersOf(request: SpRequest, marketplaceId: string, from: number, to: number): PlacedOrder[] {
  const { seller, world } = request
  const positions = new Map<string, number>()
  const hours = world
    .market()
    .ordersByHour(
      seller.sellerId,
      marketplaceId,
      new Date(Math.floor(from / HOUR_MS) * HOUR_MS),
      new Date(Math.min(to, request.now.getTime())),
    )
  const prices = new Map(productsOf(request, marketplaceId).map(product => [product.sku, product.priceMicros]))
  const placed = hours.flatMap(({ sku, asin, hour, orders, units, salesMicros }) =>
    Array.from({ length: orders }, (_, i): PlacedOrder => {
      const key = `${seller.sellerId}|${marketplaceId}|${sku}|${hour}`
      const position = positions.get(key) ?? 0
      positions.set(key, position + 1)
      const seed = mix(hashText(key, 11), position)
      return {
        orderId: orderIdOf(hour, seed),
        marketplaceId,
        placedAt: hour * HOUR_MS + (mix(seed, 4) % 3600) * 1000,
        sku,
        asin,
        // Nearly every order is for one unit. The first order of the hour gets the units sold beyond that.
        units: 1 + (i === 0 ? units - orders : 0),
        unitMicros: units > 0 ? salesMicros / units : (prices.get(sku) ?? 0),
        business: (mix(seed, 5) % 1000) / 1000 < BUSINESS_SHARE,
        seed,
      }
    }),
  )
  return placed
    .filter(order => order.placedAt >= from && order.placedAt < to)
    .sort((a, b) => a.placedAt - b.placedAt || (a.orderId < b.orderId ? -1 : 1))
}

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
