import { describe, expect, test } from 'vitest'
import { createRandom, poisson } from '#shared/random.ts'
import { addDays } from '#shared/time.ts'
import { hourBlocks, worthOfHours } from './hours.ts'
import type { HourFacts } from './facts.ts'
import { campaign, dollars, facts, run, settings, today } from './test-facts.ts'

/** Hours of the week in which a click brings 0.08 orders times a factor, drawn. */
function drawn(
  seed: number,
  ordersInAll: number,
  factorAt: (weekday: number, hour: number) => number,
  days = 35,
): HourFacts {
  const random = createRandom(seed)
  const cells = Array.from({ length: 168 }, (_, i) => {
    const [weekday, hour] = [Math.floor(i / 24) + 1, i % 24]
    const clicks = poisson(ordersInAll / 168 / 0.08, random)
    const orders = poisson(clicks * 0.08 * factorAt(weekday, hour), random)
    const salesMicros = Array.from({ length: orders }, () => dollars(15 + 30 * random())).reduce((a, b) => a + b, 0)
    return { weekday, hour, clicks, orders, salesMicros }
  })
  return { days, cells }
}
const isNight = (hour: number): boolean => hour < 4

describe('bids by the hour', () => {
  test('are off with less than 28 days or 300 orders', () => {
    const nights = (_: number, hour: number) => (isNight(hour) ? 0.2 : 1.1)
    expect(worthOfHours(drawn(1, 3000, nights, 27))).toEqual([])
    expect(worthOfHours(drawn(1, 240, nights))).toEqual([])
    expect(worthOfHours(drawn(1, 3000, nights))).toHaveLength(12)
  })

  test('do not move by chance: of 300 accounts whose hours are alike, hardly one is proposed anything', () => {
    const moved = Array.from({ length: 300 }, (_, i) => worthOfHours(drawn(i, 400 + 20 * i, () => 1)))
    expect(moved.filter(blocks => blocks.some(one => one.bidFactor !== 1)).length).toBeLessThanOrEqual(3)
    // The bands of 90 of 100 cases hold.
    const all = moved.flat()
    const holds = all.filter(({ low, high }) => low <= 1 && 1 <= high).length / all.length
    expect(holds).toBeGreaterThan(0.9)
  })

  test('find the hours that sell less or more, and move within 0.7 and 1.2', () => {
    const blocks = worthOfHours(
      drawn(5, 4000, (weekday, hour) => (isNight(hour) ? 0.3 : weekday > 5 && hour >= 20 ? 1.9 : 1)),
    )
    const moved = blocks.filter(one => one.bidFactor !== 1).map(({ block, bidFactor }) => ({ ...block, bidFactor }))
    expect(moved).toEqual([
      { dayPart: 'WEEKDAY', from: 0, to: 4, bidFactor: 0.7 },
      { dayPart: 'WEEKEND', from: 0, to: 4, bidFactor: 0.7 },
      { dayPart: 'WEEKEND', from: 20, to: 24, bidFactor: 1.2 },
    ])
    expect(hourBlocks).toHaveLength(12)
  })

  test('are proposed as one decision that asks, not again for 8 weeks, and not where all campaigns have a schedule', () => {
    const hours = drawn(5, 4000, (_, hour) => (isNight(hour) ? 0.3 : 1))
    const { decisions, memory } = run(facts({ hours }))
    const of = (dayPart: string) => ({ basis: { hours: { block: { dayPart, from: 0, to: 4 } } } })
    const proposed = decisions.filter(one => one.kind === 'hours')
    expect(proposed).toMatchObject([
      { before: 0, after: -0.3, asks: true, groupId: `hours ${today}`, evidence: of('WEEKDAY') },
      { before: 0, after: -0.3, asks: true, groupId: `hours ${today}`, evidence: of('WEEKEND') },
    ])
    const kinds = (hoursOn: string) =>
      run(facts({ hours }), settings(), { ...memory, hoursOn }).decisions.map(one => one.kind)
    expect(kinds(addDays(today, -55))).not.toContain('hours')
    expect(kinds(addDays(today, -56))).toContain('hours')
    const scheduled = run(facts({ hours, campaigns: [campaign('c1', { rules: ['SCHEDULE'], ruleRaise: 0.5 })] }))
    expect(scheduled.decisions.map(one => one.kind)).not.toContain('hours')
  })
})
