import { suggestedBids } from './known-advice.ts'

/** A launch of the table as people would read it off the marketplace's console; amounts in the currency. */
export interface ExpectedGroup {
  name: string
  defaultBid: number
  /** `EXACT yoga mat 1 0.50` */
  keywords: string[]
  /** `CLOSE_MATCH 0.40`, `CATEGORY 101 0.20`, `PRODUCT_EXACT B0RIVAL101 0.25` */
  targets: string[]
  /** Negative exact. */
  negatives: string[]
}
export interface ExpectedCampaign {
  /** What follows prefix and campaign name. */
  suffix: string
  targeting: 'AUTO' | 'MANUAL'
  budget: number
  bidding: 'DOWN' | 'UP_AND_DOWN'
  topOfSearch: number
  groups: ExpectedGroup[]
}

export const intensities = ['PASSIVE', 'NORMAL', 'GROWTH'] as const
export type Intensity = (typeof intensities)[number]

type ByIntensity = readonly [number, number, number]
const at = (bids: ByIntensity, intensity: Intensity) => bids[intensities.indexOf(intensity)] ?? Number.NaN

/** The default bid of an ad group: the middle suggestion x 0.8, 1.0, 1.3; 0.75 stands in where nothing is suggested. */
const defaults = {
  AUTO: [0.56, 0.7, 0.91],
  EXACT: [0.8, 1, 1.3],
  PHRASE: [0.64, 0.8, 1.04],
  BROAD: [0.48, 0.6, 0.78],
  CATEGORY: [0.32, 0.4, 0.52],
  PRODUCT: [0.4, 0.5, 0.65],
  NOTHING_SUGGESTED: [0.6, 0.75, 0.98],
} as const

type KeywordMatch = 'EXACT' | 'PHRASE' | 'BROAD'
export const amount = (value: number): string => value.toFixed(2)

/** What one ad group buys, in the words of the table. */
export interface Contents {
  name: string
  match: KeywordMatch | 'AUTO' | 'CATEGORY' | 'PRODUCT_EXACT' | 'PRODUCT_SIMILAR'
  /** Recommended terms or targets: at the suggested bid. */
  recommended?: readonly string[]
  /** The user's own: at the user's bid. */
  own?: readonly (readonly [string, number])[]
  /** Competes by the high end, unless the intensity is passive. */
  high?: boolean
  negatives?: readonly string[]
}

const bidKind = (match: Exclude<Contents['match'], 'AUTO'>) =>
  match === 'PRODUCT_EXACT' || match === 'PRODUCT_SIMILAR' ? 'PRODUCT' : match

/** An ad group for an intensity. */
export function groupFor(contents: Contents, intensity: Intensity): ExpectedGroup {
  const { name, match, recommended = [], own = [], high, negatives = [] } = contents
  const level = high && intensity !== 'PASSIVE' ? 'GROWTH' : intensity
  if (match === 'AUTO')
    return {
      name,
      defaultBid: at(defaults.AUTO, level),
      keywords: [],
      targets: [
        `CLOSE_MATCH ${amount(at(suggestedBids.CLOSE_MATCH, level))}`,
        `LOOSE_MATCH ${amount(at(suggestedBids.LOOSE_MATCH, level))}`,
        `SUBSTITUTES ${amount(at(defaults.AUTO, level))}`,
        `COMPLEMENTS ${amount(at(defaults.AUTO, level))}`,
      ],
      negatives: [...negatives],
    }
  const kind = bidKind(match)
  const bought = [
    ...recommended.map(what => `${match} ${what} ${amount(at(suggestedBids[kind], level))}`),
    ...own.map(([what, bid]) => `${match} ${what} ${amount(bid)}`),
  ]
  const isKeyword = kind === 'EXACT' || kind === 'PHRASE' || kind === 'BROAD'
  return {
    name,
    defaultBid: at(recommended.length ? defaults[kind] : defaults.NOTHING_SUGGESTED, level),
    keywords: isKeyword ? bought : [],
    targets: isKeyword ? [] : bought,
    negatives: [...negatives],
  }
}
