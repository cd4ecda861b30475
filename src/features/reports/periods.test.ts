import { expect, test } from 'vitest'
import { dueAfter, periodBefore } from './periods.ts'

const tokyo = 'Asia/Tokyo'
const berlin = 'Europe/Berlin'

test.each([
  ['WEEKLY', '2026-11-23T15:00:00Z', berlin, '2026-11-30T06:00:00Z', '2026-11-23', '2026-11-29'],
  // Monday, before seven: the week that has just ended.
  ['WEEKLY', '2026-11-23T05:00:00Z', berlin, '2026-11-23T06:00:00Z', '2026-11-16', '2026-11-22'],
  // Sunday in Berlin is Monday in Tokyo.
  ['WEEKLY', '2026-11-22T23:30:00Z', tokyo, '2026-11-29T22:00:00Z', '2026-11-23', '2026-11-29'],
  ['MONTHLY', '2026-11-23T15:00:00Z', berlin, '2026-12-01T06:00:00Z', '2026-11-01', '2026-11-30'],
  ['MONTHLY', '2026-12-31T23:30:00Z', berlin, '2027-01-01T06:00:00Z', '2026-12-01', '2026-12-31'],
  ['MONTHLY', '2027-01-31T12:00:00Z', berlin, '2027-02-01T06:00:00Z', '2027-01-01', '2027-01-31'],
  // The clocks change in between.
  ['MONTHLY', '2027-03-02T12:00:00Z', berlin, '2027-04-01T05:00:00Z', '2027-03-01', '2027-03-31'],
] as const)('%s from %s in %s is due at %s and reports %s to %s', (frequency, at, zone, due, from, to) => {
  const next = dueAfter(frequency, new Date(at), zone)
  expect(next).toEqual(new Date(due))
  expect(periodBefore(frequency, next, zone)).toEqual({ from, to })
})

test('every period of three years is reported once, without a gap', () => {
  for (const frequency of ['WEEKLY', 'MONTHLY'] as const) {
    let at = new Date('2026-01-05T12:00:00Z')
    let last: string | undefined
    while (at < new Date('2029-01-05T12:00:00Z')) {
      at = dueAfter(frequency, at, berlin)
      const { from, to } = periodBefore(frequency, at, berlin)
      if (last) expect(Date.parse(from) - Date.parse(last)).toBe(86_400_000)
      last = to
    }
  }
})
