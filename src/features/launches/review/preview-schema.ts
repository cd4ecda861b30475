import * as v from 'valibot'
import { recommendedBid } from '#features/recommendations/contract.ts'
import { money } from '#shared/money.ts'
import { autoGroupKeys, groupMatchKeys, keywordMatches, phaseKeys, targetMatches } from '../templates.ts'
import { noticeKinds } from './notices.ts'

const amount = v.nullable(money)
/** A bid, the range it was taken from, why it is what it is, and what one click may cost at worst. */
const bidFields = { ...recommendedBid, worstCaseCpc: money }
const range = v.object({ low: v.number(), high: v.number() })
const phase = v.picklist(phaseKeys)

const adGroup = v.object({
  name: v.string(),
  phase,
  match: v.picklist(groupMatchKeys),
  defaultBid: money,
  products: v.array(v.object({ asin: v.string(), sku: v.string(), title: v.nullable(v.string()) })),
  keywords: v.array(
    v.object({
      keyword: v.string(),
      matchType: v.picklist(keywordMatches),
      /** True where it names the brand of an advertised product. */
      isOwnBrand: v.boolean(),
      ...bidFields,
    }),
  ),
  autoTargets: v.array(v.object({ group: v.picklist(autoGroupKeys), ...bidFields })),
  targets: v.array(
    v.object({
      match: v.picklist(targetMatches),
      /** A category's id or a product's ASIN. */
      value: v.string(),
      name: v.nullable(v.string()),
      ...bidFields,
    }),
  ),
  /** Terms kept out of this ad group; all of them exact. */
  negativeKeywords: v.array(v.string()),
  negativePhrases: v.array(v.string()),
})

const campaign = v.object({
  name: v.string(),
  phase,
  targetingType: v.picklist(['AUTO', 'MANUAL']),
  /** Daily. */
  budget: money,
  /** How many clicks it buys at its mean bid; null without bids. */
  clicksPerDay: v.nullable(v.number()),
  /** Percent of the total daily budget. */
  budgetShare: v.number(),
  /** What one busy day may spend: the marketplace evens a month out and may double a day. */
  busyDaySpend: money,
  biddingStrategy: v.picklist(['SALES_DOWN_ONLY', 'SALES_UP_AND_DOWN']),
  topOfSearchPercent: v.number(),
  worstCaseCpc: money,
  adGroups: v.array(adGroup),
})

export const launchPreview = v.object({
  currency: v.string(),
  budget: money,
  busyDaySpend: money,
  worstCaseCpc: money,
  targetAcos: v.number(),
  campaigns: v.array(campaign),
  totals: v.object({
    campaigns: v.number(),
    adGroups: v.number(),
    productAds: v.number(),
    keywords: v.number(),
    targets: v.number(),
    negativeKeywords: v.number(),
  }),
  forecast: v.object({
    /** A week; spend in `currency`. Orders are null while the product's conversion rate is not known. */
    spend: v.object({ low: money, high: money }),
    clicks: range,
    orders: v.nullable(range),
    source: v.string(),
    caveat: v.string(),
  }),
  /** What is worth knowing, the weightiest first; none of it forbids the launch. */
  notices: v.array(v.object({ kind: v.picklist(noticeKinds), message: v.string(), details: v.array(v.string()) })),
  /** The messages of the notices. */
  warnings: v.array(v.string()),
  /** Percent, of the product with least to spare among those known; null while COGS, fees or price are not known. */
  breakEvenAcos: v.nullable(v.number()),
  /** Of how many of the products it is known: one whose costs are not known may have less to spare. */
  breakEvenKnownFor: v.number(),
})
export type LaunchPreview = v.InferOutput<typeof launchPreview>

/** Break-even ACOS by product. Amounts are decimals of the marketplace's currency; null is what is not known. */
export const margins = v.object({
  /** Percent, of the product with least to spare. */
  breakEvenAcos: v.nullable(v.number()),
  /** What the figure leaves out. */
  caveat: v.string(),
  products: v.array(
    v.object({
      /** The inventory's number of it. */
      productId: v.number(),
      asin: v.string(),
      sku: v.string(),
      price: amount,
      cogs: amount,
      fees: amount,
      breakEvenAcos: amount,
      unknownBecause: v.nullable(v.string()),
    }),
  ),
})
export type Margins = v.InferOutput<typeof margins>
