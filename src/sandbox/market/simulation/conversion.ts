import { getOrMake } from '../get-or-make.ts'
import type { LocalHour } from '../local-hours.ts'
import type { Drift } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import { fraction, hashText, mix } from '../random.ts'
import { hourShare, weekdayShare } from './demand.ts'
import { episodesOn, wander } from './wander.ts'

const HALF_LIFE = 40
const drifts: Record<Drift, { spread: number; shocks: number }> = {
  calm: { spread: 0.05, shocks: 0.05 },
  drifting: { spread: 0.13, shocks: 0.35 },
}
const SHOCKS = { block: 60, least: 2, most: 60 }

/** Factors by weekday and hour; weighed by how many shoppers there are, their average is 1. */
function rhythmOf(seed: number): Float64Array {
  const [byHour, peak] = [0.35 * fraction(mix(seed, 1)), 24 * fraction(mix(seed, 2))]
  const [byDay, day] = [0.15 * fraction(mix(seed, 3)), 7 * fraction(mix(seed, 4))]
  const factors = new Float64Array(7 * 24)
  let [sum, weights] = [0, 0]
  for (let i = 0; i < factors.length; i++) {
    const [weekday, hour] = [Math.floor(i / 24), i % 24]
    const ofHour = 1 + byHour * Math.cos((2 * Math.PI * (hour - peak)) / 24)
    factors[i] = ofHour * (1 + byDay * Math.cos((2 * Math.PI * (weekday - day)) / 7))
    const weight = hourShare(hour) * weekdayShare(weekday)
    sum += weight * (factors[i] as number)
    weights += weight
  }
  return factors.map(factor => (factor * weights) / sum)
}
const rhythms = new Map<number, Float64Array>()

/** How many more or fewer of the clicks in a category become orders at a moment than in an average hour. */
export function categoryConversion(categoryId: string, local: LocalHour, seed: number): number {
  const own = hashText(categoryId, seed ^ 0x636f6e76)
  const rhythm = getOrMake(rhythms, own, rhythmOf)
  const yearShare = (local.day % 365.25) / 365.25
  const season = 1 + 0.1 * Math.cos(2 * Math.PI * (yearShare - fraction(mix(own, 5))))
  return season * (rhythm[local.weekday * 24 + local.hour] as number)
}

/** What has happened to a listing: factors on orders per click, and on the auctions in which it may take part. */
export interface Fortune {
  conversion: number
  reach: number
}

/**
 * A listing's fortune on a day: its slow drift, and bad or good reviews, another seller's offer in its place, a rival's
 * price. From the seed alone; 1 is its average.
 */
export function fortuneAt({ seed }: Listing, day: number, drift: Drift): Fortune {
  const { spread, shocks } = drifts[drift]
  const fortune = { conversion: Math.exp(spread * wander(seed ^ 0x647266, day, HALF_LIFE)), reach: 1 }
  for (const episode of episodesOn(seed ^ 0x73686b, day, { ...SHOCKS, chance: shocks })) {
    const kind = fraction(mix(episode.seed, 1))
    const size = fraction(mix(episode.seed, 2))
    const { since, left } = episode
    // Reviews come at once and are forgotten slowly.
    if (kind < 0.4) fortune.conversion *= 1 - (0.2 + 0.25 * size) * Math.min(1, left / 15)
    else if (kind < 0.65) fortune.conversion *= 1 + (0.15 + 0.2 * size) * Math.min(1, since / 10, left / 10)
    else if (kind < 0.85) fortune.conversion *= 1 - (0.15 + 0.2 * size)
    // Without the buy box few ads show, and few people buy.
    else if (since < 1 + 3 * size) {
      fortune.conversion *= 0.25
      fortune.reach = 0.3
    }
  }
  return fortune
}
