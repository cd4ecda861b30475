import { bidOf, setBid } from './apply.ts'
import type { Expected } from './expectation.ts'
import type { World } from './world.ts'

/** What one who knows all that the market will do on average could reach on a day with bids alone. */
export interface Oracle {
  bids: Map<string, number>
  /** Of a day, in micros, at the seller's margin. */
  profit: number
  sales: number
  cost: number
}

interface Choice {
  bid: number
  expected: Expected
}

const wide = Array.from({ length: 22 }, (_, i) => 0.06 * 1.27 ** i)
const narrow = [0.5, 0.6, 0.7, 0.8, 0.88, 0.94, 1, 1.06, 1.13, 1.25, 1.4, 1.6, 1.9]

/**
 * The best bids of each target for the most profit, or for the most sales at no more than the target ACOS, within the total
 * of the budgets. Found by letting all bids move together over a grid, and taking for each target its best point at one
 * price of money. Changes the bids of the world it is given: give it a copy.
 */
export function findOracle(world: World, day: string, goal: 'PROFIT' | 'SALES'): Oracle {
  const { store, account } = world
  const ids = [...store.keywords.keys(), ...store.targets.keys()]
  const reset = (bids: ReadonlyMap<string, number>): void => {
    for (const [id, bid] of bids) setBid(store, id, bid, account.takenOverAt.getTime())
  }
  const worthOf = (id: string, of: ReadonlyMap<string, Expected>): number => {
    const one = of.get(id)
    return one && one.clicks > 0 ? (one.sales / one.clicks) * account.margin : 0
  }
  const first = world.judge(day, false).targets
  let base = new Map(ids.map(id => [id, worthOf(id, first) || (bidOf(store, id) ?? 0)]))
  let best: Oracle | null = null
  for (const grid of [wide, narrow, narrow]) {
    const curves = new Map(ids.map(id => [id, [] as Choice[]]))
    for (const times of grid) {
      const bids = new Map([...base].map(([id, bid]) => [id, Math.max(1, bid * times)]))
      reset(bids)
      const { targets } = world.judge(day, false)
      for (const id of ids)
        curves.get(id)?.push({ bid: bids.get(id) ?? 0, expected: targets.get(id) ?? { clicks: 0, cost: 0, sales: 0 } })
    }
    base = cheapestThatFits(curves, world, goal)
    reset(base)
    const { cost, sales } = world.judge(day, false)
    const found = { bids: base, cost, sales, profit: sales * account.margin - cost }
    const isAllowed =
      cost <= world.budgetMicros * 1.02 && (goal === 'PROFIT' || cost <= sales * account.targetAcos * 1.02)
    const isBetter = !best || (goal === 'PROFIT' ? found.profit > best.profit : found.sales > best.sales)
    if (!best || (isAllowed && isBetter)) best = found
  }
  return best as Oracle
}

/** Each target's best bid at the lowest price of money at which all limits hold. */
function cheapestThatFits(
  curves: ReadonlyMap<string, Choice[]>,
  { account, budgetMicros }: World,
  goal: 'PROFIT' | 'SALES',
) {
  const { margin, targetAcos } = account
  const at = (price: number) => {
    const value = ({ sales, cost }: Expected): number =>
      goal === 'PROFIT' ? sales * margin - cost * (1 + price) : sales * (1 + price * targetAcos) - cost * price
    return [...curves].map(([id, choices]) => {
      const none: Choice = { bid: 1, expected: { clicks: 0, cost: 0, sales: 0 } }
      return [id, choices.reduce((top, one) => (value(one.expected) > value(top.expected) ? one : top), none)] as const
    })
  }
  const fits = (price: number): boolean => {
    const sum = { cost: 0, sales: 0 }
    for (const [, { expected }] of at(price)) {
      sum.cost += expected.cost
      sum.sales += expected.sales
    }
    return sum.cost <= budgetMicros && (goal === 'PROFIT' || sum.cost <= sum.sales * targetAcos)
  }
  let [low, high] = [0, 200]
  if (fits(0)) high = 0
  for (let step = 0; step < 40 && high > 0; step++) {
    const middle = (low + high) / 2
    if (fits(middle)) high = middle
    else low = middle
  }
  return new Map(at(high).map(([id, { bid }]) => [id, bid]))
}
