import type { AdType, AdvertiserType } from './campaign-rules.ts'
import type { MarketplaceFacts } from './marketplaces.ts'
import { fromMicros, hasUnitPrecision, type Micros, toMicros } from './money.ts'

// Which bids and budgets a marketplace takes. Its own facts hold what Sponsored Products take; the table is of Sponsored
// Brands and Sponsored Display.

/** Least and most, in micros of the marketplace's currency. */
export interface MoneyRange {
  leastMicros: Micros
  mostMicros: Micros
}

// In the order of the columns below.
const limits = [
  'brandImageCPC',
  'brandVideoCPC',
  'brandImageVCPM',
  'brandVideoVCPM',
  'displayCPC',
  'displayVCPM',
  'brandDAILY',
  'brandLIFETIME',
  'displayDaily',
  'displayDailyOfVendors',
] as const

// As published in the advertising API's guide to limits, misprints and all (Turkey's video bids); Ireland has no
// Sponsored Display.
// biome-ignore format: one marketplace a line
const rows: Record<string, readonly string[]> = {
  MX: ['0.10/20000', '0.15/20000', '128/800000', '80/800000', '0.1/20000', '5/20000', '1/21000000', '1000/200000000', '1/21000000', '1/21000000'],
  UK: ['0.10/31', '0.15/31', '4/5000', '8/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  DE: ['0.10/39', '0.15/39', '5/5000', '7/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  CA: ['0.10/49', '0.15/49', '11/5000', '11/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  AU: ['0.10/70', '0.15/70', '14/2800', '20/2800', '0.2/1000', '1/1000', '1.4/1500000', '141/28000000', '1.4/1500000', '1.4/1500000'],
  US: ['0.10/49', '0.25/49', '8/5000', '12/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  FR: ['0.10/39', '0.15/39', '4/5000', '8/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  ES: ['0.10/39', '0.15/39', '4/5000', '7/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  IT: ['0.10/39', '0.15/39', '4/5000', '6/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  NL: ['0.10/39', '0.15/39', '6/1560', '8/1560', '0.02/1000', '1/1000', '4/3700000', '367/74000000', '1/1000000', '1/1000000'],
  JP: ['10.0/7760', '15.0/7760', '560/310400', '800/310400', '2/100000', '100/100000', '100/21000000', '10000/21000000', '100/21000000', '100/5000000'],
  AE: ['0.40/184', '0.6/184', '44/7360', '28/7360', '0.2/3670', '1/3670', '4/3700000', '367/74000000', '4/3700000', '4/3700000'],
  BR: ['0.53/200', '0.8/25000', '37/8000', '53/8000', '0.07/3700', '2/3700', '4/3700000', '367/74000000', '1.32/5300000', '1.32/5300000'],
  SG: ['0.14/100', '0.2/1400', '6/4000', '29/4000', '0.14/1410', '4/1410', '4/3700000', '367/74000000', '4/1300000', '4/1300000'],
  SE: ['0.90/500', '1.30/500', '36/20000', '276/20000', '0.18/1000', '1/1000', '9/9400000', '900/187000000', '1/1000000', '1/1000000'],
  IN: ['1/500', '1.5/500', '84/80000', '200/80000', '1/5000', '4/5000', '100/21000000', '5000/200000000', '50/21000000', '50/5000000'],
  PL: ['0.2/200', '0.3/200', '92/8000', '180/8000', '0.02/1000', '1/1000', '2/2400000', '200/47000000', '1/1000000', '1/1000000'],
  TR: ['0.2/200', '0.3/200', '74/8000', '0.3/200', '0.05/2500', '1.85/2500', '2/2700000', '250/53000000', '2/2700000', '2/2700000'],
  EG: ['0.7/400', '1/400', '160/16000', '300/16000', '0.15/7400', '5/7400', '7/7600000', '750/151000000', '7/7600000', '7/7600000'],
  SA: ['0.40/184', '0.60/184', '28/7360', '40/7360', '0.10/3670', '4/3670', '4/3700000', '367/74000000', '4/3700000', '4/3700000'],
  BE: ['0.10/39', '0.15/39', '4/1560', '6/1560', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/1000000'],
  ZA: ['0.7/350', '1.1/350', '0.7/350', '1.1/350', '0.7/1000', '1.5/1000', '6/7000000', '650/140000000', '6/7000000', '6/7000000'],
  IE: ['0.10/39', '0.15/39', '4/1560', '6/1560', '', '', '1/1000000', '100/2000000', '', ''],
}

/**
 * Bids (by what is paid for, and higher for video) or budgets that an ad product takes in a country, the marketplace's own
 * code. From 0 to 0 where it is not available.
 */
export function rangeIn(country: string, limit: (typeof limits)[number]): MoneyRange {
  const row = rows[country]
  if (!row) throw new Error(`no limits of ${country}`)
  const [least = '0', most = '0'] = row[limits.indexOf(limit)]?.split('/').filter(Boolean) ?? []
  return { leastMicros: toMicros(least), mostMicros: toMicros(most) }
}

/** As far as it is known what the bids and budgets are of: limits of what is unknown are as wide as any. */
export interface AdTerms {
  adType: string
  costType?: string | null
  isVideo?: boolean | null
  advertiser?: AdvertiserType
}
export type AdLimits = BidLimits & BudgetLimits & LifetimeBudgetLimits

const costTypes = ['CPC', 'VCPM'] as const
function bidRanges({ adType, costType, isVideo }: AdTerms) {
  const paid = costTypes.filter(one => (costType ?? one) === one)
  if (adType === 'SPONSORED_DISPLAY') return paid.map(one => `display${one}` as const)
  const formats = (['Image', 'Video'] as const).filter(one => (isVideo ?? one === 'Video') === (one === 'Video'))
  return paid.flatMap(one => formats.map(format => `brand${format}${one}` as const))
}

/** The bids and budgets that a marketplace takes in campaigns of an ad type. */
export function adLimits(market: MarketplaceFacts, terms: AdTerms): AdLimits {
  const none = { minLifetimeBudgetMicros: 0, maxLifetimeBudgetMicros: 0 }
  const adType = terms.adType as AdType
  if (adType === 'SPONSORED_PRODUCTS') return { ...market, ...none }
  const bids = bidRanges(terms).map(limit => rangeIn(market.key, limit))
  const ofVendor = terms.advertiser === 'vendor' ? 'displayDailyOfVendors' : 'displayDaily'
  const daily = rangeIn(market.key, adType === 'SPONSORED_BRANDS' ? 'brandDAILY' : ofVendor)
  const lifetime = rangeIn(market.key, 'brandLIFETIME')
  return {
    currency: market.currency,
    minBidMicros: Math.min(...bids.map(bid => bid.leastMicros)),
    maxBidMicros: Math.max(...bids.map(bid => bid.mostMicros)),
    minDailyBudgetMicros: daily.leastMicros,
    maxDailyBudgetMicros: daily.mostMicros,
    ...(adType === 'SPONSORED_BRANDS'
      ? { minLifetimeBudgetMicros: lifetime.leastMicros, maxLifetimeBudgetMicros: lifetime.mostMicros }
      : none),
  }
}

/** The bids that a marketplace accepts. */
export type BidLimits = Pick<MarketplaceFacts, 'currency' | 'minBidMicros' | 'maxBidMicros'>
/** The daily budgets of one campaign that a marketplace accepts. */
export type BudgetLimits = Pick<MarketplaceFacts, 'currency' | 'minDailyBudgetMicros' | 'maxDailyBudgetMicros'>

/** The budgets for the whole run of one campaign that a marketplace accepts. */
export interface LifetimeBudgetLimits {
  currency: string
  minLifetimeBudgetMicros: Micros
  maxLifetimeBudgetMicros: Micros
}

/** The problem of a bid that is missing. */
export const NO_BID = 'Enter a bid'

// Above the limits of every marketplace, and well below what micros can hold.
const HIGHEST_AMOUNT = 1_000_000_000

/** The amounts that a marketplace accepts of something. */
export interface AmountLimits {
  currency: string
  lowMicros: Micros
  highMicros: Micros
}

/** Why a marketplace does not accept an amount of money, as a sentence about `subject`; null when it does. */
export function amountProblem(
  subject: string,
  amount: number,
  { currency, lowMicros, highMicros }: AmountLimits,
): string | null {
  const isAmount = Number.isFinite(amount) && Math.abs(amount) <= HIGHEST_AMOUNT
  const micros = isAmount ? toMicros(amount) : Number.POSITIVE_INFINITY
  if (micros < lowMicros || micros > highMicros)
    return `${subject} must be between ${fromMicros(lowMicros)} and ${fromMicros(highMicros)} ${currency}`
  return hasUnitPrecision(micros, currency) ? null : `${subject} has more decimals than ${currency} has`
}

/** Why a marketplace does not accept a bid (a decimal amount; null while there is none) for `subject`; null when it does. */
export function bidProblem(
  bid: number | null,
  { currency, minBidMicros, maxBidMicros }: BidLimits,
  { subject = 'The bid', budgetMicros = null }: { subject?: string; budgetMicros?: Micros | null } = {},
): string | null {
  if (bid === null) return NO_BID
  const problem = amountProblem(subject, bid, { currency, lowMicros: minBidMicros, highMicros: maxBidMicros })
  if (problem || budgetMicros === null || toMicros(bid) <= budgetMicros) return problem
  return `${subject} must not be higher than the campaign’s daily budget of ${fromMicros(budgetMicros)} ${currency}`
}

/** Why a marketplace does not accept the daily budget of one campaign; null when it does. */
export function dailyBudgetProblem(
  budget: number,
  { currency, minDailyBudgetMicros, maxDailyBudgetMicros }: BudgetLimits,
): string | null {
  const limits = { currency, lowMicros: minDailyBudgetMicros, highMicros: maxDailyBudgetMicros }
  return amountProblem('The daily budget', budget, limits)
}

/** Why a marketplace does not accept the budget of one campaign for its whole run; null when it does. */
export function lifetimeBudgetProblem(
  budget: number,
  { currency, minLifetimeBudgetMicros, maxLifetimeBudgetMicros }: LifetimeBudgetLimits,
): string | null {
  const limits = { currency, lowMicros: minLifetimeBudgetMicros, highMicros: maxLifetimeBudgetMicros }
  return amountProblem('The lifetime budget', budget, limits)
}
