import { check, DAY_MS, iso, notFound, offsetIn, ok, operation, pageToken, type SpRequest } from '../operation.ts'
import { ordersOf, orderWithId, type PlacedOrder } from './order-store.ts'
import { progressOf, wireOfOrder } from './order-wire.ts'

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
/** An order changes for the last time when it is shipped, which takes less than this. */
const OLDEST_CHANGE_MS = DAY_MS

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
  return placedSince(after - OLDEST_CHANGE_MS)
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
