import * as v from 'valibot'
import { type BudgetShares, budgetShares } from '../../contract.ts'
import { fromMicros, toMicros } from '#shared/money.ts'

export type SharedPhase = keyof BudgetShares

const step = 0.5
const least = 1

/** Why a share cannot hold, in words; null when it can. `most` is what the other phases leave. */
export function shareFault(percent: number | null, most: number): string | null {
  const parsed = v.safeParse(budgetShares.entries.DISCOVERY, percent)
  if (!parsed.success) return parsed.issues[0].message
  return parsed.output > most ? `At most ${most}%: each other phase needs at least ${least}%` : null
}

/** The share that can hold next to what was typed. */
export function settledShare(percent: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(percent / step) * step))
}

/** What shares add up to. */
export function sumOf(shares: Partial<BudgetShares>): number {
  return Object.values(shares).reduce((sum: number, one) => sum + (one ?? 0), 0)
}

/** What one phase can take while each other keeps the least. */
export const mostOf = (usual: BudgetShares): number => 100 - (Object.keys(usual).length - 1) * least

/**
 * A whole split around Discovery's share, the other phases in their usual proportions. Ad group funnels ask for no more:
 * their later phases live on one budget.
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

/** The same split, or null for the usual one. */
export function unlessUsual(shares: BudgetShares, usual: BudgetShares): BudgetShares | null {
  return (Object.keys({ ...usual, ...shares }) as SharedPhase[]).every(phase => shares[phase] === usual[phase])
    ? null
    : shares
}

/** What the campaigns of a phase have between them, out of a split by campaign; null for none. */
export function amountOfPhase(name: string, split: readonly { phase: string; budget: number }[]): number | null {
  const own = split.filter(campaign => campaign.phase === name)
  return own.length ? fromMicros(own.reduce((sum, { budget }) => sum + toMicros(budget), 0)) : null
}
