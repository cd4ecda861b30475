import type { Dated, EntityId } from './entity.ts'

/** Sunday first, as `LocalHour.weekday` counts. */
export const daysOfWeek = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const
export type DayOfWeek = (typeof daysOfWeek)[number]

export const ruleMetrics = ['ACOS', 'CTR', 'CVR', 'ROAS'] as const
export const comparisons = [
  'EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
] as const

/** What a performance rule asks of a campaign's last seven days. ACOS, CTR and CVR in percent, ROAS as a number. */
export interface RuleCondition {
  metric: (typeof ruleMetrics)[number]
  comparison: (typeof comparisons)[number]
  threshold: number
}

const leastBudgets: Record<string, number> = {
  BR: 20,
  SA: 20,
  PL: 30,
  MX: 50,
  EG: 50,
  SE: 50,
  TR: 50,
  IN: 300,
  JP: 600,
}
/**
 * The daily budget below which rules by performance do nothing, in micros. That of rule-based bidding: for budget rules it is only known that there
 * is one.
 */
export const leastRuleBudgetMicros = (countryCode: string): number => (leastBudgets[countryCode] ?? 10) * 1e6

/** Raises the daily budgets of its campaigns by a part, on the days it is for. Rules that hold on a day add up. */
export interface BudgetRule extends Dated {
  ruleId: EntityId
  profileId: number
  name: string
  state: 'ACTIVE' | 'PAUSED'
  /** Days as yyyy-MM-dd in the profile's time zone, both included. */
  startDate: string
  endDate: string | null
  percent: number
  /** Null: a rule by dates alone. */
  condition: RuleCondition | null
  campaignIds: EntityId[]
}

/** Raises the bids of its campaigns by a part, in the hours it is for. Rules that hold in an hour add up. */
export interface BidRule extends Dated {
  optimizationRuleId: EntityId
  profileId: number
  name: string
  status: 'ENABLED' | 'PAUSED'
  /** Epoch milliseconds: from (included) to (excluded). */
  from: number
  to: number | null
  /** On which days, and from which minute of them (included) to which (excluded); null: all. */
  days: DayOfWeek[] | null
  minutes: { from: number; to: number } | null
  percent: number
  campaignIds: EntityId[]
}

/** What the bids of campaigns with rule-based bidding aim at: so many units of sales for each unit of cost. */
export interface RoasRule extends Dated {
  campaignOptimizationId: EntityId
  profileId: number
  name: string
  roas: number
  campaignIds: EntityId[]
}
