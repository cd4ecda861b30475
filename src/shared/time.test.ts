import { expect, test } from 'vitest'
import { addDays, dayIn, daysBetween, daysOf, hourIn, startOfDayIn } from './time.ts'

test('a moment falls on the day of its time zone', () => {
  const at = new Date('2026-03-01T05:30:00Z')
  expect([dayIn(at, 'America/Los_Angeles'), dayIn(at, 'Asia/Tokyo')]).toEqual(['2026-02-28', '2026-03-01'])
  expect([hourIn(at, 'America/Los_Angeles'), hourIn(at, 'Asia/Tokyo')]).toEqual([21, 14])
})

test('a day begins at its zone’s midnight, on both sides of a clock change', () => {
  expect(startOfDayIn('2026-03-08', 'America/Los_Angeles').toISOString()).toBe('2026-03-08T08:00:00.000Z')
  expect(startOfDayIn('2026-03-09', 'America/Los_Angeles').toISOString()).toBe('2026-03-09T07:00:00.000Z')
})

test('days are added and counted by the calendar', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(daysBetween('2026-03-01', '2026-02-27')).toBe(-2)
  expect(daysOf('2026-12-30', '2027-01-01')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01'])
  expect(daysOf('2026-01-02', '2026-01-01')).toEqual([])
})
