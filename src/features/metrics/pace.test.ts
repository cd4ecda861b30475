import { describe, expect, test } from 'vitest'
import { addDays, daysOf } from '#shared/time.ts'
import { curveOf, type HourlyCurve, paceOf, projectMonth, shareBefore } from './pace.ts'

const LA = 'America/Los_Angeles'
const micros = (amount: number) => amount * 1_000_000
const at = (time: string) => new Date(`2026-11-20T${time}:00-08:00`)
// All of the day's spend falls on the hours from 8 to 20, evenly.
const daytime: HourlyCurve = Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 20 ? 5 : 0))
const day = (time: string, curve: HourlyCurve | null = null) => ({
  date: '2026-11-20',
  timezone: LA,
  asOf: at(time),
  curve,
})
const money = (budget: number, spent: number, outSince: Date | null = null) => ({
  budgetMicros: micros(budget),
  spentMicros: micros(spent),
  outSince,
})

describe('the pace of a budget', () => {
  test('by the clock: half of 60 spent by 8 in the morning is 90 a day, and ends at 4 in the afternoon', () => {
    expect(paceOf(day('08:00'), money(60, 30))).toEqual({
      share: 1 / 3,
      expectedMicros: micros(20),
      projectedMicros: micros(90),
      endsAt: at('16:00'),
      lostMinutesAhead: 480,
    })
  })

  test('by its own hours: the same money by 11 is far less dear, because nothing is spent at night', () => {
    // 3 of 12 hours: 30 so far is 120 a day; half of it falls by 14:00.
    expect(paceOf(day('11:00', daytime), money(60, 30))).toMatchObject({
      share: 0.25,
      projectedMicros: micros(120),
      endsAt: at('14:00'),
      lostMinutesAhead: 600,
    })
    expect(paceOf(day('11:00', daytime), money(60, 10))).toMatchObject({ projectedMicros: micros(40), endsAt: null })
  })

  test('within an hour the share grows by the minute', () => {
    expect(shareBefore(day('08:30', daytime), at('08:30'))).toBeCloseTo(0.5 / 12, 12)
  })

  test('a budget that is used up has the pace of the time until then', () => {
    // 60 by 12:00, 4 of 12 hours: 180 without the limit.
    expect(paceOf(day('18:00', daytime), money(60, 60, at('12:00')))).toMatchObject({
      projectedMicros: micros(180),
      endsAt: null,
      lostMinutesAhead: 0,
    })
  })

  test('before the first hour that ever costs anything nothing can be said', () => {
    expect(paceOf(day('06:00', daytime), money(60, 0))).toMatchObject({ projectedMicros: null, endsAt: null })
  })

  test.each([
    ['2026-11-01', 25],
    ['2026-03-08', 23],
  ])('a day of the clock change, %s, has %i hours', (date, hours) => {
    const noon = new Date(`${date}T12:00:00-0${hours === 25 ? 8 : 7}:00`)
    expect(shareBefore({ date, timezone: LA, asOf: noon, curve: null }, noon)).toBeCloseTo((hours - 12) / hours, 12)
  })
})

describe('the curve of past hours', () => {
  test('counts a late hour by the days that still ran then, so that a used-up budget does not look like rest', () => {
    // 10 each at 9 and at 21 on 14 days; on half of them the budget had ended by 21.
    const hours = [
      { hour: 9, costMicros: micros(140), days: 14 },
      { hour: 21, costMicros: micros(70), days: 7 },
    ]
    const curve = curveOf(hours)
    expect(curve?.[9]).toBe(curve?.[21])
  })

  test('needs a week of days, and some cost', () => {
    expect(curveOf([{ hour: 9, costMicros: micros(10), days: 6 }])).toBeNull()
    expect(curveOf([{ hour: 9, costMicros: 0, days: 20 }])).toBeNull()
    expect(curveOf([])).toBeNull()
  })
})

describe('the month', () => {
  const days = daysOf('2026-10-25', '2026-11-20').map((date, i) => ({ date, costMicros: micros(i < 20 ? 10 : 99) }))

  test('is its spend so far and the mean of seven settled days for those that are left', () => {
    // November 1 to 13 cost 10 a day, 14 to 19 cost 99; the settled days are November 7 to 13; 20 to 30 are left.
    expect(projectMonth('2026-11-20', days, '2026-11-13')).toEqual({
      from: '2026-11-01',
      to: '2026-11-30',
      spentMicros: micros(13 * 10 + 6 * 99),
      averageMicros: micros(10),
      daysLeft: 11,
      projectedMicros: micros(13 * 10 + 6 * 99 + 110),
    })
  })

  test('is not projected while nothing has settled', () => {
    expect(projectMonth('2026-11-20', days, null)).toMatchObject({ averageMicros: null, projectedMicros: null })
    expect(projectMonth('2026-02-28', [], '2026-02-20')).toMatchObject({ to: addDays('2026-03-01', -1), daysLeft: 1 })
  })
})
