import type { LocalHour } from '../local-hours.ts'
import type { Drift } from '../market.ts'
import { fraction, mix } from '../random.ts'
import type { Query } from '../queries/queries.ts'
import { episodesOn, LEAST_WANDER, wander } from './wander.ts'

const HALF_LIFE = 20
const drifts: Record<Drift, { least: number; most: number; entrants: number }> = {
  calm: { least: 0.05, most: 0.1, entrants: 0.06 },
  drifting: { least: 0.2, most: 0.3, entrants: 0.25 },
}
/** Rivals who come for one query: each stays for weeks. */
const ENTRANTS = { block: 40, least: 15, most: 75 }

const habits = new WeakMap<Query, ReturnType<typeof drawHabits>>()
const habitsOf = (query: Query, drift: Drift): ReturnType<typeof drawHabits> => {
  let one = habits.get(query)
  if (one?.drift !== drift) habits.set(query, (one = drawHabits(query, drift)))
  return one
}

/** How far rivals' bids wander (standard deviation), follow the hour, and fall at night when their money is gone. */
function drawHabits({ seed }: Query, drift: Drift) {
  const { least, most } = drifts[drift]
  return {
    drift,
    spread: least + (most - least) * fraction(mix(seed, 0x736431)),
    byHour: 0.12 * fraction(mix(seed, 0x686f75)),
    busiestHour: 9 + 10 * fraction(mix(seed, 0x627573)),
    exhausted: 0.35 * fraction(mix(seed, 0x657868)) ** 1.5,
  }
}

/** Factor on what rivals bid for a query in an hour, from the seed alone. It is near 1 on average. */
export function rivalsAt(query: Query, local: LocalHour, drift: Drift): number {
  const { spread, byHour, busiestHour, exhausted } = habitsOf(query, drift)
  const day = local.day + local.hour / 24
  const level = Math.exp(spread * wander(query.seed ^ 0x7269, day, HALF_LIFE))
  const hourly = 1 + byHour * Math.cos((2 * Math.PI * (local.hour - busiestHour)) / 24)
  // Money comes back at midnight.
  const night = 1 - (exhausted * Math.max(0, local.hour - 17)) / 6
  let entrants = 1
  for (const { seed, since, left } of episodesOn(query.seed ^ 0x656e74, day, {
    ...ENTRANTS,
    chance: drifts[drift].entrants,
  }))
    entrants += (0.15 + 0.35 * fraction(seed)) * Math.min(1, since / 5, left / 10)
  return level * hourly * night * entrants
}

/** The least that `rivalsAt` answers for a query at any hour. */
export function leastRivals(query: Query, drift: Drift): number {
  const { spread, byHour, exhausted } = habitsOf(query, drift)
  return Math.exp(spread * LEAST_WANDER) * (1 - byHour) * (1 - exhausted)
}
