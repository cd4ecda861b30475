import { bell, mix } from '../random.ts'

/** Days between the points of a path; in between it is straight. */
const STEP = 4
/** How many steps back a point remembers. */
const MEMORY = 32
const MOST = 2.5

interface Stretch {
  index: number
  from: number
  to: number
}
const stretches = new Map<number, Map<number, Stretch>>()

/** A first-order autoregressive path at one of its points: the fading sum of the steps before, so that it needs no beginning. */
function pointAt(seed: number, index: number, keeps: number): number {
  let [sum, weight] = [0, 1]
  for (let back = 0; back < MEMORY; back++) {
    sum += weight * bell(mix(seed, index - back))
    weight *= keeps
  }
  return sum * Math.sqrt((1 - keeps ** 2) / (1 - weight ** 2))
}

/**
 * Where something that wanders is on a day, in standard deviations around 0 and never beyond 2.5. Of a distance, half is left
 * after `halfLife` days on average. Depends on seed and day alone.
 */
export function wander(seed: number, day: number, halfLife: number): number {
  let bySeed = stretches.get(halfLife)
  if (!bySeed || bySeed.size > 100_000) stretches.set(halfLife, (bySeed = new Map<number, Stretch>()))
  const index = Math.floor(day / STEP)
  let stretch = bySeed.get(seed)
  if (stretch?.index !== index) {
    const keeps = 0.5 ** (STEP / halfLife)
    const from = stretch?.index === index - 1 ? stretch.to : pointAt(seed, index, keeps)
    bySeed.set(seed, (stretch = { index, from, to: pointAt(seed, index + 1, keeps) }))
  }
  const part = day / STEP - index
  return Math.max(-MOST, Math.min(MOST, stretch.from + (stretch.to - stretch.from) * part))
}

/** The least that `wander` answers. */
export const LEAST_WANDER = -MOST

/** Something that happens now and then and lasts for a time. */
export interface Episode {
  /** A hash of its own, to draw its properties from. */
  seed: number
  /** Days since it began, and until it ends. */
  since: number
  left: number
}

/**
 * The episodes that go on on a day, which may have a fraction. In every `block` days one begins with a probability of
 * `chance`, and lasts `least` to `most` days. Depends on seed and day alone.
 */
export function episodesOn(
  seed: number,
  day: number,
  { block, chance, least, most }: { block: number; chance: number; least: number; most: number },
): readonly Episode[] {
  const last = Math.floor(day / block)
  let episodes: Episode[] | null = null
  for (let number = Math.floor((day - most) / block); number <= last; number++) {
    const own = mix(seed, number)
    if (own >= chance * 2 ** 32) continue
    const begins = number * block + (block * (mix(own, 1) % 1000)) / 1000
    const ends = begins + least + ((most - least) * (mix(own, 2) % 1000)) / 1000
    if (day >= begins && day < ends)
      (episodes ??= []).push({ seed: mix(own, 3), since: day - begins, left: ends - day })
  }
  return episodes ?? none
}
const none: readonly Episode[] = []
