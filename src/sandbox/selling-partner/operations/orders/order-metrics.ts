import { tz, TZDate, tzOffset } from '@date-fns/tz'
import {
  addDays,
  addMonths,
  addWeeks,
  addYears,
  format,
  startOfDay,
  startOfMonth,
  startOfWeek,
  startOfYear,
} from 'date-fns'
import { check, DAY_MS, ok, operation, type SpRequest } from '../operation.ts'
import { amountOf } from '../product-fields.ts'
import { ordersOf, type PlacedOrder } from './search-orders.ts'

const HOUR_MS = 3_600_000

/** When the hour, day … around a moment ends in a time zone, by granularity. */
const endOf: Record<string, (at: number, zone: { in: ReturnType<typeof tz>; weekStartsOn: 0 | 1 }) => number> = {
  Hour: at => (Math.floor(at / HOUR_MS) + 1) * HOUR_MS,
  Day: (at, zone) => startOfDay(addDays(at, 1, zone), zone).getTime(),
  Week: (at, zone) => startOfWeek(addWeeks(at, 1, zone), zone).getTime(),
  Month: (at, zone) => startOfMonth(addMonths(at, 1, zone), zone).getTime(),
  Year: (at, zone) => startOfYear(addYears(at, 1, zone), zone).getTime(),
  Total: () => Infinity,
}
const granularities = Object.keys(endOf)

function filterOf({ query }: SpRequest): (order: PlacedOrder) => boolean {
  const [asin, sku] = [query.one('asin'), query.one('sku')]
  const buyer = query.one('buyerType') ?? 'All'
  const network = query.one('fulfillmentNetwork')
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
    !query.has('amazonProgram')
}

function answer(request: SpRequest) {
  const { query, now, seller } = request
  const marketplaceId = query.oneMarketplace(seller)
  const [start = '', end = ''] = (query.one('interval') ?? '').split('--')
  const [from, to] = [Date.parse(start), Date.parse(end)]
  const granularity = query.one('granularity') ?? ''
  const firstDay = query.one('firstDayOfWeek') ?? 'Monday'
  check(from < to, 'interval must be two times joined by --, the first before the second')
  check(granularities.includes(granularity), `granularity must be one of ${granularities.join(', ')}`)
  // With Hour and Total, the interval's own offset applies.
  const ownZone = /[+-]\d\d:?\d\d$/.exec(start)?.[0] ?? 'UTC'
  const zone = query.one('granularityTimeZone') ?? (['Hour', 'Total'].includes(granularity) ? ownZone : null)
  check(zone !== null, 'granularityTimeZone is required when granularity is greater than Hour')
  const offset = tzOffset(zone, new Date(from))
  check(!Number.isNaN(offset), 'granularityTimeZone is not valid')
  check(offset === tzOffset(ownZone, new Date(from)), 'granularityTimeZone must align with the offset of the interval')
  check(['Monday', 'Sunday'].includes(firstDay), 'firstDayOfWeek must be Monday or Sunday')
  check(
    from >= now.getTime() - (granularity === 'Hour' ? 30 : 730) * DAY_MS,
    granularity === 'Hour' ? 'an Hour interval may begin 30 days ago' : 'an interval may begin two years ago',
  )
  const orders = ordersOf(request, marketplaceId, from, to).filter(filterOf(request))
  const text = (at: number): string => format(new TZDate(at, zone), "yyyy-MM-dd'T'HH:mmXXX")
  const payload: object[] = []
  for (let at = from; at < to; ) {
    // The first and last part can be shorter.
    const next = Math.min(
      to,
      endOf[granularity]?.(at, { in: tz(zone), weekStartsOn: firstDay === 'Sunday' ? 0 : 1 }) ?? to,
    )
    const placed = orders.filter(order => order.placedAt >= at && order.placedAt < next)
    const units = placed.reduce((sum, order) => sum + order.units, 0)
    const sales = placed.reduce((sum, order) => sum + order.units * order.unitMicros, 0)
    payload.push({
      interval: `${text(at)}--${text(next)}`,
      unitCount: units,
      orderItemCount: placed.length,
      orderCount: placed.length,
      averageUnitPrice: amountOf(units === 0 ? 0 : sales / units, marketplaceId),
      totalSales: amountOf(sales, marketplaceId),
    })
    at = next
  }
  return ok({ payload })
}

export const orderMetricOperations = [operation('getOrderMetrics', 'GET /sales/v1/orderMetrics', 0.5, 15, answer)]
