import { addDays } from '#shared/time.ts'
import { estimate } from '../engine/estimate.ts'
import { countChance } from '../engine/forecast.ts'
import type { Decision } from '../engine/decisions.ts'
import type { Facts, Fit } from '../engine/facts.ts'

// Fits what the engine assumes to one account: how fast days lose weight, and how much of the group a target is believed. By
// what would have predicted the weeks best that have come since.

const halfLives = [20, 45, 90]
const priors = [null, 1, 2, 4, 6] as const
const judgedWeeks = 5
/** Another fit must explain this much more than the usual one, as a logarithm: else chance moves it to and fro. */
const leastGain = 3

/** The numbers that hold without a fit. */
export const usualFit: Fit = { halfLifeDays: 45, priorOrders: null }

/**
 * The fit under which the orders of each target's last settled weeks were the most likely, each week predicted from the days
 * before it alone; the present one where no other is clearly better. All days of the facts must have settled (`settledUntil`
 * is the last that has) and reach back 75 days further than the five weeks that are judged.
 */
export function refit(facts: Facts, settledUntil: string): Fit {
  const present = facts.fit ?? usualFit
  // Settled days show all of their orders.
  const settled: Facts = { ...facts, shown: [0], shownBy: {} }
  const score = (fit: Fit): number => {
    let sum = 0
    for (let week = 0; week < judgedWeeks; week++) {
      const from = addDays(settledUntil, -7 * week - 6)
      sum += explained(until(settled, from), settled, fit, from, addDays(from, 7))
    }
    return sum
  }
  const usual = score(present)
  const fits = halfLives.flatMap(halfLifeDays => priors.map(priorOrders => ({ halfLifeDays, priorOrders })))
  const best = fits.map(fit => ({ fit, gain: score(fit) - usual })).toSorted((a, b) => b.gain - a.gain)[0]
  return best && best.gain > leastGain ? best.fit : present
}

const until = (facts: Facts, day: string): Facts => ({
  ...facts,
  account: facts.account.filter(one => one.day < day),
  targets: facts.targets.map(target => ({ ...target, days: target.days.filter(one => one.day < day) })),
  terms: [],
})

/** The logarithm of the chance of all targets' orders from a day to another, which is not included. */
function explained(before: Facts, all: Facts, fit: Fit, from: string, to: string): number {
  const estimates = estimate({ ...before, fit }, from)
  const later = new Map(
    all.targets.map(target => [target.id, target.days.filter(one => one.day >= from && one.day < to)]),
  )
  return before.targets.reduce((sum, target) => {
    const days = later.get(target.id) ?? []
    const clicks = days.reduce((total, one) => total + one.clicks, 0)
    if (clicks === 0) return sum
    const orders = days.reduce((total, one) => total + one.orders, 0)
    const { rate, shape } = estimates.ofTarget(target)
    return sum + countChance(Math.round(orders), clicks * rate, shape)
  }, 0)
}

/** The row that says that the engine has fitted what it assumes to a group. */
export const refitRow = (before: Fit, after: Fit, bias: number, today: string): Decision => ({
  kind: 'steer',
  groupId: `refit ${today}`,
  entity: 'group',
  entityId: '',
  before: before.halfLifeDays,
  after: after.halfLifeDays,
  cause: 'REFITTED',
  asks: false,
  evidence: { basis: { refit: { before, after, bias } } },
  forecast: null,
})
