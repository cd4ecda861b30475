import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit, smallestUnitMicros } from '#shared/money.ts'
import type { Expression } from '../../core/model/store.ts'
import type { BidRange, Drift } from '../market.ts'
import { fraction, hashText, mix } from '../random.ts'
import { rivalsAt } from '../simulation/rivals.ts'
import { categoriesOf, type Listing, relevance } from './listing.ts'
import { RIVAL_PAGES, type QueryIndex, trafficOf } from './queries.ts'
import type { QueryMatcher } from './query-matcher.ts'

/** Queries that the listings answer, by how many buyers they promise. */
export function suggestKeywords(index: QueryIndex, listings: readonly Listing[], limit: number) {
  return categoriesOf(listings)
    .flatMap(id => index.byCategory.get(id) ?? [])
    .filter(query => query.kind !== 'page')
    .map(query => ({
      text: query.text,
      score: query.volume * Math.max(0, ...listings.map(listing => relevance(query, listing))),
    }))
    .filter(suggestion => suggestion.score > 0.02)
    .sort((a, b) => b.score - a.score || a.text.localeCompare(b.text))
    .slice(0, limit)
}

/** Categories of the listings first, then those bought together with them. */
export function suggestCategories(index: QueryIndex, listings: readonly Listing[]) {
  const listed = categoriesOf(listings)
  return [...new Set([...listed, ...index.complements(listed)])].flatMap(id => {
    const category = index.categories.find(one => one.id === id)
    if (!category) return []
    // A real category holds thousands of products; the simulation needs only a few pages of it.
    const asinCount = 800 + (hashText(id, RIVAL_PAGES) % 24_000)
    return [{ categoryId: id, name: category.name, path: category.path, asinCount }]
  })
}

/** Product pages worth targeting, in the marketplace's two themes. */
export function suggestProducts(index: QueryIndex, listings: readonly Listing[], limit: number) {
  const listedAsins = new Set(listings.map(listing => listing.product.asin))
  const asinsOf = (categoryIds: readonly string[]): string[] =>
    categoryIds
      .flatMap(id => index.byCategory.get(id) ?? [])
      .filter(query => query.kind === 'page' && !listedAsins.has(query.text.toUpperCase()))
      .sort((a, b) => b.volume - a.volume)
      .map(query => query.text.toUpperCase())
      .slice(0, Math.min(limit, RIVAL_PAGES * 2))
  const categoryIds = categoriesOf(listings)
  return [
    { theme: 'SUBSTITUTES', description: 'Products that shoppers compare with yours', asins: asinsOf(categoryIds) },
    {
      theme: 'COMPLEMENTS',
      description: 'Products that shoppers buy together with yours',
      asins: asinsOf(index.complements(categoryIds)),
    },
  ].filter(suggestion => suggestion.asins.length > 0)
}

/** Suggested bids are some days old, drawn from a sample that changes as often, and hide what few people type. */
const AGE_DAYS = 4
const NOISE = 0.25
const FEWEST_SEARCHES = 0.12

interface BidQuestion {
  marketplaceId: string
  matcher: QueryMatcher
  /** Days since 1970, in the account's time zone. */
  day: number
  drift: Drift
}

/** About what rivals paid for the queries that an expression matches, weighted by traffic; null when too few people type them. */
export function suggestBid(
  { marketplaceId, matcher, day, drift }: BidQuestion,
  listings: readonly Listing[],
  expression: Expression,
): BidRange | null {
  const marketplace = marketplaceByAmazonId(marketplaceId)
  const queries = matcher.byExpression([expression], listings)
  const volume = queries.reduce((sum, query) => sum + query.volume, 0)
  if (!marketplace || volume < FEWEST_SEARCHES * trafficOf(marketplaceId)) return null
  const sample = Math.floor(day / AGE_DAYS)
  const then = { day: (sample - 1) * AGE_DAYS, hour: 12, weekday: 0 }
  const typical =
    queries.reduce((sum, query) => sum + query.rivalBidMicros * rivalsAt(query, then, drift) * query.volume, 0) / volume
  const { type, value = '' } = expression
  const noise = 1 + NOISE * (2 * fraction(mix(hashText(`${type}|${value}`, queries[0]?.seed ?? 0), sample)) - 1)
  // The closer the match, the more rivals pay for it.
  const closeness = /EXACT|CLOSE|HIGH_REL/.test(type) ? 1.05 : /PHRASE/.test(type) ? 0.95 : 0.85
  const { minBidMicros, maxBidMicros, currency } = marketplace
  const bid = (micros: number): number =>
    Math.min(maxBidMicros, Math.max(minBidMicros, roundToUnit(micros, currency), smallestUnitMicros(currency)))
  const median = typical * closeness * noise
  return { lowMicros: bid(median * 0.72), medianMicros: bid(median), highMicros: bid(median * 1.4) }
}
