import { expect, test } from 'vitest'
import { type BudgetDay, budgetDays, budgetRange, isUsedUp } from './budget-use.ts'

const zone = 'America/Los_Angeles'
const day = '2026-11-20'
// Midnight there is 8 AM here.
const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 10, 20, 8 + hour, minute))
const night = at(24)
const report = (when: Date, usagePercent: number, budget = 25) => ({
  at: when,
  budgetMicros: budget * 1e6,
  usagePercent,
})
const hour = (of: number, cost: number, impressions = 100) => ({
  date: day,
  hour: of,
  impressions,
  costMicros: cost * 1e6,
})
const nothing = { usage: [], hours: [], since: at(-48), asOf: night }

function only(now: Date, received: Partial<Parameters<typeof budgetDays>[3]>): BudgetDay {
  const [found] = budgetDays([day], zone, now, { ...nothing, ...received })
  if (!found) throw new Error('no day')
  return found
}
const outMinutes = (found: BudgetDay) =>
  Object.fromEntries(found.hours.filter(one => one.outMinutes > 0).map(one => [one.hour, one.outMinutes]))

test('a day is lost from the report that all is used until midnight', () => {
  const found = only(night, {
    usage: [report(at(9), 40), report(at(15, 30), 100)],
    hours: [hour(9, 10), hour(14, 15)],
  })
  expect(found).toMatchObject({ budget: 25, spent: 25, lostMinutes: 8.5 * 60, isPartial: false })
  expect(outMinutes(found)).toMatchObject({ 15: 30, 16: 60, 23: 60 })
  expect(found.hours[10]?.cost).toBe(0)
})

test('a day that costs more than its budget is lost only once ads are no longer shown', () => {
  const found = only(night, {
    usage: [report(at(10), 100), report(at(14), 140)],
    hours: [hour(9, 25), hour(13, 10), hour(20, 0, 0)],
  })
  expect(found.lostMinutes).toBe(10 * 60)
})

test('a raised budget ends the lost time', () => {
  const found = only(night, {
    usage: [report(at(12), 100), report(at(15), 60, 50), report(at(22), 99, 50)],
    hours: [hour(11, 25), hour(16, 20)],
  })
  expect(found).toMatchObject({ lostMinutes: 3 * 60, outSince: null, budget: 50 })
  expect(outMinutes(found)).toEqual({ 12: 60, 13: 60, 14: 60 })
})

test('today is lost up to now, and hours that have not been received are unknown', () => {
  const found = only(at(14), { usage: [report(at(12), 101)], hours: [hour(8, 5)], asOf: at(12, 20) })
  expect(found).toMatchObject({ lostMinutes: 120, outSince: at(12).toISOString() })
  expect([8, 11, 12, 13].map(index => found.hours[index]?.cost)).toEqual([5, 0, null, null])
})

test('what was never received is unknown, and never 0', () => {
  const before = only(night, { since: null, asOf: null })
  expect(before).toMatchObject({ budget: null, spent: null, lostMinutes: null })
  expect(before.hours.every(({ cost }) => cost === null)).toBe(true)
  expect(only(night, { since: at(30), asOf: at(40) })).toMatchObject({ spent: null, lostMinutes: null })
})

test('the day on which reports began says that its sums are not all', () => {
  const found = only(night, { since: at(10), usage: [report(at(20), 100)], hours: [hour(19, 3)] })
  expect(found).toMatchObject({ isPartial: true, lostMinutes: 240 })
  expect([9, 10].map(index => found.hours[index]?.cost)).toEqual([null, 0])
})

test('a received day without any use lost nothing', () => {
  expect(only(night, {})).toMatchObject({ spent: 0, lostMinutes: 0, budget: null })
})

test('a day of 25 hours counts its hour twice, and a week has seven days', () => {
  const [fall] = budgetDays(['2026-11-01'], zone, night, {
    ...nothing,
    since: new Date('2026-10-01T00:00:00Z'),
    usage: [report(new Date('2026-11-01T07:30:00Z'), 100)],
  })
  expect(fall?.lostMinutes).toBe(24.5 * 60)
  expect(budgetRange(at(1), zone)).toHaveLength(7)
  expect(budgetRange(at(1), zone).at(-1)).toBe(day)
})

test('a budget is used up by the reports of today, whatever it was raised or lowered to since', () => {
  const ask = (budget: number, usage: Parameters<typeof report>[], spent = 25, asOf: Date | null = at(14)) => {
    const days = [only(at(14), { usage: usage.map(one => report(...one)), hours: [hour(8, spent)], asOf })]
    return isUsedUp({ timezone: zone, asOf: asOf?.toISOString() ?? null, days }, budget)
  }
  expect(ask(25, [[at(12), 101, 25]])).toBe(true)
  expect(ask(40, [[at(12), 101, 25]])).toBe(false)
  expect(ask(40, [[at(12), 101, 25]], 41)).toBe(true)
  expect(ask(25, [[at(9), 60, 25]], 15)).toBe(false)
  expect(ask(12, [[at(9), 60, 25]], 15)).toBe(true)
  // Nothing was reported of today, or nothing arrives any more.
  expect(ask(25, [])).toBeNull()
  expect(ask(25, [[at(12), 101, 25]], 25, at(-3))).toBeNull()
})
