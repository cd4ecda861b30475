import type { Store } from '../../core/model/store.ts'
import type { Market } from '../create-market.ts'
import { addTo, type Expected, type MarginOf, nothing } from './expect.ts'
import { type Game, openGame, outcomeOf, type Player } from './game.ts'

export interface OracleAnswer {
  /** The bid of each target that can be shown, in micros. */
  bids: Map<string, number>
  /** Of a whole day with these bids, if the money lasts. */
  expected: Expected
}

/** What a day is worth where each unit of money spent counts as so much more than itself. */
const worthOf = ({ profitMicros, costMicros }: Expected, scarcity: number): number =>
  profitMicros - scarcity * costMicros

/** Bids, a fixed part of each other apart. */
const ladder = (low: number, high: number, steps: number, allowed: Game['allowed']): number[] => [
  ...new Set(Array.from({ length: steps }, (_, i) => allowed(low * (high / low) ** (i / (steps - 1))))),
]

/**
 * Raises and lowers one bid after the other as long as that brings more, with what it takes from or leaves to the others
 * of its query. `choices` gives the bids to try for a target.
 */
function climb(
  { ofTarget, players }: Game,
  start: ReadonlyMap<string, number>,
  scarcity: number,
  choices: (targetId: string, bidMicros: number) => readonly number[],
): Map<string, number> {
  const bids = new Map(start)
  // By query: the sum of weights, and of weights times worth.
  const weights = new Map<string, number>()
  const worths = new Map<string, number>()
  const count = ({ query, offerAt }: Player, bidMicros: number, sign: 1 | -1): void => {
    const { weight, expected } = offerAt(bidMicros)
    weights.set(query, (weights.get(query) ?? 0) + sign * weight)
    worths.set(query, (worths.get(query) ?? 0) + sign * weight * worthOf(expected, scarcity))
  }
  for (const player of players) count(player, bids.get(player.targetId) as number, 1)
  const gainOf = (own: readonly Player[], bidMicros: number): number => {
    let sum = 0
    for (const { query, offerAt } of own) {
      const { weight, expected } = offerAt(bidMicros)
      const all = (weights.get(query) ?? 0) + weight
      if (all > 0) sum += ((worths.get(query) ?? 0) + weight * worthOf(expected, scarcity)) / all
    }
    return sum
  }
  for (let round = 0, moved = true; moved && round < 30; round++) {
    moved = false
    for (const [targetId, own] of ofTarget) {
      const current = bids.get(targetId) as number
      for (const player of own) count(player, current, -1)
      let [best, most] = [current, gainOf(own, current) * (1 + 1e-9)]
      for (const bidMicros of choices(targetId, current)) {
        const gain = gainOf(own, bidMicros)
        if (gain > most) [best, most] = [bidMicros, gain]
      }
      for (const player of own) count(player, best, 1)
      if (best === current) continue
      bids.set(targetId, best)
      moved = true
    }
  }
  return bids
}

interface Limits {
  /** What the day may cost in all; budgets of campaigns do not count. */
  totalBudgetMicros?: number
}

/**
 * The bids with which a day brings most profit, found by climbing from several starts on a ladder of bids and then between
 * its steps. For benches and tests alone. Throws when the profile has nothing to sell.
 */
export function profitOracle(
  market: Market,
  store: Store,
  profileId: number,
  at: Date,
  { marginOf, totalBudgetMicros = Number.POSITIVE_INFINITY }: Limits & { marginOf: MarginOf },
): OracleAnswer {
  const game = openGame(market, store, profileId, at, marginOf)
  const { allowed, bids } = game
  const least = allowed(0)
  const most = allowed(4 * Math.max(least, ...clickWorths(game, bids, 'profitMicros').values()))
  const coarse = ladder(least, most, 40, allowed)
  const floor = new Map([...bids.keys()].map(id => [id, least]))
  const best = (scarcity: number): OracleAnswer => {
    let answer: OracleAnswer | null = null
    for (const start of [bids, floor]) {
      const rough = climb(game, start, scarcity, () => coarse)
      const found = climb(game, rough, scarcity, (_, bid) =>
        ladder(Math.max(least, bid / 1.15), bid * 1.15, 13, allowed),
      )
      const expected = outcomeOf(game, found)
      if (!answer || worthOf(expected, scarcity) > worthOf(answer.expected, scarcity))
        answer = { bids: found, expected }
    }
    return answer as OracleAnswer
  }
  const free = best(0)
  if (free.expected.costMicros <= totalBudgetMicros) return free
  // The scarcer the money, the fewer bids are worth theirs.
  let [low, high] = [0, 1]
  let answer = best(high)
  while (answer.expected.costMicros > totalBudgetMicros && high < 1000)
    [low, high, answer] = [high, high * 3, best(high * 3)]
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2
    const found = best(middle)
    if (found.expected.costMicros > totalBudgetMicros) low = middle
    else [high, answer] = [middle, found]
  }
  return answer
}

/** What a click of each target brings on average at its bid, before its cost. */
function clickWorths(
  game: Game,
  bids: ReadonlyMap<string, number>,
  of: 'profitMicros' | 'sales7Micros',
): Map<string, number> {
  const worths = new Map<string, number>()
  for (const [targetId, own] of game.ofTarget) {
    const sum = nothing()
    for (const { offerAt } of own) addTo(sum, offerAt(bids.get(targetId) as number).expected)
    const brought = of === 'profitMicros' ? sum.profitMicros + sum.costMicros : sum.sales7Micros
    worths.set(targetId, sum.clicks > 0 ? brought / sum.clicks : 0)
  }
  return worths
}

export interface MultipleAnswer extends OracleAnswer {
  /** Bid of each target, as a share of the sales that a click of it brings. */
  multiple: number
}

/**
 * The most sales that one multiple of what a click is worth allows under a target: the day costs at most this share (0 to 1)
 * of its sales within seven days, or the lowest tried where none does. For benches and tests alone. Throws when the profile
 * has nothing to sell.
 */
export function multipleOracle(
  market: Market,
  store: Store,
  profileId: number,
  at: Date,
  {
    targetAcos,
    totalBudgetMicros = Number.POSITIVE_INFINITY,
    marginOf = () => 0,
  }: Limits & { targetAcos: number; marginOf?: MarginOf },
): MultipleAnswer {
  const game = openGame(market, store, profileId, at, marginOf)
  const answerOf = (multiple: number): MultipleAnswer => {
    let { bids } = game
    // The searches a target gets change a little with its bid, and with them what a click is worth.
    for (let round = 0; round < 3; round++)
      bids = new Map(
        [...clickWorths(game, bids, 'sales7Micros')].map(([id, worth]) => [id, game.allowed(multiple * worth)]),
      )
    return { multiple, bids, expected: outcomeOf(game, bids) }
  }
  const keeps = ({ expected: { costMicros, sales7Micros } }: MultipleAnswer): boolean =>
    costMicros <= targetAcos * sales7Micros && costMicros <= totalBudgetMicros
  const steps = Array.from({ length: 60 }, (_, i) => answerOf(targetAcos * 0.1 * 80 ** (i / 59)))
  const possible = steps.filter(keeps)
  const [first] = steps
  if (!first) throw new Error('no steps')
  let best = possible.reduce<MultipleAnswer>(
    (one, other) => (other.expected.sales7Micros > one.expected.sales7Micros ? other : one),
    possible[0] ?? first,
  )
  let [low, high] = [best.multiple, best.multiple * 80 ** (1 / 59)]
  for (let i = 0; i < 8; i++) {
    const middle = answerOf((low + high) / 2)
    if (!keeps(middle)) high = middle.multiple
    else {
      low = middle.multiple
      if (middle.expected.sales7Micros > best.expected.sales7Micros) best = middle
    }
  }
  return best
}
