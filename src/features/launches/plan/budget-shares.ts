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
  /** Set unless Ranking is left out. */
  RANKING: v.optional(share),
  /** Set when High Impact is included, and only then. */
  HIGH_IMPACT: v.optional(share),
})
export type BudgetShares = v.InferOutput<typeof budgetShares>

interface FunnelPhases {
  includeHighImpact: boolean
  includeRanking: boolean
}

const STEP = 0.5

/**
 * The same shares with Ranking's divided among the other phases in proportion, in steps of 0.5 %; what rounding leaves goes to
 * Performance (25, 20, 35 and 20 % become 31, 25 and 44 %).
 */
export function withoutRanking({ RANKING = 0, ...others }: BudgetShares): BudgetShares {
  const grown = (percent: number) => Math.floor((percent * 100) / (100 - RANKING) / STEP) * STEP
  const { DISCOVERY, RESEARCH, HIGH_IMPACT } = others
  const shares = {
    DISCOVERY: grown(DISCOVERY),
    RESEARCH: grown(RESEARCH),
    ...(HIGH_IMPACT !== undefined && { HIGH_IMPACT: grown(HIGH_IMPACT) }),
  }
  return { ...shares, PERFORMANCE: Object.values(shares).reduce((rest, percent) => rest - percent, 100) }
}

/** How a funnel's budget is shared unless the user says otherwise. */
export function usualShares({ includeHighImpact, includeRanking }: FunnelPhases): BudgetShares {
  const shares = includeHighImpact
    ? { DISCOVERY: 20, RESEARCH: 15, PERFORMANCE: 30, RANKING: 15, HIGH_IMPACT: 20 }
    : { DISCOVERY: 25, RESEARCH: 20, PERFORMANCE: 35, RANKING: 20 }
  return includeRanking ? shares : withoutRanking(shares)
}

/** Why shares cannot hold, in words; null when they can. */
export function sharesProblem(
  shares: BudgetShares,
  { includeHighImpact, includeRanking }: FunnelPhases,
): string | null {
  if ((shares.RANKING !== undefined) !== includeRanking)
    return includeRanking ? 'Ranking needs a share of the budget' : 'Ranking is left out: it takes no share'
  if ((shares.HIGH_IMPACT !== undefined) !== includeHighImpact)
    return includeHighImpact
      ? 'High Impact needs a share of the budget'
      : 'High Impact is not included: it takes no share'
  const sum = Object.values(shares).reduce((total: number, one) => total + (one ?? 0), 0)
  return sum === 100 ? null : `The shares must add up to 100%; they add up to ${sum}%`
}
