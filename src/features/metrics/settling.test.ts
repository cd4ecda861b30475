import { describe, expect, test } from 'vitest'
import type { AdType } from '#shared/campaign-rules.ts'
import { addDays } from '#shared/time.ts'
import { learnSettling, rangeOf, rangeOfDays, type Version } from './settling.ts'

const DAY = 24
const windowOf = (adType: AdType) => (adType === 'SPONSORED_PRODUCTS' ? 7 : 14)
const sums = (orders: number, cost = 100) => ({
  impressions: 1000,
  clicks: 100,
  costMicros: cost * 1e6,
  salesMicros: orders * 20e6,
  orders,
  units: orders,
})
/** Days that were shown with `shown` orders a day after their end and with `end` orders from the fifth day on. */
function days(count: number, shown: (i: number) => number, end: (i: number) => number, adType: AdType): Version[] {
  return Array.from({ length: count }, (_, i) => addDays('2026-09-01', i)).flatMap((date, i) => [
    { adType, date, fromAge: DAY, toAge: 4 * DAY, sums: sums(shown(i)) },
    { adType, date, fromAge: 5 * DAY, toAge: 50 * DAY, sums: sums(end(i)) },
  ])
}
const SP: AdType = 'SPONSORED_PRODUCTS'

describe('what days become', () => {
  test('nothing is known before a week of days was seen young and settled', () => {
    const six = learnSettling(
      days(
        6,
        () => 80,
        () => 100,
        SP,
      ),
      windowOf,
    )
    expect(rangeOf(six, DAY, [{ adType: SP, sums: sums(80) }])).toBeNull()
    const seven = learnSettling(
      days(
        7,
        () => 80,
        () => 100,
        SP,
      ),
      windowOf,
    )
    expect(rangeOf(seven, DAY, [{ adType: SP, sums: sums(80) }])).not.toBeNull()
    // Nobody saw a day at the age of nine hours.
    expect(rangeOf(seven, 8, [{ adType: SP, sums: sums(80) }])).toBeNull()
  })

  test('days from before the connection, only seen when they had settled, hold up nothing', () => {
    const before = Array.from({ length: 60 }, (_, i) => ({
      adType: SP,
      date: addDays('2026-06-01', i),
      fromAge: 40 * DAY,
      toAge: 90 * DAY,
      sums: sums(500),
    }))
    const young = days(
      8,
      () => 80,
      () => 100,
      SP,
    ).map(version => ({ ...version, toAge: Math.min(version.toAge, 20 * DAY) }))
    expect(learnSettling([...before, ...young], windowOf)).toEqual(learnSettling(young, windowOf))
    expect(
      rangeOf(learnSettling([...before, ...young], windowOf), DAY, [{ adType: SP, sums: sums(80) }]),
    ).not.toBeNull()
  })

  test('a day is expected to grow as those before it did, drawn a little to what is usual', () => {
    // (60 days × 100 orders + 60) ÷ (60 × 80 + 60 × 0.83): 1.2496 instead of 1.25.
    const settling = learnSettling(
      days(
        60,
        () => 80,
        () => 100,
        SP,
      ),
      windowOf,
    )
    expect(settling.adTypes[SP]?.curves[3]?.orders.factor).toBeCloseTo(6060 / 4849.8, 10)
    const range = rangeOf(settling, DAY, [{ adType: SP, sums: sums(80) }])
    // All days did the same, so the band is narrow, and spend does not change at all.
    expect(range?.orders).toEqual({ low: 100, high: 100 })
    expect(range?.sales.high).toBeCloseTo(2e9, -7)
    expect(range?.cost).toEqual({ low: expect.closeTo(100e6, -6), high: expect.closeTo(100e6, -6) })
    // 100 spent of 2,000 sold in the end: 5 %.
    expect(range?.acos?.low).toBeCloseTo(0.05, 3)
    expect(range?.acos?.high).toBeCloseTo(0.05, 3)
  })

  test('the band has the ends of the restatements that were seen, one in twenty on either side', () => {
    // 80 orders become 90 to 110: the twentieth from below is 91, the twentieth from above 109.
    const settling = learnSettling(
      days(
        200,
        () => 80,
        i => 90 + (i % 21),
        SP,
      ),
      windowOf,
    )
    const { orders } = rangeOf(settling, DAY, [{ adType: SP, sums: sums(80) }]) ?? expect.unreachable()
    expect([orders.low, orders.high]).toEqual([expect.closeTo(91, -0.3), expect.closeTo(109, -0.3)])
    // A quarter of the orders has half the spread in orders, twice that in percent.
    const small = rangeOf(settling, DAY, [{ adType: SP, sums: sums(20) }]) ?? expect.unreachable()
    expect(small.orders.high - small.orders.low).toBeCloseTo((orders.high - orders.low) / 2, -0.5)
  })

  test('a day without orders may still get some, and then its ACOS is unknown', () => {
    const settling = learnSettling(
      days(
        60,
        i => i % 3,
        i => (i % 3) + (i % 2),
        SP,
      ),
      windowOf,
    )
    const range = rangeOf(settling, DAY, [{ adType: SP, sums: sums(0) }])
    expect(range?.orders.low).toBe(0)
    expect(range?.orders.high).toBeGreaterThanOrEqual(1)
    expect(range?.acos).toBeNull()
  })

  test('ad types that err independently of each other have a narrower band together', () => {
    const versions = ([SP, 'SPONSORED_BRANDS'] satisfies AdType[]).flatMap(adType =>
      days(
        100,
        () => 80,
        i => 90 + (i % 21),
        adType,
      ),
    )
    const settling = learnSettling(versions, windowOf)
    const width = (adTypes: AdType[]) => {
      const range = rangeOf(
        settling,
        DAY,
        adTypes.map(adType => ({ adType, sums: sums(80) })),
      )
      return (range?.orders.high ?? 0) - (range?.orders.low ?? 0)
    }
    const [one, both] = [width([SP]), width([SP, 'SPONSORED_BRANDS'])]
    expect(both).toBeGreaterThan(one)
    expect(both).toBeLessThan(1.6 * one)
  })

  test('a day that has settled or is not over has no band, nor one with an ad type that is new', () => {
    const settling = learnSettling(
      days(
        60,
        () => 80,
        () => 100,
        SP,
      ),
      windowOf,
    )
    const at = (age: number, adType: AdType = SP) => rangeOf(settling, age, [{ adType, sums: sums(80) }])
    expect(at(10 * DAY - 1)).not.toBeNull()
    expect([at(10 * DAY), at(-1), at(DAY, 'SPONSORED_BRANDS')]).toEqual([null, null, null])
  })

  test('a range ends where its days will: those that are final as they are, the others with errors that square up', () => {
    const learntFrom = (count: number) =>
      learnSettling(
        days(
          count,
          () => 80,
          i => 90 + (i % 21),
          SP,
        ),
        windowOf,
      )
    const settling = learntFrom(200)
    const shown = (age: number, orders = 80) => ({
      age,
      sums: sums(orders),
      parts: [{ adType: SP, sums: sums(orders) }],
    })
    const of = (...list: ReturnType<typeof shown>[]) => rangeOfDays(settling, list)
    const one = of(shown(DAY)) ?? expect.unreachable()
    expect(one).toEqual(rangeOf(settling, DAY, [{ adType: SP, sums: sums(80) }]))
    // 100 orders that are final and 7 of a day that is not over move both ends up, and the width stays.
    const more = of(shown(DAY), shown(20 * DAY, 100), shown(-2, 7)) ?? expect.unreachable()
    expect(more.orders).toEqual({ low: one.orders.low + 107, high: one.orders.high + 107 })
    expect(more.cost.high - one.cost.high).toBe(200e6)
    // Four equal days have twice the spread of one, and half its spread in percent of ACOS.
    const four = of(...Array.from({ length: 4 }, () => shown(DAY))) ?? expect.unreachable()
    expect(four.orders.high - four.orders.low).toBeCloseTo(2 * (one.orders.high - one.orders.low), -0.5)
    const percent = ({ acos }: typeof one) => Math.log((acos?.high ?? 0) / (acos?.low ?? 1))
    expect(percent(four) / percent(one)).toBeCloseTo(0.5, 1)
    // The factor's own error is common to all days: the fewer it was learnt from, the more it adds to a sum of days.
    const common = (count: number) => {
      const range = (days: number) =>
        rangeOfDays(
          learntFrom(count),
          Array.from({ length: days }, () => shown(DAY)),
        ) ?? expect.unreachable()
      return percent(range(16)) / percent(range(1))
    }
    expect(common(200)).toBeGreaterThan(0.25)
    expect(common(200)).toBeLessThan(0.28)
    expect(common(21)).toBeGreaterThan(0.3)
    expect([of(shown(20 * DAY), shown(-2)), of(), of(shown(DAY), shown(8))]).toEqual([null, null, null])
  })
})
