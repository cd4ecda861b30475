import { expect, test } from 'vitest'
import { daysOf } from '#shared/time.ts'
import { publishedDay, ratesOfDay } from './register.ts'

test.each([
  ['a working day before 16:00 in Frankfurt', '2026-11-20T14:59:00Z', '2026-11-19'],
  ['a working day from 16:00 on', '2026-11-20T15:00:00Z', '2026-11-20'],
  ['summer time', '2026-07-15T14:00:00Z', '2026-07-15'],
  ['a Sunday', '2026-11-22T18:00:00Z', '2026-11-20'],
  ['Boxing Day, a Saturday, after Christmas', '2026-12-26T18:00:00Z', '2026-12-24'],
])('on %s the newest table is that of the last publication', (_when, now, day) => {
  expect(publishedDay(new Date(now))).toBe(day)
})

test('a day has the same rates each time, and neighboring days differ by little', () => {
  expect(ratesOfDay('2026-11-20')).toEqual(ratesOfDay('2026-11-20'))
  expect(ratesOfDay('2026-11-20')).not.toEqual(ratesOfDay('2026-11-19'))
  const days = daysOf('2026-01-01', '2027-12-31').map(ratesOfDay)
  for (const [i, rates] of days.slice(1).entries())
    for (const [n, { rate }] of rates.entries()) {
      const before = Number(days[i]?.[n]?.rate)
      expect(Math.abs(Number(rate) / before - 1)).toBeLessThan(0.02)
    }
})
