import { addDays, dayIn, daysOf, startOfDayIn } from '#shared/time.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { currencyDigits, fromMicros } from '#shared/money.ts'
import type { TradeDay } from '../../market/market.ts'
import { invalid, marketplacesOf, ok, oneOf, type Operation, type SpRequest } from './operation.ts'

const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`

/** Start of a local day as this API writes it: 2019-08-01T00:00-07:00. */
const startText = (day: string, timezone: string): string => {
  const utc = startOfDayIn(day, timezone).getTime()
  return `${day}T00:00${offsetText(Math.round((Date.parse(`${day}T00:00:00Z`) - utc) / 60_000))}`
}

const metricOf = (
  from: string,
  to: string,
  timezone: string,
  currencyCode: string,
  trade: readonly TradeDay[],
): Record<string, unknown> => {
  const units = trade.reduce((sum, day) => sum + day.units, 0)
  const orders = trade.reduce((sum, day) => sum + day.orders, 0)
  const sales = trade.reduce((sum, day) => sum + day.salesMicros, 0)
  const money = (micros: number): { amount: string; currencyCode: string } => ({
    amount: fromMicros(micros).toFixed(currencyDigits(currencyCode)),
    currencyCode,
  })
  return {
    interval: `${startText(from, timezone)}--${startText(addDays(to, 1), timezone)}`,
    unitCount: units,
    orderItemCount: orders,
    orderCount: orders,
    averageUnitPrice: money(units === 0 ? 0 : sales / units),
    totalSales: money(sales),
  }
}

const answer = (request: SpRequest): ReturnType<Operation['answer']> => {
  const { query, market, seller } = request
  const marketplaceId = marketplacesOf(request)?.[0]
  const facts = marketplaceByAmazonId(marketplaceId ?? '')
  const [start, end] = (oneOf(query.interval) ?? '').split('--').map(text => Date.parse(text))
  const granularity = oneOf(query.granularity)
  if (!marketplaceId || !facts) return invalid('marketplaceIds are missing or not yours')
  if (start === undefined || end === undefined || !(start < end))
    return invalid('interval must be two times joined by --')
  if (granularity !== 'Day' && granularity !== 'Total') return invalid('granularity must be Day or Total here')
  const timezone = oneOf(query.granularityTimeZone) ?? facts.timezone
  const from = dayIn(new Date(start), timezone)
  const to = dayIn(new Date(end - 1), timezone)
  const wanted = { asin: oneOf(query.asin), sku: oneOf(query.sku) }
  const trade = market
    .trade(seller.sellerId, marketplaceId, from, to)
    .filter(day => (!wanted.asin || day.asin === wanted.asin) && (!wanted.sku || day.sku === wanted.sku))
  const metric = (first: string, last: string): Record<string, unknown> =>
    metricOf(
      first,
      last,
      timezone,
      facts.currency,
      trade.filter(({ day }) => day >= first && day <= last),
    )
  return ok({ payload: granularity === 'Total' ? [metric(from, to)] : daysOf(from, to).map(day => metric(day, day)) })
}

export const orderMetricOperations: Operation[] = [
  { id: 'getOrderMetrics', method: 'GET', url: '/sales/v1/orderMetrics', rate: 0.5, burst: 15, answer },
]
