import { check, notFound, ok, type Operation, operation, type SpAnswer, type SpRequest } from '../operation.ts'
import { listOf, momentOf, offsetOf, oneOf, pageSizeOf, pageToken } from '../read-request.ts'
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
/** Orders younger than this cannot be requested. */
const SETTLED_MS = 2 * 60_000
/** An order changes for the last time when it is shipped, which takes less than this. */
const OLDEST_CHANGE_MS = 86_400_000

interface Period {
  name: 'created' | 'lastUpdated'
  after: number
  before: number
}

/** The one period that a search must name. */
function periodOf({ query, now }: SpRequest): Period {
  const name = query.createdAfter === undefined ? 'lastUpdated' : 'created'
  const other = name === 'created' ? 'lastUpdated' : 'created'
  const after = momentOf(query[`${name}After`])
  check(
    after !== null && query[`${other}After`] === undefined && query[`${other}Before`] === undefined,
    'exactly one of createdAfter and lastUpdatedAfter is needed, with its own Before only',
  )
  const latest = now.getTime() - SETTLED_MS
  const before = momentOf(query[`${name}Before`]) ?? latest
  check(!Number.isNaN(after) && !Number.isNaN(before), 'a date-time is not valid')
  check(before >= after && before <= latest, `${name}Before must be after ${name}After and two minutes ago`)
  return { name, after, before }
}

function findOrders(request: SpRequest, marketplaceIds: readonly string[], period: Period): PlacedOrder[] {
  const now = request.now.getTime()
  const placedSince = (from: number): PlacedOrder[] =>
    marketplaceIds.flatMap(id => ordersOf(request, id, from, period.before + 1)).sort((a, b) => a.placedAt - b.placedAt)
  if (period.name === 'created') return placedSince(period.after)
  return placedSince(period.after - OLDEST_CHANGE_MS)
    .map(order => ({ order, since: progressOf(order, now).since }))
    .filter(({ since }) => since >= period.after && since <= period.before)
    .sort((a, b) => a.since - b.since)
    .map(({ order }) => order)
}

function search(request: SpRequest): SpAnswer {
  const { query, seller, now } = request
  const requestedIds = listOf(query.marketplaceIds)
  const marketplaceIds = requestedIds.length > 0 ? requestedIds : seller.marketplaceIds
  const included = listOf(query.includedData)
  const [requestedStatuses, fulfilledBy] = [listOf(query.fulfillmentStatuses), listOf(query.fulfilledBy)]
  const period = periodOf(request)
  check(
    marketplaceIds.every(id => seller.marketplaceIds.includes(id)),
    'marketplaceIds are not yours',
  )
  checkDataSets(included)
  check(
    requestedStatuses.every(status => statuses.has(status)),
    'fulfillmentStatuses are not valid',
  )
  check(
    fulfilledBy.every(one => ['AMAZON', 'MERCHANT'].includes(one)),
    'fulfilledBy is not valid',
  )
  const size = pageSizeOf(query.maxResultsPerPage, 100, 100, 'maxResultsPerPage must be 1 to 100')
  const offset = offsetOf(oneOf(query.paginationToken), 'paginationToken is not valid')
  const found = findOrders(request, marketplaceIds, period).filter(
    order =>
      (requestedStatuses.length === 0 || requestedStatuses.includes(progressOf(order, now.getTime()).status)) &&
      (fulfilledBy.length === 0 || fulfilledBy.includes('AMAZON')),
  )
  return ok({
    orders: found.slice(offset, offset + size).map(order => wireOfOrder(request, order, included)),
    ...(offset + size < found.length && { pagination: { nextToken: pageToken(offset + size) } }),
    [`${period.name}Before`]: new Date(period.before).toISOString(),
  })
}

function get(request: SpRequest): SpAnswer {
  const included = listOf(request.query.includedData)
  checkDataSets(included)
  const order = orderWithId(request, request.path.orderId ?? '')
  if (!order) throw notFound(`Order ${request.path.orderId}`)
  return ok({ order: wireOfOrder(request, order, included) })
}

function checkDataSets(included: readonly string[]): void {
  return check(
    included.every(name => dataSets.has(name)),
    'includedData is not valid',
  )
}

/** Single orders, made from the market's counts. Buyers' names need a restricted data token. */
export const orderOperations: Operation[] = [
  operation('searchOrders', 'GET /orders/2026-01-01/orders', 0.0056, 20, search),
  operation('getOrder', 'GET /orders/2026-01-01/orders/:orderId', 0.5, 30, get),
]
