import type { LaunchAdvice } from '#features/launches/plan/launch-plan.ts'
import { toMicros } from '#shared/money.ts'

/** Suggested bids, low, median and high: what PASSIVE, NORMAL and GROWTH take. */
export const suggestedBids = {
  EXACT: [0.5, 1, 1.5],
  PHRASE: [0.4, 0.8, 1.2],
  BROAD: [0.3, 0.6, 0.9],
  CLOSE_MATCH: [0.4, 0.7, 1],
  LOOSE_MATCH: [0.2, 0.3, 0.5],
  CATEGORY: [0.2, 0.4, 0.6],
  PRODUCT: [0.25, 0.5, 0.75],
} as const

function rangeOf([low, median, high]: readonly [number, number, number]) {
  return {
    lowMicros: toMicros(low),
    medianMicros: toMicros(median),
    highMicros: toMicros(high),
  }
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** The recommended terms from one rank to another, the strongest being 1. */
export const terms = (from: number, to: number): string[] => numbers(from, to).map(n => `yoga mat ${n}`)
/** The ids of the recommended categories. */
export const categoryIds = (from: number, to: number): string[] => numbers(from, to).map(n => String(100 + n))
/** The recommended rivals. */
export const rivals = (from: number, to: number): string[] => numbers(from, to).map(n => `B0RIVAL${100 + n}`)

/** A marketplace that recommends 80 terms, 7 categories and 30 products, and no bid for two of the automatic groups. */
export const knownAdvice: LaunchAdvice = {
  keywords: terms(1, 80).flatMap(text =>
    (['EXACT', 'PHRASE', 'BROAD'] as const).map(matchType => ({
      text,
      matchType,
      suggested: rangeOf(suggestedBids[matchType]),
    })),
  ),
  auto: [
    { group: 'CLOSE_MATCH', suggested: rangeOf(suggestedBids.CLOSE_MATCH) },
    { group: 'LOOSE_MATCH', suggested: rangeOf(suggestedBids.LOOSE_MATCH) },
  ],
  categories: categoryIds(1, 7).map(id => ({
    id,
    name: `Mats ${id}`,
    path: null,
    suggested: rangeOf(suggestedBids.CATEGORY),
  })),
  products: rivals(1, 30).map(asin => ({ asin, isOwn: false, suggested: rangeOf(suggestedBids.PRODUCT) })),
  brands: null,
}
