import { describe, expect, test } from 'vitest'
import { createRandom, normal, poisson, type Random } from '#shared/random.ts'
import { addDays, daysOf } from '#shared/time.ts'
import type { ClickWorth } from '../engine/estimate.ts'
import { forecastBid } from '../engine/forecast.ts'
import type { DayForecast } from '../engine/decisions.ts'
import type { DayFigures } from '../engine/facts.ts'
import { dollars, target } from '../engine/test-facts.ts'
import { type LaterChange, type Receipt, receiptOf } from './receipts.ts'

const changedOn = '2026-06-01'

/** A market in which a bid of `bid` gets so many clicks a day at a price, by curves and drifts that the engine does not know. */
function market(random: Random, clicks: number) {
  const [exponent, priceExponent] = [0.7 + 0.5 * normal(random), 0.7 + 0.3 * normal(random)]
  const rate = 0.1 * Math.exp(0.3 * normal(random))
  const days = (from: string, count: number, bid: number, drift: number): DayFigures[] => {
    const dearer = drift === 1 ? 1 : Math.exp(0.05 * normal(random))
    return daysOf(from, addDays(from, count - 1)).map(day => {
      const own = poisson(clicks * drift * bid ** exponent, random)
      const price =
        dearer * 0.8 * bid ** priceExponent * Math.exp((0.25 * normal(random)) / Math.sqrt(Math.max(1, own)))
      const orders = poisson(own * rate, random)
      return {
        day,
        clicks: own,
        costMicros: Math.round(own * dollars(price)),
        orders,
        salesMicros: orders * dollars(30),
      }
    })
  }
  return { rate, days }
}
const worth = (rate: number): ClickWorth => ({
  rate,
  shape: 20,
  clicks: 20 / rate,
  parentRate: rate,
  priorClicks: 20,
  own: { clicks: 100, orders: 10, salesMicros: 0 },
  orderMicros: dollars(30),
  worthMicros: rate * dollars(30),
  profitMicros: null,
})

function played(seed: number, { after = 1, drift = 0.28 } = {}): Receipt {
  const random = createRandom(seed)
  const { days, rate } = market(random, 2 + 15 * random())
  const bid = 0.75 + 0.45 * random()
  const before = days(addDays(changedOn, -14), 14, 1, 1)
  const forecast = forecastBid(target('word', { days: before }), worth(rate), dollars(bid), undefined, changedOn)
  const came = days(changedOn, 20, bid, after * Math.exp(drift * normal(random)))
  return receiptOf({
    forecast: forecast as DayForecast,
    changedOn,
    days: came,
    windowDays: 7,
    today: '2026-07-30',
  })
}
const shareOf = <T>(list: readonly T[], is: (one: T) => boolean): number => list.filter(is).length / list.length
const seeds = Array.from({ length: 600 }, (_, i) => i + 1)

describe('the receipt of a change', () => {
  const judged = seeds.map(seed => played(seed)).filter(one => one.verdict !== 'TOO_EARLY')

  test('is as expected in 80 of 100 cases where the market does what it usually does', () => {
    expect(judged.length).toBeGreaterThan(500)
    const held = shareOf(judged, one => one.verdict === 'AS_EXPECTED')
    expect(held).toBeGreaterThan(0.75)
    expect(held).toBeLessThan(0.88)
    // The band of orders holds for itself; whole numbers make it a little wider.
    const orders = shareOf(
      judged,
      ({ figures: [, , one] }) =>
        one !== undefined && one.actual !== null && one.low <= one.actual && one.actual <= one.high,
    )
    expect(orders).toBeGreaterThan(0.75)
    expect(orders).toBeLessThan(0.93)
  })

  test('is not as expected where clicks stay away, and says that clicks decided', () => {
    const missing = seeds
      .slice(0, 200)
      .map(seed => played(seed, { after: 0.3 }))
      .filter(one => one.verdict !== 'TOO_EARLY')
    expect(shareOf(missing, one => one.decidedBy === 'CLICKS')).toBeGreaterThan(0.8)
    for (const { verdict, decidedBy } of [...missing, ...judged])
      expect(verdict === 'NOT_AS_EXPECTED').toBe(decidedBy !== null)
  })

  const forecast: DayForecast = {
    clicks: 5,
    costMicros: dollars(5),
    orders: 0.5,
    acos: 0.33,
    doubt: { clicks: 0.2, clickPrice: 0.1, orders: 0.3 },
    low: { clicks: 3, clickMicros: dollars(0.8), orders: 0.2 },
    high: { clicks: 7, clickMicros: dollars(1.25), orders: 0.9 },
  }
  const day = (date: string): DayFigures => ({
    day: date,
    clicks: 5,
    costMicros: dollars(5),
    orders: 0,
    salesMicros: 0,
  })
  const of = (more: Partial<Parameters<typeof receiptOf>[0]>) =>
    receiptOf({
      forecast,
      changedOn,
      days: daysOf('2026-05-20', '2026-07-10').map(day),
      windowDays: 7,
      today: '2026-07-30',
      ...more,
    })

  test('waits for its days, and gives up where too few clicks are to be expected', () => {
    expect(of({ today: '2026-06-18' })).toMatchObject({ verdict: 'TOO_EARLY', tooEarly: 'NOT_SETTLED', figures: [] })
    expect(of({ forecast: { ...forecast, clicks: 0.5 } })).toMatchObject({
      verdict: 'TOO_EARLY',
      tooEarly: 'FEW_CLICKS',
    })
  })

  test('judges clicks and their price first; orders are shown once they have settled, and never decide', () => {
    const first = of({ today: '2026-06-19' })
    expect(first).toMatchObject({ verdict: 'AS_EXPECTED', from: '2026-06-02', to: '2026-06-15' })
    expect(first.figures[2]).toMatchObject({ figure: 'ORDERS', actual: null })
    const settled = (windowDays: number) => of({ today: '2026-06-26', windowDays }).figures[2]?.actual
    expect(settled(7)).toBe(0)
    expect(settled(14)).toBeNull()
    expect(of({}).verdict).toBe('AS_EXPECTED')
    const dear = of({ days: daysOf('2026-06-02', '2026-06-15').map(one => ({ ...day(one), costMicros: dollars(9) })) })
    expect(dear).toMatchObject({ verdict: 'NOT_AS_EXPECTED', decidedBy: 'CPC' })
  })

  test('of a value that was changed again expects what the later bids bring, less surely', () => {
    const band = (later: LaterChange[]) => of({ later }).figures[0] ?? { low: 0, high: 0 }
    const [alone, halved] = [band([]), band([{ on: '2026-06-08', multiple: 0.5 }])]
    expect(halved.low).toBeLessThan(alone.low)
    expect(halved.high).toBeLessThan(alone.high)
    // 7 of 14 days at half the bid: clicks fall by less than half of a half.
    const middle = (one: { low: number; high: number }): number => (one.low + one.high) / 2
    expect(middle(halved) / middle(alone)).toBeGreaterThan(0.7)
    expect((halved.high - halved.low) / middle(halved)).toBeGreaterThan((alone.high - alone.low) / middle(alone))
    expect(of({ later: [{ on: '2026-06-15', multiple: 0.1 }] })).toEqual(of({}))
  })
})
