import { addDays, startOfDayIn } from '#shared/time.ts'
import type { EntityState } from '../../../core/model.ts'
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

export const overlap = (...windows: Window[]): Window => ({
  from: Math.max(...windows.map(window => window.from)),
  to: Math.min(...windows.map(window => window.to)),
})

/** From the beginning of the first day to the end of the last, in the profile's time zone. */
export const datesOf = (campaign: { startDate: string; endDate: string | null }, timezone: string): Window => ({
  from: hourIndexOf(startOfDayIn(campaign.startDate, timezone).getTime()),
  to: campaign.endDate
    ? hourIndexOf(startOfDayIn(addDays(campaign.endDate, 1), timezone).getTime())
    : Number.POSITIVE_INFINITY,
})
