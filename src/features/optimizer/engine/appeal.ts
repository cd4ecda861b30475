import type { TargetFacts } from './facts.ts'

// Shoppers who do not look for the product click on its ads less often, and buy less often when they do. How far the one follows the
// other is learnt from the account's own orders: long before a word has orders, it has been shown hundreds of times.

/** What a target's own share of clicks is believed against that of all, in clicks. */
const alikeClicks = 2
/** How steeply orders may follow, and how far from not at all that is usually, as a standard deviation. */
const steepness = { most: 3, usual: 1 }

interface Sums {
  clicks: number
  orders: number
}

/**
 * What a click on each target is worth in orders against a mean one of its family, by how often shoppers who see the ad click on it,
 * in searches and on product pages apart: 1 where that says nothing. `sums` are the clicks and orders to learn from.
 */
export function appealOf(targets: readonly TargetFacts[], sums: ReadonlyMap<string, Sums>): Map<string, number> {
  const groups = [...Map.groupBy(targets, placeOf).values()].map(own => {
    const seen = own.flatMap(toSeen)
    const clicks = total(seen, one => one.clicks)
    const usual =
      clicks /
      Math.max(
        1,
        total(seen, one => one.shown),
      )
    return seen.map(({ id, ...one }) => {
      const { clicks: weighed = 0, orders = 0 } = sums.get(id) ?? {}
      const share = (one.clicks + alikeClicks) / (one.shown * usual + alikeClicks)
      return { id, clicks: weighed, orders, logShare: Math.log(share) }
    })
  })
  const power = powerOf(groups)
  return new Map(
    groups.flatMap(group => {
      const mean = total(group, one => one.clicks * Math.exp(power * one.logShare)) / total(group, one => one.clicks)
      return group.map(one => [one.id, mean > 0 ? Math.exp(power * one.logShare) / mean : 1] as const)
    }),
  )
}

/** On product pages all ads are clicked less often than in searches. */
const placeOf = ({ familyId, kind }: TargetFacts): string => `${familyId} ${kind === 'product' ? 'pages' : 'searches'}`

const toSeen = ({ id, impressions = 0, days }: TargetFacts) =>
  impressions > 0 ? [{ id, shown: impressions, clicks: total(days, one => one.clicks) }] : []

/**
 * The power of the share of clicks that orders follow, most likely by how the orders of each group are spread over its targets
 * (conditional Poisson), against the belief that they follow nothing.
 */
function powerOf(groups: readonly (readonly (Sums & { logShare: number })[])[]): number {
  const slope = (power: number): number =>
    groups.reduce(
      (sum, group) => {
        const expected = { clicks: 0, logShare: 0 }
        for (const { clicks, logShare } of group) {
          const weight = clicks * Math.exp(power * logShare)
          expected.clicks += weight
          expected.logShare += weight * logShare
        }
        if (expected.clicks === 0) return sum
        const orders = total(group, one => one.orders)
        return sum + total(group, one => one.orders * one.logShare) - (orders * expected.logShare) / expected.clicks
      },
      -power / steepness.usual ** 2,
    )
  let [low, high] = [0, steepness.most]
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2
    if (slope(middle) > 0) low = middle
    else high = middle
  }
  return low
}

const total = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0)
