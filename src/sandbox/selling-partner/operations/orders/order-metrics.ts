import { check, invalid, ok, type Operation, operation, type SpAnswer, type SpRequest } from '../operation.ts'
import { amountOf, currencyOf } from '../product-fields.ts'
import { oneMarketplaceOf, oneOf } from '../read-request.ts'
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

type Filter = (order: PlacedOrder) => boolean

function filterOf({ query }: SpRequest): Filter {
  const [asin, sku] = [oneOf(query.asin), oneOf(query.sku)]
  const buyer = oneOf(query.buyerType) ?? 'All'
  const network = oneOf(query.fulfillmentNetwork)
  check(
    !(asin && sku) && ['B2B', 'B2C', 'All'].includes(buyer) && ['AFN', 'MFN', undefined].includes(network),
    'asin with sku, buyerType or fulfillmentNetwork is not valid',
  )
  return order =>
    (!asin || order.asin === asin) &&
    (!sku || order.sku === sku) &&
    (buyer === 'All' || order.business === (buyer === 'B2B')) &&
    // Everything ships from the marketplace's own warehouses, and nothing belongs to another program.
    network !== 'MFN' &&
    query.amazonProgram === undefined
}

const isGranularity = (value: string | undefined): value is Granularity => granularities.some(one => one === value)

function answer(request: SpRequest): SpAnswer {
  const { query, now } = request
  const marketplaceId = oneMarketplaceOf(request)
  const [start = '', end = ''] = (oneOf(query.interval) ?? '').split('--')
  const [from, to] = [Date.parse(start), Date.parse(end)]
  const granularity = oneOf(query.granularity)
  // With Hour and Total, the interval's own offset applies.
  const timezone = oneOf(query.granularityTimeZone) ?? null
  const firstDay = oneOf(query.firstDayOfWeek) ?? 'Monday'
  check(from < to, 'interval must be two times joined by --, the first before the second')
  if (!isGranularity(granularity)) throw invalid(`granularity must be one of ${granularities.join(', ')}`)
  const needsTimezone = granularity !== 'Hour' && granularity !== 'Total'
  check(timezone !== null || !needsTimezone, 'granularityTimeZone is required when granularity is greater than Hour')
  const offset = timezone === null ? offsetIn(start) : offsetMinutes(timezone, from)
  check(!Number.isNaN(offset), 'granularityTimeZone is not valid')
  check(offset === offsetIn(start), 'granularityTimeZone must align with the offset of the interval')
  check(['Monday', 'Sunday'].includes(firstDay), 'firstDayOfWeek must be Monday or Sunday')
  check(
    from >= now.getTime() - (granularity === 'Hour' ? 30 : 730) * DAY_MS,
    granularity === 'Hour' ? 'an Hour interval may begin 30 days ago' : 'an interval may begin two years ago',
  )
  const filter = filterOf(request)
  const currency = currencyOf(marketplaceId)
  const orders = ordersOf(request, marketplaceId, from, to).filter(filter)
  const text = (at: number): string => momentText(at, timezone === null ? offset : offsetMinutes(timezone, at))
  const intervals = cutInterval(from, to, granularity, timezone ?? 'UTC', firstDay === 'Sunday')
  const payload = intervals.map(([first, last]) => {
    const placed = orders.filter(order => order.placedAt >= first && order.placedAt < last)
    const units = placed.reduce((sum, order) => sum + order.units, 0)
    const sales = placed.reduce((sum, order) => sum + order.units * order.unitMicros, 0)
    return {
      interval: `${text(first)}--${text(last)}`,
      unitCount: units,
      orderItemCount: placed.length,
      orderCount: placed.length,
      averageUnitPrice: amountOf(units === 0 ? 0 : sales / units, currency),
      totalSales: amountOf(sales, currency),
    }
  })
  return ok({ payload })
}

/** What was sold, by the hour, day, week, month or year of a time zone. */
export const orderMetricOperations: Operation[] = [
  operation('getOrderMetrics', 'GET /sales/v1/orderMetrics', 0.5, 15, answer),
]
