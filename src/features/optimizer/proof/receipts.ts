import { addDays, daysBetween, daysOf } from '#shared/time.ts'
import { boundsOf, forecastDays, withBids } from '../engine/forecast.ts'
import { settledAfter } from '../engine/lag.ts'
import type { DayForecast } from '../engine/decisions.ts'
import type { DayFigures } from '../engine/facts.ts'

// The receipt of a change: what its forecast said, and what came. It says whether clicks and their price came as expected,
// and nothing about money saved: one word has too few orders for that.

export type ReceiptFigure = 'CLICKS' | 'CPC' | 'ORDERS'
/** `actual` of a mean day: clicks, micros of a click, orders; null while it has not settled, or where nothing was clicked. */
export interface FigureReceipt {
  figure: ReceiptFigure
  low: number
  high: number
  actual: number | null
}

export interface Receipt {
  verdict: 'AS_EXPECTED' | 'NOT_AS_EXPECTED' | 'TOO_EARLY'
  /** Why it is too early, for good where too few clicks are to be expected. */
  tooEarly: 'NOT_SETTLED' | 'FEW_CLICKS' | null
  /** The figure that is outside of its band, the farther one of two. */
  decidedBy: ReceiptFigure | null
  /** The days that are judged, both included. */
  from: string
  to: string
  figures: FigureReceipt[]
}

/** Clicks are corrected within 72 hours. */
const clicksSettleDays = 4
/** Of fewer clicks, almost every number is within the band. */
const leastClicks = 10

/** A later change of the same value: the day, and the new value as a multiple of the one that is judged. */
export interface LaterChange {
  on: string
  multiple: number
}

/**
 * Holds what came against the forecast of a change: the 14 days after the one on which it took effect. Changes since then, by
 * anybody, are allowed for: those values are not judged by fewer days, since bids that get clicks are changed again sooner.
 * Clicks and the price of a click decide, each within the bounds in which both are in 80 of 100 cases. Orders, once they have
 * settled (`windowDays` is 7 or 14), are only shown with their band. Days without figures may be missing.
 */
export function receiptOf({
  forecast,
  changedOn,
  later = [],
  days,
  windowDays,
  today,
}: {
  forecast: DayForecast
  changedOn: string
  /** In the order of their days. */
  later?: readonly LaterChange[]
  days: readonly DayFigures[]
  windowDays: number
  today: string
}): Receipt {
  const from = addDays(changedOn, 1)
  const to = addDays(changedOn, forecastDays)
  const early = (tooEarly: Receipt['tooEarly']): Receipt => ({
    verdict: 'TOO_EARLY',
    tooEarly,
    decidedBy: null,
    from,
    to,
    figures: [],
  })
  if (daysBetween(to, today) < clicksSettleDays) return early('NOT_SETTLED')
  const multiples = daysOf(from, to).map(day => later.findLast(({ on }) => on < day)?.multiple ?? 1)
  const isChanged = multiples.some(one => one !== 1)
  const expected = isChanged ? withBids(forecast, multiples) : forecast
  if (expected.clicks * forecastDays < leastClicks) return early('FEW_CLICKS')
  const sum = { clicks: 0, costMicros: 0, orders: 0 }
  for (const { day, clicks, costMicros, orders } of days) {
    if (day < from || day > to) continue
    sum.clicks += clicks
    sum.costMicros += costMicros
    sum.orders += orders
  }
  const { low, high } = isChanged ? boundsOf(expected, forecastDays) : forecast
  const hasOrders = daysBetween(to, today) >= settledAfter(windowDays)
  const clicks: FigureReceipt = {
    figure: 'CLICKS',
    low: low.clicks,
    high: high.clicks,
    actual: sum.clicks / forecastDays,
  }
  const price: FigureReceipt = {
    figure: 'CPC',
    low: low.clickMicros,
    high: high.clickMicros,
    actual: sum.clicks > 0 ? sum.costMicros / sum.clicks : null,
  }
  const orders: FigureReceipt = {
    figure: 'ORDERS',
    low: low.orders,
    high: high.orders,
    actual: hasOrders ? sum.orders / forecastDays : null,
  }
  const [farthest] = [clicks, price]
    .map(one => ({ figure: one.figure, miss: missOf(one) }))
    .filter(({ miss }) => miss > 0)
    .toSorted((a, b) => b.miss - a.miss)
  return {
    verdict: farthest ? 'NOT_AS_EXPECTED' : 'AS_EXPECTED',
    tooEarly: null,
    decidedBy: farthest?.figure ?? null,
    from,
    to,
    figures: [clicks, price, orders],
  }
}

/** How far a figure is outside of its band, in widths of the band; 0 within. */
function missOf({ low, high, actual }: FigureReceipt): number {
  if (actual === null) return 0
  return Math.max(0, low - actual, actual - high) / Math.max(high - low, Number.EPSILON)
}
