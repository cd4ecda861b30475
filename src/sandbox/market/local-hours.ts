import { tzOffset } from '@date-fns/tz'
import { getOrMake } from './get-or-make.ts'

export const HOUR_MS = 3_600_000

export const hourIndexOf = (at: number): number => Math.floor(at / HOUR_MS)

/** Where an hour since 1970 falls in a time zone: day number since 1970, hour of that day, weekday (0 = Sunday). */
export interface LocalHour {
  day: number
  hour: number
  weekday: number
}

const offsetAt = (timezone: string, hourIndex: number): number =>
  tzOffset(timezone, new Date(hourIndex * HOUR_MS)) * 60_000

/** Offset of a zone in ms by hour. Looked up once a day, except on days when clocks change. */
function createOffsets(timezone: string): (hourIndex: number) => number {
  const midnights = new Map<number, number>()
  const atMidnight = (day: number): number => getOrMake(midnights, day, () => offsetAt(timezone, day * 24))
  return hourIndex => {
    const day = Math.floor(hourIndex / 24)
    const offset = atMidnight(day)
    return offset === atMidnight(day + 1) ? offset : offsetAt(timezone, hourIndex)
  }
}

/** Local hours of one time zone, cached. A day when clocks change has 23 or 25 of them. */
export function createLocalHours(timezone: string): (hourIndex: number) => LocalHour {
  const cache = new Map<number, LocalHour>()
  const offsetOf = createOffsets(timezone)
  return hourIndex => {
    let local = cache.get(hourIndex)
    if (!local) {
      const shifted = Math.floor((hourIndex * HOUR_MS + offsetOf(hourIndex)) / HOUR_MS)
      const day = Math.floor(shifted / 24)
      local = { day, hour: shifted - day * 24, weekday: (day + 4) % 7 }
      cache.set(hourIndex, local)
    }
    return local
  }
}

/** First hour and last hour (excluded) of local days. */
export function hoursOfDays(
  fromDay: string,
  toDay: string,
  localHour: (hourIndex: number) => LocalHour,
): [from: number, to: number] {
  const [from, to] = [dayNumber(fromDay), dayNumber(toDay)]
  // No time zone is more than 14 hours ahead of UTC.
  let first = from * 24 - 14
  while (localHour(first).day < from) first++
  let last = to * 24 - 14
  while (localHour(last).day <= to) last++
  return [first, last]
}

export const dayText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000
