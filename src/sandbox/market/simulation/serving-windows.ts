import { addDays, startOfDayIn } from '#shared/time.ts'
import type { EntityState } from '../../core/model/store.ts'
import { hourIndexOf } from '../local-hours.ts'

/** Hours since 1970 in which something serves: from (included) to (excluded). */
export interface ServingWindow {
  from: number
  to: number
}

export interface Serving {
  state: EntityState
  createdAt: number
  updatedAt: number
}

/**
 * The hours in which an entity serves. Before `historyEnd` (the end of the history a scenario starts with), anything
 * paused or archived today served until its last change. After it, it does not serve at all.
 */
export function servingWindow(entity: Serving, historyEnd: number): ServingWindow {
  const from = hourIndexOf(entity.createdAt)
  if (entity.state === 'ENABLED') return { from, to: Number.POSITIVE_INFINITY }
  if (entity.state === 'PROPOSED') return { from, to: from }
  return { from, to: Math.min(hourIndexOf(entity.updatedAt), historyEnd) }
}

export function intersect(one: ServingWindow, other: ServingWindow): ServingWindow {
  return { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }
}

const midnights = new Map<string, number>()
/** The hour in which a local day starts. Cached: a large account has few days and many campaigns. */
function firstHourOf(day: string, timezone: string): number {
  const key = `${timezone}|${day}`
  let hour = midnights.get(key)
  if (hour === undefined) {
    hour = hourIndexOf(startOfDayIn(day, timezone).getTime())
    if (midnights.size > 10_000) midnights.clear()
    midnights.set(key, hour)
  }
  return hour
}

/** From the start of a campaign's first day to the end of its last, in the profile's time zone. */
export function campaignDates(
  campaign: { startDate: string; endDate: string | null },
  timezone: string,
): ServingWindow {
  return {
    from: firstHourOf(campaign.startDate, timezone),
    to: campaign.endDate ? firstHourOf(addDays(campaign.endDate, 1), timezone) : Number.POSITIVE_INFINITY,
  }
}
