import { clicksToBeSure, mistakeChance } from './rules.ts'

/** When a keyword underperforms. Each number is shown with the verdict that it led to. */
export const verdictThresholds = {
  /** How many days are judged, the last ones that no longer change. */
  settledDays: 30,
  /** Fewer clicks are never enough, whatever the product converts. */
  leastClicks: 4,
  /** So many orders tell an ACOS. */
  leastOrders: 2,
  /** Times the target ACOS. */
  tooDear: 1.5,
  /** Fewer impressions in the settled days say nothing of a keyword. */
  starvedImpressions: 100,
  /** The most by which a bid is moved at once. */
  bidStep: 0.3,
  /** With so many clicks its own rate counts as much as that of its products. */
  priorClicks: 20,
} as const

/** NO_SALE: clicks enough to be sure, and no order. TOO_DEAR: orders, but at too high an ACOS. STARVED: hardly ever shown. */
export const keywordTests = ['NO_SALE', 'TOO_DEAR', 'STARVED'] as const
export type KeywordTest = (typeof keywordTests)[number]

/** Sums of a keyword over the settled days; money in micros. */
export interface JudgedSums {
  clicks: number
  orders: number
  costMicros: number
  salesMicros: number
}

/** What a keyword is held to. */
export interface KeywordStandard {
  /** Orders per click of the products that it advertises. */
  cvr: number
  /** What an order brings: the price of the products; null where it is not known. */
  priceMicros: number | null
  /** In percent; null where none is known. */
  targetAcos: number | null
  /** The ACOS at which the profit of a sale is spent, in percent; null while costs are missing. */
  breakEvenAcos: number | null
}

export interface Verdict {
  test: KeywordTest
  /** How likely it is, in percent, that the keyword fails the test by more than chance. */
  confidence: number
}

/** How many clicks without an order it takes to be nine tenths sure. */
export const clicksNeeded = ({ cvr }: Pick<KeywordStandard, 'cvr'>): number =>
  Math.max(verdictThresholds.leastClicks, clicksToBeSure(cvr))

/** What may be spent without an order: an order's worth at the target. 0 where price or target are not known. */
export const spendAllowed = ({ priceMicros, targetAcos }: KeywordStandard): number =>
  ((priceMicros ?? 0) * (targetAcos ?? 0)) / 100

/** Above which ACOS, in percent, a keyword is too dear; null where neither target nor costs are known. */
export function acosLimit({ targetAcos, breakEvenAcos }: KeywordStandard): number | null {
  if (targetAcos === null) return breakEvenAcos
  return Math.max(verdictThresholds.tooDear * targetAcos, breakEvenAcos ?? 0)
}

/** Which test of its sales a keyword fails; null when it fails none. */
export function judgeKeyword(sums: JudgedSums, standard: KeywordStandard): Verdict | null {
  const { clicks, orders, costMicros, salesMicros } = sums
  if (orders === 0) {
    const chance = mistakeChance(sums, standard.cvr)
    if (chance === null || clicks < clicksNeeded(standard) || costMicros < spendAllowed(standard)) return null
    return { test: 'NO_SALE', confidence: 100 - chance }
  }
  const limit = acosLimit(standard)
  if (orders < verdictThresholds.leastOrders || limit === null || salesMicros <= 0) return null
  if ((100 * costMicros) / salesMicros <= limit) return null
  // The orders that this spend would bring at the limit; so few by chance is what the confidence excludes.
  const expected = (100 * costMicros * orders) / (salesMicros * limit)
  return { test: 'TOO_DEAR', confidence: 100 * (1 - chanceOfAtMost(orders, expected)) }
}

/** The chance of at most so many events where `expected` are expected (Poisson). */
function chanceOfAtMost(count: number, expected: number): number {
  let logTerm = -expected
  let sum = Math.exp(logTerm)
  for (let k = 1; k <= count; k++) {
    logTerm += Math.log(expected / k)
    sum += Math.exp(logTerm)
  }
  return Math.min(1, sum)
}

/** What a click may cost at the target ACOS, in micros: target × value of an order × orders per click. Null where unknown. */
export function maxCpcMicros(sums: JudgedSums, { cvr, priceMicros, targetAcos }: KeywordStandard): number | null {
  if (targetAcos === null) return null
  // Few clicks of its own say little: its rate is drawn towards that of its products.
  const ownCvr = Math.min(
    1,
    (sums.orders + verdictThresholds.priorClicks * cvr) / (sums.clicks + verdictThresholds.priorClicks),
  )
  const value = sums.orders >= verdictThresholds.leastOrders ? sums.salesMicros / sums.orders : priceMicros
  return value === null ? null : (targetAcos / 100) * value * ownCvr
}
