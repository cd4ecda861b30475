import { addDays, startOfDayIn } from '#shared/time.ts'
import type { EntityState } from '../../../core/model/store.ts'
import { hourIndexOf } from '../../local-hours.ts'

/** Hours since 1970 in which something serves: from (included) to (excluded). */
export interface Window {
  from: number
  to: number
}

/**
 * The hours in which an entity serves. Before `openedAt` (the end of the history a scenario begins with) what is
 * paused or archived today served until its last change; afterwards it does not serve at all.
 */
export const windowOf = (
  entity: { state: EntityState; createdAt: number; updatedAt: number },
  openedAt: number,
): Window => {
  const from = hourIndexOf(entity.createdAt)
  if (entity.state === 'ENABLED') return { from, to: Number.POSITIVE_INFINITY }
  if (entity.state === 'PROPOSED') return { from, to: from }
  return { from, to: Math.min(hourIndexOf(entity.updatedAt), openedAt) }
}

export const overlap = (one: Window, other: Window): Window => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
})

const midnights = new Map<string, number>()
/** The hour with which a day begins in a time zone; a big account has few days and many campaigns. */
const hourOfDay = (day: string, timezone: string): number => {
  const key = `${timezone}|${day}`
  let hour = midnights.get(key)
  if (hour === undefined) {
    hour = hourIndexOf(startOfDayIn(day, timezone).getTime())
    if (midnights.size > 10_000) midnights.clear()
    midnights.set(key, hour)
  }
  return hour
}

/** From the beginning of the first day to the end of the last, in the profile's time zone. */
export const datesOf = (campaign: { startDate: string; endDate: string | null }, timezone: string): Window => ({
  from: hourOfDay(campaign.startDate, timezone),
  to: campaign.endDate ? hourOfDay(addDays(campaign.endDate, 1), timezone) : Number.POSITIVE_INFINITY,
})
