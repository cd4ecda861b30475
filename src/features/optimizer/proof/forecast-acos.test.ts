import { expect, test } from 'vitest'
import { createRandom, poisson } from '#shared/random.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { dollars } from '../engine/test-facts.ts'
import { type ForecastAcos, forecastBand, weeksHeld } from './forecast-acos.ts'

const today = '2026-06-01'
const days = (from: string, dailyOrders: number, random: () => number) =>
  daysOf(from, addDays(today, -1)).map(day => {
    const orders = poisson(dailyOrders, random)
    return {
      day,
      clicks: 40,
      costMicros: dollars(dailyOrders * 9),
      orders,
      salesMicros: dollars(orders * 30),
      budgetMicros: 0,
    }
  })

test.each([2, 12])(
  'of a true forecast at %d orders a day 80 of 100 settled weeks end within the band, and it is judged so',
  rate => {
    const random = createRandom(rate)
    const found = { judged: 0, held: 0 }
    for (let account = 0; account < 60; account++) {
      const settled = days('2026-03-01', rate, random)
      const forecasts = new Map<string, ForecastAcos>()
      for (const { day } of settled.slice(30)) {
        const band = forecastBand([{ days: settled }], 0.3, addDays(day, 1))
        if (band) forecasts.set(day, { acos: 0.3, ...band })
      }
      const { judged, held } = weeksHeld(forecasts, settled)
      found.judged += judged
      found.held += held
    }
    // Weeks that overlap say the same twice.
    expect(found.judged).toBe(60 * 9)
    expect(found.held / found.judged).toBeGreaterThan(0.75)
    expect(found.held / found.judged).toBeLessThan(0.92)
  },
)

test('there is no band where few orders are to be expected, and no verdict before a week has settled', () => {
  const few = days('2026-05-01', 0.5, createRandom(1))
  expect(forecastBand([{ days: few }], 0.3, today)).toBeNull()
  const forecasts = new Map([['2026-05-31', { acos: 0.3, low: 0.2, high: 0.4 }]])
  expect(weeksHeld(forecasts, few.slice(0, -1))).toEqual({ judged: 0, held: 0 })
})
