import type { LocalHour } from '../local-hours.ts'
import { createRandom, fraction, hashText, mix, normal, poisson, type Random } from '../random.ts'

// Shoppers by local hour: few at night, most after dinner. The average is 1.
const byHour = [
  0.42, 0.28, 0.2, 0.17, 0.19, 0.3, 0.52, 0.78, 0.98, 1.12, 1.2, 1.22, 1.24, 1.2, 1.16, 1.14, 1.16, 1.22, 1.34, 1.54,
  1.72, 1.74, 1.44, 0.93,
]
const byWeekday = [1.1, 1.03, 0.98, 0.97, 0.96, 0.93, 1.03]
const meanHour = byHour.reduce((sum, share) => sum + share, 0) / 24

/** Shoppers of a local hour, and of a weekday, relative to the average one. */
export const hourShare = (hour: number): number => (byHour[hour] ?? 1) / meanHour
export const weekdayShare = (weekday: number): number => byWeekday[weekday] ?? 1

const dayFactors = new Map<string, number>()

/** Demand of a category on one day relative to an average day: season, the weeks before Christmas, chance. */
function dayFactor(categorySeed: number, day: number): number {
  const yearShare = (day % 365.25) / 365.25
  const season = 1 + 0.18 * Math.cos(2 * Math.PI * (yearShare - fraction(categorySeed)))
  const gifts = yearShare > 0.87 && yearShare < 0.97 ? 1.25 : 1
  return season * gifts * Math.exp(0.1 * normal(createRandom(mix(categorySeed, day))))
}

/** Demand in one hour relative to an average hour. Depends on seed, category and local hour alone. */
export function demandFactor(categoryId: string, local: LocalHour, seed: number): number {
  const key = `${seed}|${categoryId}|${local.day}`
  let factor = dayFactors.get(key)
  if (factor === undefined) {
    factor = dayFactor(hashText(categoryId, seed), local.day)
    if (dayFactors.size > 100_000) dayFactors.clear()
    dayFactors.set(key, factor)
  }
  return factor * hourShare(local.hour) * weekdayShare(local.weekday)
}

/** Units in one order: mostly one. */
export const unitsOfOrder = (random: Random): number => 1 + poisson(UNITS_PER_ORDER - 1, random)
export const UNITS_PER_ORDER = 1.1
