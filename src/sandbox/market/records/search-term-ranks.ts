import { fraction, mix } from '../random.ts'
import type { SearchTermStanding } from '../market.ts'
import type { Term, TermKind } from '../queries/queries.ts'
import { IMPRESSIONS_PER_SEARCH } from '../simulation/auction.ts'
import type { Ledger } from './ledger.ts'

const HOURS = 30 * 24
/** Figures of the last hours are not complete yet. */
const LATEST_HOURS = 12

/** How many others advertise before a search, in the mean. */
const meanRivals: Record<TermKind, number> = {
  head: 30,
  feature: 20,
  use: 16,
  pair: 12,
  astray: 10,
  rival: 10,
  own: 4,
  page: 12,
  rare: 3,
}

/** Number of rivals before a search; depends on the seed alone. */
export const rivalsOf = ({ kind, seed }: Term): number =>
  Math.max(1, Math.round(meanRivals[kind] * (0.7 + 0.6 * fraction(mix(seed, 0x72697661)))))

/**
 * The place of an account with `won` impressions among rivals who have `lost` together. Rivals' bids spread
 * log-logistically, and impressions follow the square of a bid, as the account's own do: the k-th weakest of n rivals
 * has the odds of its quantile, (2k - 1) to (2n - 2k + 1).
 */
export const rankAmong = (won: number, lost: number, rivals: number): number => {
  const odds = Array.from({ length: rivals }, (_, i) => (2 * i + 1) / (2 * (rivals - i) - 1))
  const total = odds.reduce((sum, one) => sum + one, 0)
  return 1 + odds.filter(one => (lost * one) / total > won).length
}

/**
 * How an account stood in the 30 days up to hour `end` (less those that are not complete) before each search, given as
 * its close variants. All impressions of a search follow from its volume in closed form. Shoppers come in waves, and a
 * quiet search may see more of them in a month than in the mean: then what was won was everything.
 */
export const standingsOf = (
  ledger: Ledger,
  searches: readonly (readonly Term[])[],
  end: number,
  demandAt: (categoryId: string, hour: number) => number,
): (SearchTermStanding | null)[] => {
  const to = end - LATEST_HOURS
  const from = to - HOURS
  const won = ledger.impressionsByTerm(new Set(searches.flat().map(term => term.text)), from, to)
  const demands = new Map<string, number>()
  const demandOf = (categoryId: string): number => {
    let demand = demands.get(categoryId)
    if (demand === undefined) {
      demand = 0
      for (let hour = from; hour < to; hour++) demand += demandAt(categoryId, hour)
      demands.set(categoryId, demand)
    }
    return demand
  }
  return searches.map(terms => {
    const own = terms.reduce((sum, { text }) => sum + (won.get(text) ?? 0), 0)
    if (own === 0) return null
    const mean = terms.reduce((sum, { volume, categoryId }) => sum + volume * demandOf(categoryId), 0)
    const all = Math.max(own, mean * IMPRESSIONS_PER_SEARCH)
    return { rank: rankAmong(own, all - own, Math.max(...terms.map(rivalsOf))), share: own / all }
  })
}
