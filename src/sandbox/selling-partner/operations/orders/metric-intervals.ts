import { tzOffset } from '@date-fns/tz'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'

export const granularities = ['Hour', 'Day', 'Week', 'Month', 'Year', 'Total'] as const
export type Granularity = (typeof granularities)[number]

const HOUR_MS = 3_600_000

/** A zone's offset from UTC at a moment; NaN when there is no such zone. */
export const offsetMinutes = (timezone: string, at: number): number => tzOffset(timezone, new Date(at))

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

/** A moment as this API writes it: 2019-08-01T00:00-07:00. */
export function momentText(at: number, minutes: number): string {
  return `${new Date(at + minutes * 60_000).toISOString().slice(0, 16)}${offsetText(minutes)}`
}

/** The offset from UTC, in minutes, of a moment in text. */
export function offsetIn(moment: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(moment) ?? []
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0
}

function monthAfter(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

const nextDay: Record<'Day' | 'Week' | 'Month' | 'Year', (day: string, sundayFirst: boolean) => string> = {
  Day: day => addDays(day, 1),
  Week(day, sundayFirst) {
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
    return addDays(day, 7 - (sundayFirst ? weekday : (weekday + 6) % 7))
  },
  Month: day => monthAfter(day, 1),
  Year: day => `${Number(day.slice(0, 4)) + 1}-01-01`,
}

/** Cuts an interval at the borders of its granularity. The first and last part can be shorter. */
export function cutInterval(
  from: number,
  to: number,
  granularity: Granularity,
  timezone: string,
  sundayFirst: boolean,
): [from: number, to: number][] {
  const parts: [number, number][] = []
  for (let at = from; at < to; ) {
    const next =
      granularity === 'Total'
        ? to
        : granularity === 'Hour'
          ? (Math.floor(at / HOUR_MS) + 1) * HOUR_MS
          : startOfDayIn(nextDay[granularity](dayIn(new Date(at), timezone), sundayFirst), timezone).getTime()
    parts.push([at, Math.min(to, next)])
    at = next
  }
  return parts
}
