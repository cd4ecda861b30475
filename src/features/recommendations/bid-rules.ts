import {
  ceilToUnit,
  currencyDigits,
  floorToUnit,
  fromMicros,
  type Micros,
  numberText,
  roundToUnit,
} from '#shared/money.ts'

/** What the marketplace suggests for one keyword or target, in micro-units. */
export interface SuggestedBids {
  lowMicros: Micros
  medianMicros: Micros
  highMicros: Micros
}

/** How each strategy bids: which end of the suggested range it takes, and without a suggestion the default bid times a factor. */
const strategyRules = {
  PASSIVE: { takes: 'lowMicros', range: 'Low end', factor: 0.8 },
  NORMAL: { takes: 'medianMicros', range: 'Middle', factor: 1 },
  GROWTH: { takes: 'highMicros', range: 'High end', factor: 1.3 },
} as const
export type Strategy = keyof typeof strategyRules
export const strategies = ['PASSIVE', 'NORMAL', 'GROWTH'] as const satisfies Strategy[]

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

/** What can move a bid, and what it does. */
const limits = {
  TARGET_ACOS: 'lowered so that an average click still meets the target ACOS',
  MARKET_MINIMUM: 'raised to the lowest bid the marketplace accepts',
  MARKET_MAXIMUM: 'lowered to the highest bid the marketplace takes',
  BUDGET: 'lowered to the campaign’s daily budget',
}
type BidLimit = keyof typeof limits

export interface ChosenBid {
  micros: Micros
  source: 'SUGGESTED' | 'DEFAULT' | 'YOURS'
  /** What moved the bid away from where the source put it; null when nothing did. */
  limitedBy: BidLimit | null
  suggested: SuggestedBids | null
}

// 0.75 where the lowest bid is 0.02: the marketplace's own customary default, carried over to every currency.
const DEFAULT_OVER_MINIMUM = 37.5

/** The default bid where the marketplace suggests nothing at all. */
export const marketDefaultBid = ({ currency, minBidMicros }: Pick<BidBounds, 'currency' | 'minBidMicros'>): number =>
  roundToUnit(minBidMicros * DEFAULT_OVER_MINIMUM, currency)

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

/** Brings a bid to the currency's unit and within every bound; the marketplace's minimum wins over the cap. */
export function boundBid(desired: number, bounds: BidBounds): Pick<ChosenBid, 'micros' | 'limitedBy'> {
  const { currency, minBidMicros, maxBidMicros, budgetMicros, capMicros } = bounds
  const least = ceilToUnit(minBidMicros, currency)
  let micros = roundToUnit(desired, currency)
  let limitedBy: BidLimit | null = null
  const tops = { MARKET_MAXIMUM: maxBidMicros, BUDGET: budgetMicros, TARGET_ACOS: capMicros }
  for (const limit of ['MARKET_MAXIMUM', 'BUDGET', 'TARGET_ACOS'] as const) {
    const top = floorToUnit(tops[limit] ?? Number.POSITIVE_INFINITY, currency)
    if (micros > top) [micros, limitedBy] = [top, limit]
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
  const { takes, factor } = strategyRules[strategy]
  const desired = suggested ? suggested[takes] : defaultMicros * factor
  return { source: suggested ? 'SUGGESTED' : 'DEFAULT', suggested, ...boundBid(desired, bounds) }
}

/** A bid that a person set: unchanged unless the market or the campaign's budget forbids it; the ACOS cap does not apply. */
export function ownBid(micros: Micros, suggested: SuggestedBids | null, bounds: BidBounds): ChosenBid {
  return { source: 'YOURS', suggested, ...boundBid(micros, { ...bounds, capMicros: null }) }
}

const inFull = (micros: Micros, currency: string): string => numberText(fromMicros(micros), currencyDigits(currency))

/** An amount with its currency, as sentences have it: `0.45 USD`; what is below the smallest unit is cut off. */
export const amountText = (micros: Micros, currency: string): string =>
  `${inFull(floorToUnit(micros, currency), currency)} ${currency}`

/** One sentence on where a bid comes from and what changed it; without the range where the screen shows that next to it. */
function explainBid(
  { source, suggested, limitedBy }: ChosenBid,
  strategy: Strategy,
  currency: string,
  rangeIsBeside: boolean,
): string {
  const { range: end, factor } = strategyRules[strategy]
  const range =
    suggested &&
    !rangeIsBeside &&
    `${inFull(suggested.lowMicros, currency)}–${inFull(suggested.highMicros, currency)} ${currency}`
  const origin =
    source === 'YOURS'
      ? `Your own bid${range ? `; the marketplace suggests ${range}` : ''}`
      : suggested
        ? `${end} of the marketplace’s suggested range${range ? ` ${range}` : ''}`
        : `No suggestion from the marketplace: the default bid x ${factor}`
  return limitedBy ? `${origin}, ${limits[limitedBy]}.` : `${origin}.`
}

/** A bid as answers carry it, in decimals of the currency: the suggested range (null where there is none), and why. */
export function presentBid(bid: ChosenBid, strategy: Strategy, currency: string, rangeIsBeside = false) {
  const range = bid.suggested
  return {
    bid: fromMicros(bid.micros),
    lowBid: range && fromMicros(range.lowMicros),
    medianBid: range && fromMicros(range.medianMicros),
    highBid: range && fromMicros(range.highMicros),
    why: explainBid(bid, strategy, currency, rangeIsBeside),
  }
}
