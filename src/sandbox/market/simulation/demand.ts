import { createDice, fraction, hashText, mix, normal } from '../random.ts'
import type { LocalHour } from '../local-hours.ts'

// Shoppers by hour of their own day: a dip at night, a rise after supper. The mean is 1.
const byHour = [
  0.42, 0.28, 0.2, 0.17, 0.19, 0.3, 0.52, 0.78, 0.98, 1.12, 1.2, 1.22, 1.24, 1.2, 1.16, 1.14, 1.16, 1.22, 1.34, 1.54,
  1.72, 1.74, 1.44, 0.93,
]
const byWeekday = [1.1, 1.03, 0.98, 0.97, 0.96, 0.93, 1.03]
const meanHour = byHour.reduce((sum, share) => sum + share, 0) / 24

const daily = new Map<string, number>()

/** Demand of a category on one day against a mean day: season of the year, the weeks before Christmas, chance. */
const dayFactor = (categorySeed: number, day: number): number => {
  const yearShare = (day % 365.25) / 365.25
  const season = 1 + 0.18 * Math.cos(2 * Math.PI * (yearShare - fraction(categorySeed)))
  const gifts = yearShare > 0.87 && yearShare < 0.97 ? 1.25 : 1
  return season * gifts * Math.exp(0.1 * normal(createDice(mix(categorySeed, day))))
}

/** Demand in one hour against the mean of all hours; depends on the seed, the category and the local hour alone. */
export const demandFactor = (categoryId: string, local: LocalHour, seed: number): number => {
  const key = `${seed}|${categoryId}|${local.day}`
  let factor = daily.get(key)
  if (factor === undefined) {
    factor = dayFactor(hashText(categoryId, seed), local.day)
    if (daily.size > 100_000) daily.clear()
    daily.set(key, factor)
  }
  return factor * ((byHour[local.hour] ?? 1) / meanHour) * (byWeekday[local.weekday] ?? 1)
}
