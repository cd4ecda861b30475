import { describe, expect, test } from 'vitest'
import { countHours, hourOfWeek, stretchesOf } from './clock.ts'

const LA = 'America/Los_Angeles'
const anyTime = { since: new Date('2000-01-01T00:00:00Z'), until: new Date('2100-01-01T00:00:00Z') }
const sundayAt = (hour: number) => 6 * 24 + hour

describe('the hours of the week that happened', () => {
  const counted = (from: string, to: string, more = {}) =>
    countHours(stretchesOf({ from, to, timezone: LA, shown: LA, ...anyTime, ...more }))

  test('on the day of 25 hours one of them happens twice, on the day of 23 one does not', () => {
    const autumn = counted('2026-10-26', '2026-11-08')
    expect(autumn[sundayAt(1)]).toEqual({ times: 3, days: 2 })
    expect(autumn[sundayAt(2)]).toEqual({ times: 2, days: 2 })
    expect(autumn.reduce((sum, { times }) => sum + times, 0)).toBe(14 * 24 + 1)
    const spring = counted('2026-03-02', '2026-03-15')
    expect(spring[sundayAt(2)]).toEqual({ times: 1, days: 1 })
    expect(spring.reduce((sum, { times }) => sum + times, 0)).toBe(14 * 24 - 1)
  })
  test('hours before the first and after the last that were received are not counted', () => {
    const counts = counted('2026-06-01', '2026-06-07', {
      since: new Date('2026-06-01T20:30:00Z'),
      until: new Date('2026-06-02T15:00:00Z'),
    })
    // 20:30 UTC is 13:30 in Los Angeles, 15:00 is 8:00: Monday from 14 h, Tuesday to 8 h.
    expect(counts.flatMap(({ times }, index) => (times ? [index] : []))).toEqual(
      Array.from({ length: 18 }, (_, i) => 14 + i),
    )
  })
  test('another clock moves with both zones: 8 hours between the two changes, 9 before and after', () => {
    const stretches = stretchesOf({
      from: '2026-10-19',
      to: '2026-11-08',
      timezone: LA,
      shown: 'Europe/Berlin',
      ...anyTime,
    })
    const noonOf = (day: string) =>
      stretches
        .find(({ from, to }) => from <= day && day <= to)
        ?.hours.filter(({ hour }) => hour === 12)
        .map(({ place }) => place)
    expect(noonOf('2026-10-22')).toEqual([21])
    expect(noonOf('2026-10-28')).toEqual([20])
    expect(noonOf('2026-11-04')).toEqual([21])
    const counts = countHours(stretches)
    expect(counts.reduce((sum, { times }) => sum + times, 0)).toBe(21 * 24 + 1)
    // The hour that Berlin has twice on October 25 is of one day.
    expect(counts[sundayAt(2)]).toEqual({ times: 4, days: 3 })
    expect(stretches.length).toBeLessThan(8)
  })
  test('Sunday evening in Los Angeles is Monday morning in Berlin', () => {
    expect(hourOfWeek(6, 20 + 9)).toBe(5)
    expect(hourOfWeek(0, -1)).toBe(sundayAt(23))
  })
  test('a zone with half hours shows an hour where it begins', () => {
    const [first] = stretchesOf({
      from: '2026-06-01',
      to: '2026-06-01',
      timezone: LA,
      shown: 'Asia/Kolkata',
      ...anyTime,
    })
    expect(first?.hours[0]?.place).toBe(12)
  })
})
