import {
  invalid,
  listOf,
  momentOf,
  notFound,
  offsetOf,
  ok,
  oneOf,
  type Operation,
  pageToken,
  type SpAnswer,
  type SpRequest,
} from '../operation.ts'
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
/** Nothing younger than this can be asked for. */
const SETTLED_MS = 2 * 60_000
/** An order changes for the last time when it is shipped, which takes less than this. */
const OLDEST_CHANGE_MS = 86_400_000

interface Window {
  name: 'created' | 'lastUpdated'
  after: number
  before: number
}

/** The one window of time that a search must name, or in a sentence why it names none. */
function windowOf({ query, now }: SpRequest): Window | string {
  const name = query.createdAfter === undefined ? 'lastUpdated' : 'created'
  const other = name === 'created' ? 'lastUpdated' : 'created'
  const after = momentOf(query[`${name}After`])
  if (after === null || query[`${other}After`] !== undefined || query[`${other}Before`] !== undefined)
    return 'exactly one of createdAfter and lastUpdatedAfter is needed, with its own Before only'
  const latest = now.getTime() - SETTLED_MS
  const before = momentOf(query[`${name}Before`]) ?? latest
  if (Number.isNaN(after) || Number.isNaN(before)) return 'a date-time is not valid'
  if (before < after || before > latest) return `${name}Before must be after ${name}After and two minutes ago`
  return { name, after, before }
}

function foundIn(request: SpRequest, marketplaceIds: readonly string[], window: Window): PlacedOrder[] {
  const now = request.now.getTime()
  const placed = (from: number): PlacedOrder[] =>
    marketplaceIds.flatMap(id => ordersOf(request, id, from, window.before + 1)).sort((a, b) => a.placedAt - b.placedAt)
  if (window.name === 'created') return placed(window.after)
  return placed(window.after - OLDEST_CHANGE_MS)
    .map(order => ({ order, since: progressOf(order, now).since }))
    .filter(({ since }) => since >= window.after && since <= window.before)
    .sort((a, b) => a.since - b.since)
    .map(({ order }) => order)
}

function search(request: SpRequest): SpAnswer {
  const { query, seller, now } = request
  const named = listOf(query.marketplaceIds)
  const marketplaceIds = named.length > 0 ? named : seller.marketplaceIds
  const [included, wanted, by] = [query.includedData, query.fulfillmentStatuses, query.fulfilledBy].map(listOf)
  const size = Number(oneOf(query.maxResultsPerPage) ?? 100)
  const offset = offsetOf(oneOf(query.paginationToken))
  const window = windowOf(request)
  if (typeof window === 'string') return invalid(window)
  if (!marketplaceIds.every(id => seller.marketplaceIds.includes(id))) return invalid('marketplaceIds are not yours')
  if (!included?.every(part => dataSets.has(part))) return invalid('includedData is not valid')
  if (!wanted?.every(status => statuses.has(status))) return invalid('fulfillmentStatuses are not valid')
  if (!by?.every(party => ['AMAZON', 'MERCHANT'].includes(party))) return invalid('fulfilledBy is not valid')
  if (!Number.isInteger(size) || size < 1 || size > 100) return invalid('maxResultsPerPage must be 1 to 100')
  if (offset === null) return invalid('paginationToken is not valid')
  const found = foundIn(request, marketplaceIds, window).filter(
    order =>
      (wanted.length === 0 || wanted.includes(progressOf(order, now.getTime()).status)) &&
      (by.length === 0 || by.includes('AMAZON')),
  )
  return ok({
    orders: found.slice(offset, offset + size).map(order => wireOfOrder(request, order, included)),
    ...(offset + size < found.length && { pagination: { nextToken: pageToken(offset + size) } }),
    [`${window.name}Before`]: new Date(window.before).toISOString(),
  })
}

function get(request: SpRequest): SpAnswer {
  const included = listOf(request.query.includedData)
  if (!included.every(part => dataSets.has(part))) return invalid('includedData is not valid')
  const order = orderWithId(request, request.path.orderId ?? '')
  return order ? ok({ order: wireOfOrder(request, order, included) }) : notFound(`Order ${request.path.orderId}`)
}

/** Single orders, made of the market's counts; buyers' names only for a restricted data token. */
export const orderOperations: Operation[] = [
  { id: 'searchOrders', method: 'GET', url: '/orders/2026-01-01/orders', rate: 0.0056, burst: 20, answer: search },
  { id: 'getOrder', method: 'GET', url: '/orders/2026-01-01/orders/:orderId', rate: 0.5, burst: 30, answer: get },
]
