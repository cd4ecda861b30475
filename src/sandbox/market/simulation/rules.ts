import { roundToUnit } from '#shared/money.ts'
import {
  type BidRule,
  type BudgetRule,
  daysOfWeek,
  leastRuleBudgetMicros,
  type RuleCondition,
} from '../../core/model/rules.ts'
import type { Campaign, Profile, Store } from '../../core/model/store.ts'
import { dayText, HOUR_MS, hourIndexOf, hoursOfDays, type LocalHour } from '../local-hours.ts'
import type { AdProduct, Fact } from '../market.ts'
import { LedgerReader } from '../records/facts.ts'
import type { Ledger } from '../records/ledger.ts'

const WEEK_HOURS = 7 * 24
const EVALUATED_DAYS = 7

/** Whether a schedule rule raises bids in an hour. */
function raisesBidsIn(rule: BidRule, hour: number, { weekday, hour: hourOfDay }: LocalHour): boolean {
  const at = hour * HOUR_MS
  if (rule.status !== 'ENABLED' || at < rule.from || (rule.to !== null && at >= rule.to)) return false
  if (rule.days && !rule.days.includes(daysOfWeek[weekday] ?? 'SUNDAY')) return false
  return !rule.minutes || (rule.minutes.from <= hourOfDay * 60 && hourOfDay * 60 < rule.minutes.to)
}

/** By how much the rules of a campaign raise its bids in an hour, as a factor, and the next hour at which that may change. */
function bidRaise(
  rules: readonly BidRule[],
  hour: number,
  localHour: (hourIndex: number) => LocalHour,
): { factor: number; until: number } {
  const factorAt = (at: number): number =>
    rules.reduce((sum, rule) => sum + (raisesBidsIn(rule, at, localHour(at)) ? rule.percent / 100 : 0), 1)
  const factor = factorAt(hour)
  if (rules.length === 0) return { factor, until: Number.POSITIVE_INFINITY }
  let until = hour + 1
  while (until < hour + WEEK_HOURS && factorAt(until) === factor) until++
  return { factor, until }
}

const LEARNT_DAYS = 30
const LEAST_ORDERS = 10
const LEAST_AGE = 10 * 24

export interface RulesContext {
  store: Store
  profile: Profile
  /** The hour at which they are asked for: they may say something else in others. */
  hour: number
  localHour: (hourIndex: number) => LocalHour
  ledgerOf: (adProduct: AdProduct) => Ledger
}

/** What the rules of an account mean for one of its campaigns. */
export interface CampaignRules {
  /** They raise the budget of days. */
  budgetRules: readonly BudgetRule[]
  /** By which schedules multiply bids now. */
  bidFactor: number
  /** What rule-based bidding aims at now; null where bids stay as they are. */
  roas: number | null
  /** The next hour at which any of this may change. */
  until: number
}

export const noRules: CampaignRules = { budgetRules: [], bidFactor: 1, roas: null, until: Number.POSITIVE_INFINITY }

/** Tells what the rules of an account mean for its Sponsored Products campaigns at an hour. */
export function createRules(context: RulesContext): (campaign: Campaign) => CampaignRules {
  const { store, profile, hour, localHour, ledgerOf } = context
  const own = <T extends { profileId: number }>(rules: ReadonlyMap<string, T>): T[] =>
    [...rules.values()].filter(rule => rule.profileId === profile.profileId)
  const [budgetRules, bidRules, roasRules] = [own(store.budgetRules), own(store.bidRules), own(store.roasRules)]
  if (budgetRules.length + bidRules.length + roasRules.length === 0) return () => noRules
  const { day } = localHour(hour)
  const [midnight, nextMidnight] = hoursOfDays(dayText(day), dayText(day), localHour)
  // As known when the day began, so that it makes no difference in which hour of it somebody asks.
  let orders: Map<string, number> | null = null
  const ordersOf = (campaignId: string): number => {
    if (!orders) {
      orders = new Map()
      const reader = new LedgerReader(profile, ledgerOf('SPONSORED_PRODUCTS'), localHour)
      for (const fact of reader.facts(midnight - LEARNT_DAYS * 24, midnight, midnight))
        if (fact.orders.d7 > 0) orders.set(fact.campaignId, (orders.get(fact.campaignId) ?? 0) + fact.orders.d7)
    }
    return orders.get(campaignId) ?? 0
  }
  return ({ campaignId, strategy, createdAt, budgetMicros }) => {
    const of = <T extends { campaignIds: readonly string[] }>(rules: readonly T[]): T[] =>
      rules.filter(rule => rule.campaignIds.includes(campaignId))
    const raise = bidRaise(of(bidRules), hour, localHour)
    const [aim] = strategy === 'RULE_BASED' ? of(roasRules) : []
    const isReady =
      aim !== undefined &&
      midnight - hourIndexOf(createdAt) >= LEAST_AGE &&
      budgetMicros >= leastRuleBudgetMicros(profile.countryCode) &&
      ordersOf(campaignId) >= LEAST_ORDERS
    return {
      budgetRules: of(budgetRules),
      bidFactor: raise.factor,
      roas: isReady ? aim.roas : null,
      until: Math.min(raise.until, aim ? nextMidnight : Number.POSITIVE_INFINITY),
    }
  }
}

/** The figures that conditions are about; null where there is nothing to divide by. */
function metricOf(facts: readonly Fact[], metric: RuleCondition['metric']): number | null {
  const sum = (valueOf: (fact: Fact) => number): number => facts.reduce((total, fact) => total + valueOf(fact), 0)
  const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
  const percent = (value: number | null): number | null => (value === null ? null : value * 100)
  const [cost, sales] = [sum(fact => fact.costMicros), sum(fact => fact.salesMicros.d7)]
  const clicks = sum(fact => fact.clicks)
  if (metric === 'ACOS') return percent(share(cost, sales))
  if (metric === 'ROAS') return share(sales, cost)
  if (metric === 'CTR')
    return percent(
      share(
        clicks,
        sum(fact => fact.impressions),
      ),
    )
  return percent(
    share(
      sum(fact => fact.orders.d7),
      clicks,
    ),
  )
}

const holds: Record<RuleCondition['comparison'], (value: number, threshold: number) => boolean> = {
  EQUAL_TO: (value, threshold) => value === threshold,
  GREATER_THAN: (value, threshold) => value > threshold,
  GREATER_THAN_OR_EQUAL_TO: (value, threshold) => value >= threshold,
  LESS_THAN: (value, threshold) => value < threshold,
  LESS_THAN_OR_EQUAL_TO: (value, threshold) => value <= threshold,
}

const isOn = (rule: BudgetRule, day: string): boolean =>
  rule.state === 'ACTIVE' && rule.startDate <= day && (rule.endDate === null || day <= rule.endDate)

interface Evaluation {
  campaignId: string
  profile: Profile
  /** A performance rule does nothing for a smaller budget. */
  hasEnoughBudget: boolean
  ledger: Ledger
  localHour: (hourIndex: number) => LocalHour
}

/** The ids of a campaign's rules that hold on the day that begins at an hour, by what is reported of it by then. */
export function rulesThatHold(rules: readonly BudgetRule[], hour: number, evaluation: Evaluation): string[] {
  const { campaignId, profile, hasEnoughBudget, ledger, localHour } = evaluation
  const { day } = localHour(hour)
  const current = rules.filter(rule => isOn(rule, dayText(day)))
  let week: Fact[] | null = null
  const weekOf = (): Fact[] => {
    const [from, to] = hoursOfDays(dayText(day - EVALUATED_DAYS), dayText(day - 1), localHour)
    week ??= new LedgerReader(profile, ledger, localHour)
      .facts(from, to, hour)
      .filter(fact => fact.campaignId === campaignId)
    return week
  }
  return current
    .filter(({ condition }) => {
      if (!condition) return true
      if (!hasEnoughBudget) return false
      const value = metricOf(weekOf(), condition.metric)
      return value !== null && holds[condition.comparison](value, condition.threshold)
    })
    .map(({ ruleId }) => ruleId)
}

/** The budget of a day on which some rules were found to hold, as far as they still are the campaign's: their raises add up. */
export function raisedBudget(
  budgetMicros: number,
  rules: readonly BudgetRule[],
  held: readonly string[],
  currency: string,
): number {
  if (held.length === 0) return budgetMicros
  const percent = rules
    .filter(({ ruleId, state }) => state === 'ACTIVE' && held.includes(ruleId))
    .reduce((sum, rule) => sum + rule.percent, 0)
  return roundToUnit(budgetMicros * (1 + percent / 100), currency)
}
