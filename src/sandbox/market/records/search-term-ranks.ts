import { fraction, mix } from '../random.ts'
import type { SearchTermRank } from '../market.ts'
import type { Query, QueryKind } from '../queries/queries.ts'
import { IMPRESSIONS_PER_SEARCH } from '../simulation/auction.ts'
import type { Ledger } from './ledger.ts'
import { getOrMake } from '../get-or-make.ts'

const HOURS = 30 * 24
const INCOMPLETE_HOURS = 12

/** How many rivals advertise for a query, on average. */
const meanRivals: Record<QueryKind, number> = {
  head: 30,
  feature: 20,
  use: 16,
  pair: 12,
  irrelevant: 10,
  rival: 10,
  'own-brand': 4,
  page: 12,
  rare: 3,
  tail: 4,
}

/** Number of rivals for a query. Depends on the seed alone. */
const rivalsOf = ({ kind, seed }: Query): number =>
  Math.max(1, Math.round(meanRivals[kind] * (0.7 + 0.6 * fraction(mix(seed, 0x72697661)))))

/**
 * The rank of an account with `won` impressions among rivals with `lost` impressions together. Rivals' bids spread
 * log-logistically, and impressions follow the square of a bid: the k-th weakest of n rivals has the odds of its
 * quantile, (2k - 1) to (2n - 2k + 1).
 */
export function rankAmong(won: number, lost: number, rivals: number): number {
  const odds = Array.from({ length: rivals }, (_, i) => (2 * i + 1) / (2 * (rivals - i) - 1))
  const total = odds.reduce((sum, one) => sum + one, 0)
  return 1 + odds.filter(one => (lost * one) / total > won).length
}

/**
 * How an account ranked for each search, given as its close variants, in the 30 days up to hour `end` without the
 * incomplete last hours. All impressions of a search follow from its volume in closed form. Because shoppers come in
 * waves, a quiet search can see more of them in a month than expected; then the account won everything.
 */
export function searchTermRanksOf(
  ledger: Ledger,
  searches: readonly (readonly Query[])[],
  end: number,
  demandAt: (categoryId: string, hour: number) => number,
): (SearchTermRank | null)[] {
  const to = end - INCOMPLETE_HOURS
  const from = to - HOURS
  const impressions = ledger.impressionsByTerm(new Set(searches.flat().map(query => query.text)), from, to)
  const demands = new Map<string, number>()
  const demandOf = (categoryId: string): number =>
    getOrMake(demands, categoryId, () => {
      let demand = 0
      for (let hour = from; hour < to; hour++) demand += demandAt(categoryId, hour)
      return demand
    })
  return searches.map(queries => {
    const account = queries.reduce((sum, { text }) => sum + (impressions.get(text) ?? 0), 0)
    if (account === 0) return null
    const mean = queries.reduce((sum, { volume, categoryId }) => sum + volume * demandOf(categoryId), 0)
    const all = Math.max(account, mean * IMPRESSIONS_PER_SEARCH)
    return { rank: rankAmong(account, all - account, Math.max(...queries.map(rivalsOf))), share: account / all }
  })
}
