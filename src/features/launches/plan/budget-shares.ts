import * as v from 'valibot'

const share = v.pipe(
  v.number('Each phase needs a share of the budget'),
  v.minValue(1, 'Each phase needs at least 1% of the budget'),
  v.maxValue(100, 'A share is at most 100%'),
  v.multipleOf(0.5, 'Shares go in steps of 0.5%'),
)

/** Percent of a funnel's daily budget by phase. */
export const budgetShares = v.strictObject({
  DISCOVERY: share,
  RESEARCH: share,
  PERFORMANCE: share,
  RANKING: share,
  /** Set when High Impact is included, and only then. */
  HIGH_IMPACT: v.optional(share),
})
export type BudgetShares = v.InferOutput<typeof budgetShares>

/** How a funnel's budget is shared unless the user says otherwise. */
export const usualShares = (includeHighImpact: boolean): BudgetShares =>
  includeHighImpact
    ? { DISCOVERY: 20, RESEARCH: 15, PERFORMANCE: 30, RANKING: 15, HIGH_IMPACT: 20 }
    : { DISCOVERY: 25, RESEARCH: 20, PERFORMANCE: 35, RANKING: 20 }

/** Why shares cannot hold, in words; null when they can. */
export const sharesFault = (shares: BudgetShares, includeHighImpact: boolean): string | null => {
  if ((shares.HIGH_IMPACT !== undefined) !== includeHighImpact)
    return includeHighImpact
      ? 'High Impact needs a share of the budget'
      : 'High Impact is not included: it takes no share'
  const sum = Object.values(shares).reduce((total: number, one) => total + (one ?? 0), 0)
  return sum === 100 ? null : `The shares must add up to 100%; they add up to ${sum}%`
}
