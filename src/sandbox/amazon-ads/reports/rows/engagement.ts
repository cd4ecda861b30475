import { fraction, hashText, mix } from '../../../market/random.ts'
import type { Fact } from '../../../market/market.ts'

export const engagementFields = [
  'detailPageViews',
  'newDetailPageViews',
  'brandedSearches',
  'addToCart',
  'fiveSecondViews',
  'firstQuartileViews',
  'midpointViews',
  'thirdQuartileViews',
  'completeViews',
  'unmutes',
] as const

/** What people did besides clicking and buying, as reports of Sponsored Brands and Display have it. */
export type Engagement = Record<(typeof engagementFields)[number], number>

/** Whole part of `share` of a count, the rest by a chance that belongs to the fact. */
const shareOf = (count: number, share: number, seed: number, salt: number): number =>
  Math.min(count, Math.floor(count * share + fraction(mix(seed, salt))))

/**
 * Follows from the fact alone, so that it is the same in whatever report the fact is counted, and never grows when
 * clicks are taken back.
 */
export function engagementOf(fact: Fact, video: boolean): Engagement {
  const seed = hashText(`${fact.adId}${fact.targetId}${fact.searchTerm}${fact.placement}`, Math.floor(fact.at / 3.6e6))
  const { clicks, viewableImpressions } = fact
  const orders = fact.purchases.length
  const detailPageViews = clicks + shareOf(clicks, 0.3, seed, 1)
  const watched = (share: number): number => (video ? Math.floor(viewableImpressions * share) : 0)
  return {
    detailPageViews,
    newDetailPageViews: shareOf(detailPageViews, 0.7, seed, 3),
    brandedSearches: clicks === 0 ? 0 : shareOf(clicks, 0.08, seed, 4),
    addToCart: orders + (clicks === 0 ? 0 : shareOf(clicks, 0.07, seed, 5)),
    fiveSecondViews: watched(0.42),
    firstQuartileViews: watched(0.55),
    midpointViews: watched(0.38),
    thirdQuartileViews: watched(0.27),
    completeViews: watched(0.2),
    unmutes: watched(0.03),
  }
}
