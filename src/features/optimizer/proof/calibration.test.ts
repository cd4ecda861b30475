import { describe, expect, test } from 'vitest'
import { createRandom, normal, poisson } from '#shared/random.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { dollars, facts, target, today } from '../engine/test-facts.ts'
import { calibrate, type ForecastWeek, mustRefit } from './calibration.ts'
import { refit, usualFit } from './refit.ts'
import type { Receipt } from './receipts.ts'

const receipt = (verdict: Receipt['verdict'], to = '2026-05-20'): Receipt => ({
  verdict,
  tooEarly: null,
  decidedBy: null,
  from: '2026-05-07',
  to,
  figures: [],
})
const receipts = (held: number, missed: number): Receipt[] => [
  ...Array.from({ length: held }, () => receipt('AS_EXPECTED')),
  ...Array.from({ length: missed }, () => receipt('NOT_AS_EXPECTED')),
]
/** Weeks whose true ACOS varies, of which the engine forecast a part and the rest of the mean. */
function weeks(seed: number, { follows = 1, bias = 0, orders = 60, count = 12 } = {}): ForecastWeek[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, i) => {
    const acos = 0.3 * Math.exp(0.35 * normal(random))
    const settledOrders = poisson(orders, random)
    const forecast = 0.3 * (acos / 0.3) ** follows * (1 + bias)
    return {
      day: addDays('2026-05-30', -7 * i),
      costMicros: dollars(orders * 30 * acos),
      forecastSalesMicros: dollars((orders * 30 * acos) / forecast),
      settledSalesMicros: dollars(settledOrders * 30),
      settledOrders,
    }
  })
}

describe('the calibration of a month', () => {
  const bands = (held: number, missed: number) => calibrate('2026-05', receipts(held, missed), [])

  test('counts the bands that held, with an interval, and says nothing of too few', () => {
    const own = calibrate(
      '2026-05',
      [...receipts(80, 20), receipt('TOO_EARLY'), receipt('AS_EXPECTED', '2026-06-01')],
      [],
    )
    expect(own).toMatchObject({ bands: 100, held: 80, isCalibrated: true })
    // The interval of Wilson for 80 of 100.
    expect(own.share?.low).toBeCloseTo(0.711, 3)
    expect(own.share?.high).toBeCloseTo(0.867, 3)
    expect(bands(4, 1).isCalibrated).toBeNull()
    expect(bands(50, 50).isCalibrated).toBe(false)
    expect(bands(99, 1).isCalibrated).toBe(false)
    expect(bands(0, 0).share).toBeNull()
  })

  test('finds the slope and the bias of the forecast ACOS, with intervals that hold the truth', () => {
    const found = (more: Parameters<typeof weeks>[1]) =>
      Array.from({ length: 200 }, (_, seed) => calibrate('2026-05', [], weeks(seed, more)))
    const holds = (list: ReturnType<typeof found>, read: 'slope' | 'bias', truth: number): number =>
      list.filter(one => (one[read]?.low ?? 9) <= truth && truth <= (one[read]?.high ?? -9)).length / list.length
    for (const follows of [1, 0.5])
      expect(holds(found({ follows, orders: 200 }), 'slope', 1 / follows)).toBeGreaterThan(0.9)
    expect(holds(found({ bias: 0.2 }), 'bias', 0.2)).toBeGreaterThan(0.9)
    expect(calibrate('2026-05', [], weeks(1, { count: 5 })).slope).toBeNull()
  })

  test('has the engine fitted again after two months off in the same direction, and not by chance or few orders', () => {
    const month = (at: string, more: Parameters<typeof weeks>[1]) =>
      calibrate(
        at,
        [],
        weeks(1, more).map(week => ({ ...week, day: `${at}${week.day.slice(7)}` })),
      )
    const off = { bias: 0.3, orders: 200 }
    expect(mustRefit(month('2026-04', off), month('2026-05', off))).toBe(true)
    expect(mustRefit(month('2026-04', { orders: 200 }), month('2026-05', off))).toBe(false)
    expect(mustRefit(month('2026-04', { bias: -0.3, orders: 200 }), month('2026-05', off))).toBe(false)
    expect(mustRefit(month('2026-04', { ...off, orders: 1 }), month('2026-05', { ...off, orders: 1 }))).toBe(false)
    expect(mustRefit(null, month('2026-05', off))).toBe(false)
  })
})

describe('what is fitted again', () => {
  /** 40 targets of which each converts at a rate of its own, or at that of the last weeks only. */
  function world(seed: number, rateOf: (id: number, age: number) => number) {
    const random = createRandom(seed)
    return facts({
      targets: Array.from({ length: 40 }, (_, id) =>
        target(`word ${id}`, {
          days: daysOf(addDays(today, -110), addDays(today, -1)).map((day, i) => {
            const clicks = poisson(6, random)
            const orders = poisson(clicks * rateOf(id, 110 - i), random)
            return { day, clicks, costMicros: clicks * dollars(0.8), orders, salesMicros: orders * dollars(30) }
          }),
        }),
      ),
    })
  }
  const until = addDays(today, -1)

  test('stays as it is where the usual numbers predict as well as any', () => {
    for (const seed of [1, 2, 3])
      expect(
        refit(
          world(seed, id => (id % 2 ? 0.06 : 0.12)),
          until,
        ),
      ).toEqual(usualFit)
  })

  test('forgets faster where rates move on within weeks', () => {
    // Each target is good for three weeks and bad for three, at a time of its own.
    const moving = world(4, (id, age) => ((age + id * 5) % 42 < 21 ? 0.02 : 0.18))
    expect(refit(moving, until).halfLifeDays).toBe(20)
  })
})
