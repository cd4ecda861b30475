import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn, daysOf } from '#shared/time.ts'
import type { DailySales } from '../../market/market.ts'
import type { ReportSubject } from './flat-files.ts'

type Sums = ReturnType<typeof sumOf>

function sumOf(days: readonly DailySales[]) {
  const total = (name: 'orders' | 'units' | 'salesMicros' | 'sessions' | 'pageViews'): number =>
    days.reduce((sum, day) => sum + day[name], 0)
  return {
    orders: total('orders'),
    units: total('units'),
    sales: total('salesMicros'),
    sessions: total('sessions'),
    pageViews: total('pageViews'),
  }
}

const round2 = (value: number): number => Math.round(value * 100) / 100
const share = (part: number, whole: number): number => (whole === 0 ? 0 : round2((part / whole) * 100))
const MOBILE = 0.6

function salesByDate(sum: Sums, money: (micros: number) => unknown, offers: number): Record<string, unknown> {
  const each = (count: number): number => (count === 0 ? 0 : sum.sales / count)
  return {
    salesByDate: {
      orderedProductSales: money(sum.sales),
      unitsOrdered: sum.units,
      totalOrderItems: sum.orders,
      averageSalesPerOrderItem: money(each(sum.orders)),
      averageUnitsPerOrderItem: sum.orders === 0 ? 0 : round2(sum.units / sum.orders),
      averageSellingPrice: money(each(sum.units)),
      unitsRefunded: 0,
      refundRate: 0,
      claimsGranted: 0,
      claimsAmount: money(0),
      shippedProductSales: money(sum.sales),
      unitsShipped: sum.units,
      ordersShipped: sum.orders,
    },
    trafficByDate: {
      ...visits(sum),
      buyBoxPercentage: 97.5,
      orderItemSessionPercentage: share(sum.orders, sum.sessions),
      unitSessionPercentage: share(sum.units, sum.sessions),
      averageOfferCount: offers,
      averageParentItems: offers,
      feedbackReceived: 0,
      negativeFeedbackReceived: 0,
      receivedNegativeFeedbackRate: 0,
    },
  }
}

function visits({ sessions, pageViews }: Sums): Record<string, number> {
  const [mobileSessions, mobileViews] = [Math.round(sessions * MOBILE), Math.round(pageViews * MOBILE)]
  return {
    browserPageViews: pageViews - mobileViews,
    mobileAppPageViews: mobileViews,
    pageViews,
    browserSessions: sessions - mobileSessions,
    mobileAppSessions: mobileSessions,
    sessions,
  }
}

function salesByAsin(sum: Sums, all: Sums, money: (micros: number) => unknown): Record<string, unknown> {
  const sessionShare = share(sum.sessions, all.sessions)
  const viewShare = share(sum.pageViews, all.pageViews)
  return {
    salesByAsin: { unitsOrdered: sum.units, orderedProductSales: money(sum.sales), totalOrderItems: sum.orders },
    trafficByAsin: {
      ...visits(sum),
      browserSessionPercentage: sessionShare,
      mobileAppSessionPercentage: sessionShare,
      sessionPercentage: sessionShare,
      browserPageViewsPercentage: viewShare,
      mobileAppPageViewsPercentage: viewShare,
      pageViewsPercentage: viewShare,
      buyBoxPercentage: 97.5,
      unitSessionPercentage: share(sum.units, sum.sessions),
    },
  }
}

/** Days grouped by day, by week from Sunday on, or by month. */
function spansOf(from: string, to: string, granularity: string): string[][] {
  const days = daysOf(from, to)
  if (granularity === 'DAY') return days.map(day => [day])
  const weekOf = (day: string): string => addDays(day, -new Date(`${day}T12:00:00Z`).getUTCDay())
  return [...Map.groupBy(days, day => (granularity === 'WEEK' ? weekOf(day) : day.slice(0, 7))).values()]
}

/** The sales and traffic report by day and by product, sales and visits as the market counted them. */
export function salesAndTraffic(subject: ReportSubject): string {
  const { sellerId, marketplaceId, market, options } = subject
  const facts = marketplaceByAmazonId(marketplaceId)
  const timezone = facts?.timezone ?? 'UTC'
  const money = (micros: number): unknown => ({
    amount: round2(fromMicros(micros)),
    currencyCode: facts?.currency ?? 'USD',
  })
  const [from, to] = [dayIn(subject.from, timezone), dayIn(subject.to, timezone)]
  const sales = market.salesByDay(sellerId, marketplaceId, from, to)
  const offers = new Set(sales.map(day => day.sku)).size
  const byDay = Map.groupBy(sales, day => day.day)
  const bySku = Map.groupBy(sales, day => day.sku)
  const { asinGranularity = 'PARENT', dateGranularity = 'DAY' } = options
  const spans = spansOf(from, to, dateGranularity)
  const all = sumOf(sales)
  return JSON.stringify({
    reportSpecification: {
      reportType: subject.reportType,
      reportOptions: { dateGranularity, asinGranularity },
      dataStartTime: from,
      dataEndTime: to,
      marketplaceIds: [marketplaceId],
    },
    salesAndTrafficByDate: spans.map(days => ({
      date: days[0],
      ...salesByDate(sumOf(days.flatMap(day => byDay.get(day) ?? [])), money, offers),
    })),
    salesAndTrafficByAsin: [...bySku.values()].map(days => ({
      parentAsin: days[0]?.asin,
      ...(asinGranularity === 'PARENT' ? {} : { childAsin: days[0]?.asin }),
      ...(asinGranularity === 'SKU' ? { sku: days[0]?.sku } : {}),
      ...salesByAsin(sumOf(days), all, money),
    })),
  })
}
