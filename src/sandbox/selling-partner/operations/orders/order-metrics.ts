import {
  amountOf,
  currencyOf,
  invalid,
  marketplacesOf,
  ok,
  oneOf,
  type Operation,
  type SpAnswer,
  type SpRequest,
} from '../operation.ts'
import {
  cutInterval,
  granularities,
  type Granularity,
  momentText,
  offsetIn,
  offsetMinutes,
} from './metric-intervals.ts'
import { ordersOf, type PlacedOrder } from './order-store.ts'

const DAY_MS = 86_400_000

interface Asked {
  marketplaceId: string
  granularity: Granularity
  from: number
  to: number
  /** Null with Hour and Total, where the interval's own offset serves. */
  timezone: string | null
  offset: number
  sundayFirst: boolean
  keep: (order: PlacedOrder) => boolean
}

function filterOf({ query }: SpRequest): Asked['keep'] | null {
  const [asin, sku] = [oneOf(query.asin), oneOf(query.sku)]
  const buyer = oneOf(query.buyerType) ?? 'All'
  const network = oneOf(query.fulfillmentNetwork)
  if ((asin && sku) || !['B2B', 'B2C', 'All'].includes(buyer)) return null
  if (network !== undefined && !['AFN', 'MFN'].includes(network)) return null
  return order =>
    (!asin || order.asin === asin) &&
    (!sku || order.sku === sku) &&
    (buyer === 'All' || order.business === (buyer === 'B2B')) &&
    // Everything here ships from the marketplace's own warehouses, and nothing is of a further program.
    network !== 'MFN' &&
    query.amazonProgram === undefined
}

const isGranularity = (value: string | undefined): value is Granularity => granularities.some(one => one === value)

/** What a request asks, or in a sentence what is wrong with it. */
function read(request: SpRequest): Asked | string {
  const { query, now } = request
  const [marketplaceId, more] = marketplacesOf(request) ?? []
  const [start = '', end = ''] = (oneOf(query.interval) ?? '').split('--')
  const [from, to] = [Date.parse(start), Date.parse(end)]
  const granularity = oneOf(query.granularity)
  const timezone = oneOf(query.granularityTimeZone) ?? null
  const firstDay = oneOf(query.firstDayOfWeek) ?? 'Monday'
  const keep = filterOf(request)
  if (!marketplaceId || more !== undefined) return 'marketplaceIds must name one marketplace of yours'
  if (!(from < to)) return 'interval must be two times joined by --, the first before the second'
  if (!isGranularity(granularity)) return `granularity must be one of ${granularities.join(', ')}`
  const named = granularity !== 'Hour' && granularity !== 'Total'
  if (timezone === null && named) return 'granularityTimeZone is required when granularity is greater than Hour'
  const offset = timezone === null ? offsetIn(start) : offsetMinutes(timezone, from)
  if (Number.isNaN(offset)) return 'granularityTimeZone is not valid'
  if (offset !== offsetIn(start)) return 'granularityTimeZone must align with the offset of the interval'
  if (!['Monday', 'Sunday'].includes(firstDay)) return 'firstDayOfWeek must be Monday or Sunday'
  if (from < now.getTime() - (granularity === 'Hour' ? 30 : 730) * DAY_MS)
    return granularity === 'Hour' ? 'an Hour interval may begin 30 days ago' : 'an interval may begin two years ago'
  if (!keep) return 'asin with sku, buyerType or fulfillmentNetwork is not valid'
  const sundayFirst = firstDay === 'Sunday'
  return { marketplaceId, granularity, from, to, timezone, offset, sundayFirst, keep }
}

function answer(request: SpRequest): SpAnswer {
  const asked = read(request)
  if (typeof asked === 'string') return invalid(asked)
  const { marketplaceId, granularity, from, to, timezone, offset, sundayFirst, keep } = asked
  const currency = currencyOf(marketplaceId)
  const orders = ordersOf(request, marketplaceId, from, to).filter(keep)
  const written = (at: number): string => momentText(at, timezone === null ? offset : offsetMinutes(timezone, at))
  const payload = cutInterval(from, to, granularity, timezone ?? 'UTC', sundayFirst).map(([start, end]) => {
    const those = orders.filter(order => order.placedAt >= start && order.placedAt < end)
    const units = those.reduce((sum, order) => sum + order.units, 0)
    const sales = those.reduce((sum, order) => sum + order.units * order.unitMicros, 0)
    return {
      interval: `${written(start)}--${written(end)}`,
      unitCount: units,
      orderItemCount: those.length,
      orderCount: those.length,
      averageUnitPrice: amountOf(units === 0 ? 0 : sales / units, currency),
      totalSales: amountOf(sales, currency),
    }
  })
  return ok({ payload })
}

/** What was sold, by the hour, day, week, month or year of a time zone. */
export const orderMetricOperations: Operation[] = [
  { id: 'getOrderMetrics', method: 'GET', url: '/sales/v1/orderMetrics', rate: 0.5, burst: 15, answer },
]
