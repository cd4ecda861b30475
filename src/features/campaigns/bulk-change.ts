import { type AmountLimits, amountProblem } from '#shared/ad-limits.ts'
import { type Amount, fromMicros, roundToUnit, smallestUnitMicros, toMicros } from '#shared/money.ts'

/** How one bid or budget of many is worked out from what it is now. */
export interface AmountChange {
  /** TO: the amount itself. BY: that much more, or less when negative. PERCENT: so many percent of it more or less. */
  kind: 'TO' | 'BY' | 'PERCENT'
  value: number
  /** Never below and never above, in units of the currency. */
  floor?: Amount | undefined
  ceiling?: Amount | undefined
}

export interface ChangedAmount {
  /** Null where there is a problem, or nothing to change. */
  after: Amount | null
  problem: string | null
}

/** Why a change cannot be applied to any row; null when it can. */
export function amountChangeProblem({ kind, value, floor, ceiling }: AmountChange): string | null {
  if (!Number.isFinite(value)) return kind === 'PERCENT' ? 'Enter a percentage' : 'Enter an amount'
  if (kind === 'TO' && value <= 0) return 'Enter an amount above 0'
  if (kind !== 'TO' && value === 0) return 'Enter more or less than 0'
  if (kind === 'PERCENT' && value <= -100) return 'Enter a decrease of less than 100 %'
  if (kind === 'PERCENT' && value > 900) return 'Enter an increase of at most 900 %'
  return floor !== undefined && ceiling !== undefined && floor > ceiling
    ? 'The lowest amount must not be above the highest'
    : null
}

/**
 * What a bid or budget becomes. A relative change moves by at least the smallest unit of the currency, in its direction:
 * 10 % of a bid of 0.02 is 0.01. The floor and ceiling hold for the result, not for what lies beyond them already: an
 * increase never lowers a bid above the ceiling.
 */
export function changedAmount(
  subject: string,
  now: Amount | null,
  change: AmountChange,
  limits: AmountLimits,
): ChangedAmount {
  const { kind, value, floor, ceiling } = change
  if (now === null && kind !== 'TO')
    return { after: null, problem: `${subject} is not set, so nothing can be added to it` }
  const before = toMicros(now ?? 0)
  const unit = smallestUnitMicros(limits.currency)
  const moved = kind === 'TO' ? toMicros(value) : before + (kind === 'BY' ? toMicros(value) : (before * value) / 100)
  const rounded = roundToUnit(moved, limits.currency)
  const stepped = kind !== 'TO' && rounded === before ? before + Math.sign(value) * unit : rounded
  const held = Math.min(Math.max(stepped, toMicros(floor ?? 0)), ceiling === undefined ? Infinity : toMicros(ceiling))
  const turnsBack = kind !== 'TO' && Math.sign(held - before) === -Math.sign(value)
  const after = turnsBack ? before : held
  if (after === before && now !== null) return { after: null, problem: null }
  const problem = amountProblem(subject, fromMicros(after), limits)
  return problem ? { after: null, problem } : { after: fromMicros(after), problem: null }
}
