import { type Micros, currencyDigits, fromMicros, roundToUnit, smallestUnitMicros } from '#shared/money.ts'

/** What the marketplace suggests for one keyword or target, in micro-units. */
export interface SuggestedBids {
  lowMicros: Micros
  medianMicros: Micros
  highMicros: Micros
}

export type Strategy = 'PASSIVE' | 'NORMAL' | 'GROWTH'

/** What bounds every bid of one campaign. Amounts in micro-units of `currency`. */
export interface BidBounds {
  currency: string
  minBidMicros: Micros
  maxBidMicros: Micros
  /** The campaign's daily budget, which no bid may pass; null where there is no campaign yet. */
  budgetMicros: Micros | null
  /** The dearest click that still meets the target ACOS; null where order value or conversion rate is not known. */
  capMicros: Micros | null
}

export type BidSource = 'SUGGESTED' | 'DEFAULT' | 'YOURS'
export type BidLimit = 'TARGET_ACOS' | 'MARKET_MINIMUM' | 'MARKET_MAXIMUM' | 'BUDGET'

export interface ChosenBid {
  micros: Micros
  source: BidSource
  /** What moved the bid away from where the source put it; null when nothing did. */
  limitedBy: BidLimit | null
  suggested: SuggestedBids | null
}

/** Where no suggestion exists a bid is the ad group's default times this (design: no source in the field has figures). */
export const strategyFactor: Readonly<Record<Strategy, number>> = { PASSIVE: 0.8, NORMAL: 1, GROWTH: 1.3 }

// 0.75 where the lowest bid is 0.02: the marketplace's own customary default, carried over to every currency.
const DEFAULT_OVER_MINIMUM = 37.5

/** The default bid where the marketplace suggests nothing at all. */
export const marketDefaultBid = ({ currency, minBidMicros }: Pick<BidBounds, 'currency' | 'minBidMicros'>): number =>
  roundToUnit(minBidMicros * DEFAULT_OVER_MINIMUM, currency)

/** The suggested bid that the strategy stands for: low, median or high. */
export const suggestedFor = (suggested: SuggestedBids, strategy: Strategy): number =>
  ({ PASSIVE: suggested.lowMicros, NORMAL: suggested.medianMicros, GROWTH: suggested.highMicros })[strategy]

/** The middle one of the medians; null when there are none. */
export function typicalBid(suggestions: readonly (SuggestedBids | null)[]): number | null {
  const medians = suggestions.flatMap(s => (s ? [s.medianMicros] : [])).toSorted((a, b) => a - b)
  return medians[Math.floor(medians.length / 2)] ?? null
}

/**
 * The dearest click that meets a target ACOS: target x order value x conversion rate (ACOS = CPC / (CVR x AOV)).
 * `targetAcos` in percent, `conversionRate` as a share of clicks. Null when either figure is not known.
 */
export function clickCap(
  targetAcos: number,
  orderValueMicros: Micros | null,
  conversionRate: number | null,
): number | null {
  return orderValueMicros === null || conversionRate === null
    ? null
    : Math.floor((targetAcos / 100) * orderValueMicros * conversionRate)
}

function floorToUnit(micros: Micros, currency: string) {
  const unit = smallestUnitMicros(currency)
  return Math.floor(micros / unit) * unit
}
function ceilToUnit(micros: Micros, currency: string) {
  const unit = smallestUnitMicros(currency)
  return Math.ceil(micros / unit) * unit
}

/** Brings a bid to the currency's unit and within every bound; the marketplace's minimum wins over the cap. */
export function boundBid(desired: number, bounds: BidBounds): Pick<ChosenBid, 'micros' | 'limitedBy'> {
  const { currency } = bounds
  const least = ceilToUnit(bounds.minBidMicros, currency)
  const tops: [number, BidLimit][] = [[floorToUnit(bounds.maxBidMicros, currency), 'MARKET_MAXIMUM']]
  if (bounds.budgetMicros !== null) tops.push([floorToUnit(bounds.budgetMicros, currency), 'BUDGET'])
  if (bounds.capMicros !== null) tops.push([floorToUnit(bounds.capMicros, currency), 'TARGET_ACOS'])
  let micros = roundToUnit(desired, currency)
  let limitedBy: BidLimit | null = null
  for (const [top, limit] of tops)
    if (micros > top) {
      micros = top
      limitedBy = limit
    }
  return micros < least ? { micros: least, limitedBy: 'MARKET_MINIMUM' } : { micros, limitedBy }
}

/** The bid for one keyword or target by strategy: the suggestion, else the default times the strategy's factor. */
export function chooseBid(
  suggested: SuggestedBids | null,
  strategy: Strategy,
  defaultMicros: Micros,
  bounds: BidBounds,
): ChosenBid {
  return {
    source: suggested ? 'SUGGESTED' : 'DEFAULT',
    suggested,
    ...boundBid(suggested ? suggestedFor(suggested, strategy) : defaultMicros * strategyFactor[strategy], bounds),
  }
}

/** A bid that a person set: unchanged unless the market or the campaign's budget forbids it; the ACOS cap does not apply. */
export function ownBid(micros: Micros, suggested: SuggestedBids | null, bounds: BidBounds): ChosenBid {
  return {
    source: 'YOURS',
    suggested,
    ...boundBid(micros, { ...bounds, capMicros: null }),
  }
}

const rangeName: Record<Strategy, string> = { PASSIVE: 'Low end', NORMAL: 'Middle', GROWTH: 'High end' }
const limitWords: Record<BidLimit, string> = {
  TARGET_ACOS: 'lowered so that an average click still meets the target ACOS',
  MARKET_MINIMUM: 'raised to the lowest bid the marketplace takes',
  MARKET_MAXIMUM: 'lowered to the highest bid the marketplace takes',
  BUDGET: 'lowered to the campaign’s daily budget',
}

const inFull = (micros: Micros, currency: string): string => fromMicros(micros).toFixed(currencyDigits(currency))

/** An amount with its currency, as sentences have it: `0.45 USD`; what is below the smallest unit is cut off. */
export const amountText = (micros: Micros, currency: string): string =>
  `${inFull(floorToUnit(micros, currency), currency)} ${currency}`

/** One sentence on where a bid comes from and what changed it; without the range where the screen shows that next to it. */
export function explainBid(bid: ChosenBid, strategy: Strategy, currency: string, rangeIsBeside = false): string {
  const range =
    bid.suggested &&
    !rangeIsBeside &&
    `${inFull(bid.suggested.lowMicros, currency)}–${inFull(bid.suggested.highMicros, currency)} ${currency}`
  const origin =
    bid.source === 'YOURS'
      ? `Your own bid${range ? `; the marketplace suggests ${range}` : ''}`
      : bid.suggested
        ? `${rangeName[strategy]} of the marketplace’s suggested range${range ? ` ${range}` : ''}`
        : `No suggestion from the marketplace: the default bid x ${strategyFactor[strategy]}`
  return bid.limitedBy ? `${origin}, ${limitWords[bid.limitedBy]}.` : `${origin}.`
}
