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
