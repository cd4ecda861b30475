import { createRandom, hashText } from '#shared/random.ts'
import { addDays, daysBetween } from '#shared/time.ts'

// What can only be on or off for a whole group (hours, placements) is tested by switching: two weeks with, two without, which
// first being drawn for each pair. What a pair shows is one sign; the signs of many accounts together tell.

const periodDays = 14
/** After a switch the marketplace and late orders still show the days before. */
const washoutDays = 3

export interface SwitchDay {
  /** Which pair of periods it belongs to, from 0. */
  pair: number
  isOn: boolean
  /** Its figures do not count. */
  isWashout: boolean
}

/** Whether a switch is on for a group on a day; null before the test began. The same for the same group and first day. */
export function switchOn(groupId: string, from: string, day: string): SwitchDay | null {
  const age = daysBetween(from, day)
  if (age < 0) return null
  const pair = Math.floor(age / (2 * periodDays))
  const isFirst = age % (2 * periodDays) < periodDays
  const beginsOn = createRandom(hashText(`${groupId} ${from} ${pair}`, 0))() < 0.5
  return { pair, isOn: isFirst === beginsOn, isWashout: age % periodDays < washoutDays }
}

/** The day after the last of so many pairs. */
export const switchbackEnd = (from: string, pairs: number): string => addDays(from, pairs * 2 * periodDays)

/** A day of a tested group: profit in any unit of money, comparable within the group alone. */
export interface SwitchedDay {
  groupId: string
  /** The first day of the test. */
  from: string
  day: string
  profit: number
}

export interface SwitchbackEstimate {
  pairs: number
  better: number
  worse: number
  /** How likely as many signs or more on one side are by chance, both sides counted. */
  chance: number
  /** The difference in the middle of all pairs, as a part of the profit of the days without; null where that is not above 0. */
  medianShare: number | null
  verdict: 'BETTER' | 'WORSE' | 'CANNOT_TELL'
}

/**
 * What a switch did, over the pairs of all groups and accounts: a sign test, which asks nothing of how profits are spread. Days
 * of washout and pairs of which a side is missing days do not count. Six pairs of one sign are the fewest that tell.
 */
export function estimateSwitchback(days: readonly SwitchedDay[]): SwitchbackEstimate {
  const pairs = new Map<string, { on: number[]; off: number[] }>()
  for (const { groupId, from, day, profit } of days) {
    const at = switchOn(groupId, from, day)
    if (!at || at.isWashout) continue
    const key = `${groupId} ${from} ${at.pair}`
    const pair = pairs.get(key) ?? { on: [], off: [] }
    pairs.set(key, pair)
    pair[at.isOn ? 'on' : 'off'].push(profit)
  }
  const counted = periodDays - washoutDays
  const differences = [...pairs.values()]
    .filter(({ on, off }) => on.length === counted && off.length === counted)
    .map(({ on, off }) => ({ difference: mean(on) - mean(off), off: mean(off) }))
  const better = differences.filter(one => one.difference > 0).length
  const worse = differences.filter(one => one.difference < 0).length
  const chance = signChance(better, worse)
  const shares = differences.filter(one => one.off > 0).map(one => one.difference / one.off)
  return {
    pairs: differences.length,
    better,
    worse,
    chance,
    medianShare: shares.length ? median(shares) : null,
    verdict: chance >= 0.05 ? 'CANNOT_TELL' : better > worse ? 'BETTER' : 'WORSE',
  }
}

/** Of the binomial distribution with equal chances. */
function signChance(better: number, worse: number): number {
  const count = better + worse
  if (count === 0) return 1
  let chance = 0.5 ** count
  let sum = 0
  for (let i = 0; i <= Math.min(better, worse); i++) {
    sum += chance
    chance *= (count - i) / (i + 1)
  }
  return Math.min(1, 2 * sum)
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}
