import * as v from 'valibot'
import { type BudgetShares, budgetShares } from '../../contract.ts'
import { fromMicros, toMicros } from '#shared/money.ts'

export type SharedPhase = keyof BudgetShares

const step = 0.5
const least = 1

/** Why a share is not possible; null when it is. `most` is what the other phases leave. */
export function shareProblem(percent: number | null, most: number): string | null {
  const parsed = v.safeParse(budgetShares.entries.DISCOVERY, percent)
  if (!parsed.success) return parsed.issues[0].message
  return parsed.output > most ? `At most ${most}%: each other phase needs at least ${least}%` : null
}

/** The possible share that is nearest to the typed one. */
export function settledShare(percent: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(percent / step) * step))
}

/** The sum of the shares. */
export function sumOf(shares: Partial<BudgetShares>): number {
  return Object.values(shares).reduce((sum: number, one) => sum + (one ?? 0), 0)
}

/** The highest share of one phase, while each other phase has the lowest. */
export const mostOf = (usual: BudgetShares): number => 100 - (Object.keys(usual).length - 1) * least

/**
 * A split with this share for Discovery and the other phases in their default proportions. Ad group funnels ask only for
 * this share, because their later phases share one budget.
 */
export function sharesAround(discovery: number, usual: BudgetShares): BudgetShares {
  const rest = 100 - discovery
  const usualRest = 100 - usual.DISCOVERY
  const share = (percent: number) => Math.max(least, Math.floor((rest * percent) / usualRest / step) * step)
  const shares = {
    DISCOVERY: discovery,
    RESEARCH: share(usual.RESEARCH),
    ...(usual.RANKING !== undefined && { RANKING: share(usual.RANKING) }),
    ...(usual.HIGH_IMPACT !== undefined && { HIGH_IMPACT: share(usual.HIGH_IMPACT) }),
  }
  return { ...shares, PERFORMANCE: 100 - sumOf(shares) }
}

/** The same split, or null when it is the default one. */
export function unlessDefault(shares: BudgetShares, usual: BudgetShares): BudgetShares | null {
  return (Object.keys({ ...usual, ...shares }) as SharedPhase[]).every(phase => shares[phase] === usual[phase])
    ? null
    : shares
}

/** The sum of the budgets of a phase's campaigns; null when it has none. */
export function amountOfPhase(phase: SharedPhase, split: readonly { phase: string; budget: number }[]): number | null {
  const campaigns = split.filter(campaign => campaign.phase === phase)
  return campaigns.length ? fromMicros(campaigns.reduce((sum, { budget }) => sum + toMicros(budget), 0)) : null
}
