import { bidFrom } from './bids.ts'
import { areReportsOld, breakFrom, isBreakOut } from './breakers.ts'
import { budgetFrom, raiseFrom } from './budgets.ts'
import { engineVersion } from './decide.ts'
import { factorOf } from './hours.ts'
import type { Cause, Decision, Evidence } from './decisions.ts'
import { harvestFrom, wasteFrom } from './terms.ts'

type Row = Pick<Decision, 'kind' | 'cause' | 'before' | 'after' | 'evidence'>

/**
 * Works a row of the log out again, from its evidence, what it was before and the engine's version alone: the same value and
 * cause, unless somebody changed the row. Null where the evidence says that nothing was to be done. Throws RangeError for rows
 * of another version of the engine and for rows without a basis.
 */
export function rederive(row: Row, version: number): { after: Decision['after']; cause: Cause } | null {
  if (version !== engineVersion)
    throw new RangeError(`Version ${version} is not this engine, which is ${engineVersion}.`)
  const { kind, cause, before, evidence } = row
  const found = (after: Decision['after'], isFound = true) => (isFound ? { after, cause } : null)
  const basis = evidence.basis ?? {}
  if (basis.revert) return found(basis.revert.beforeMicros, isHalted(cause, evidence))
  switch (kind) {
    case 'bid': {
      const of = { ...figuresOf(evidence, bidFigures), basis: { bid: need(basis.bid) } }
      const { after, cause: why } = bidFrom(Number(before), { ...of, coverDays: evidence.coverDays ?? null })
      return after === null ? null : { after, cause: why }
    }
    case 'budget':
      return found(budgetFrom(Number(before), need(basis.budget)))
    case 'placement': {
      const raise = raiseFrom(Number(before), need(basis.placement))
      return raise && found(raise.after)
    }
    case 'hours': {
      const hours = need(basis.hours)
      const { bidFactor } = factorOf(figuresOf(evidence, ['clicks', 'orders', 'salesMicros']), {
        rate: need(evidence.parentRate),
        orderMicros: hours.orderMicros,
      })
      return found(Math.round((bidFactor - 1) * 100) / 100, bidFactor !== 1)
    }
    case 'harvest': {
      const harvest = harvestFrom(figuresOf(evidence, harvestFigures), need(basis.harvest))
      return harvest && found(harvest.bidMicros)
    }
    case 'negative': {
      if (basis.harvest)
        return found(basis.harvest.text, !!harvestFrom(figuresOf(evidence, harvestFigures), basis.harvest))
      const term = need(basis.term)
      return found(term.text, wasteFrom(figuresOf(evidence, termFigures), term) !== null)
    }
    case 'steer':
      if (basis.refit) return found(basis.refit.after.halfLifeDays)
      return found(need(basis.launch).hasCosts ? 'PROFIT' : 'REACH')
    case 'breaker':
      return found(null, isHalted(cause, evidence))
    case 'none':
      return found(null, isNothing(evidence))
  }
}

const bidFigures = ['effectiveClicks', 'rate', 'parentRate', 'worthMicros', 'multiplier', 'moneyFactor'] as const
const harvestFigures = [
  'clicks',
  'orders',
  'costMicros',
  'orderMicros',
  'worthMicros',
  'multiplier',
  'targetAcos',
] as const
const termFigures = ['clicks', 'costMicros', 'effectiveClicks', 'orderMicros', 'targetAcos'] as const

function isHalted(cause: Cause, { basis, orders, costMicros, forecastAcos }: Evidence): boolean {
  const { expectedOrders, meanMicros, deviationMicros, earlierAcos, reportedAt = null, at } = need(basis?.halt)
  if (cause === 'REPORTS_OLD') return areReportsOld(reportedAt, new Date(need(at)))
  if (cause === 'CONVERSION_BROKE_DOWN')
    return breakFrom({ orders: need(orders), expectedOrders: need(expectedOrders) }) !== null
  const usual = { meanMicros: need(meanMicros), deviationMicros: need(deviationMicros) }
  return isBreakOut(need(costMicros), usual) && need(forecastAcos) > need(earlierAcos)
}

/** Every target stays for one reason, or a rule or the kind of cost says why a campaign does. */
function isNothing({ stayed, basis, rules = [] }: Evidence): boolean {
  if (basis?.leftAlone) return rules.length > 0 || basis.leftAlone.costType === 'VCPM'
  const { targets, ...reasons } = need(stayed)
  return targets === Object.values(reasons).reduce((sum, one) => sum + one, 0)
}

function figuresOf<K extends keyof Evidence>(
  evidence: Evidence,
  keys: readonly K[],
): { [P in K]: NonNullable<Evidence[P]> } {
  return Object.fromEntries(keys.map(key => [key, need(evidence[key])])) as { [P in K]: NonNullable<Evidence[P]> }
}

function need<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new RangeError('The row has no evidence to work it out from.')
  return value
}
