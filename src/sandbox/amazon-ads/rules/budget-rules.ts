import { z } from 'zod'
import { type BudgetRule, comparisons, leastRuleBudgetMicros, ruleMetrics } from '../../core/model/rules.ts'
import type { Campaign } from '../../core/model/store.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { AdsFailure, invalidArgument } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { compactDay } from '../entities/wire-styles.ts'
import { bodyOf, campaignOf, ownRules, pageOf, ruleOf } from './rule-body.ts'

// Paths, fields, limits and statuses are those of public clients and of notes by callers of the real API: the vendor's own
// specification was not at hand. Not emulated: rules of the vendor's shopping events, hours within a day, history, bulk calls.

const MOST_RULES_A_CALL = 25
const MOST_RULES_A_CAMPAIGN = 250
const day = z.string().regex(/^\d{8}$/, 'must be a date as YYYYMMDD')

const details = {
  name: z.string().min(1).max(355),
  duration: z.object({ dateRangeTypeRuleDuration: z.object({ startDate: day, endDate: day.nullish() }) }),
  budgetIncreaseBy: z.object({ type: z.literal('PERCENT'), value: z.number().positive().max(1000) }),
  performanceMeasureCondition: z
    .object({
      metricName: z.enum(ruleMetrics),
      comparisonOperator: z.enum(comparisons),
      threshold: z.number().nonnegative(),
    })
    .nullish(),
}
const creation = z.object({
  budgetRulesDetails: z
    .array(
      z.object({
        ...details,
        ruleType: z.enum(['SCHEDULE', 'PERFORMANCE']),
        recurrence: z.object({ type: z.literal('DAILY'), intraDaySchedule: z.undefined().optional() }),
      }),
    )
    .min(1)
    .max(MOST_RULES_A_CALL),
})
const updates = z.object({
  budgetRulesDetails: z
    .array(
      z.object({
        ruleId: z.string(),
        ruleState: z.enum(['ACTIVE', 'PAUSED']).optional(),
        ruleDetails: z.object(details).partial().loose().optional(),
      }),
    )
    .min(1)
    .max(MOST_RULES_A_CALL),
})
const associations = z.object({ budgetRuleIds: z.array(z.string()).min(1).max(MOST_RULES_A_CALL) })

type Details = z.output<typeof creation>['budgetRulesDetails'][number]
const dayOf = (compact: string): string => `${compact.slice(0, 4)}-${compact.slice(4, 6)}-${compact.slice(6)}`

/** The stored fields of what was sent; fields that are absent stay absent. Throws 400 for days in the wrong order. */
function fieldsOf(
  { name, duration, budgetIncreaseBy, performanceMeasureCondition }: Partial<Details>,
  { today }: AdsCaller,
  before?: BudgetRule,
): Partial<BudgetRule> {
  const { startDate, endDate } = duration?.dateRangeTypeRuleDuration ?? {}
  const dates = startDate && { startDate: dayOf(startDate), endDate: endDate ? dayOf(endDate) : null }
  if (dates && dates.startDate < today && dates.startDate !== before?.startDate)
    throw invalidArgument('startDate must not be in the past')
  if (dates && dates.endDate !== null && dates.endDate < dates.startDate)
    throw invalidArgument('endDate must not be before startDate')
  return {
    ...(name !== undefined && { name }),
    ...dates,
    ...(budgetIncreaseBy && { percent: budgetIncreaseBy.value }),
    ...(performanceMeasureCondition && {
      condition: {
        metric: performanceMeasureCondition.metricName,
        comparison: performanceMeasureCondition.comparisonOperator,
        threshold: performanceMeasureCondition.threshold,
      },
    }),
  }
}

function create(caller: AdsCaller, body: unknown): object {
  const sent = bodyOf(creation, body).budgetRulesDetails
  for (const { ruleType, performanceMeasureCondition: condition } of sent)
    if ((ruleType === 'PERFORMANCE') !== Boolean(condition))
      throw invalidArgument('performanceMeasureCondition belongs to rules of the type PERFORMANCE, and only to them')
  const at = caller.now.getTime()
  const { profileId } = caller.profile
  const rules = sent.map((one): BudgetRule => {
    const unset = { name: '', startDate: caller.today, endDate: null, percent: 0, condition: null }
    const stamp = { createdAt: at, updatedAt: at }
    const ids = { ruleId: newEntityId(), profileId, campaignIds: [] }
    return { ...unset, ...fieldsOf(one, caller), ...ids, state: 'ACTIVE', ...stamp }
  })
  caller.world.change(store => rules.forEach(rule => store.budgetRules.set(rule.ruleId, rule)))
  return { responses: rules.map(({ ruleId }) => ({ code: 'Ok', ruleId, associatedCampaignIds: [] })) }
}

function update(caller: AdsCaller, body: unknown): object {
  const sent = bodyOf(updates, body).budgetRulesDetails
  // Callers have seen this answer to a change of what cannot be changed.
  for (const { ruleDetails } of sent)
    if (ruleDetails && ('ruleType' in ruleDetails || 'recurrence' in ruleDetails))
      throw new AdsFailure(400, { Message: 'Expected null' })
  return caller.world.change(store => ({
    responses: sent.map(({ ruleId, ruleState, ruleDetails }) => {
      const rule = store.budgetRules.get(ruleId)
      if (rule?.profileId !== caller.profile.profileId)
        return { code: 'NOT_FOUND', ruleId, details: 'The rule was not found' }
      const changed = {
        ...rule,
        ...fieldsOf((ruleDetails ?? {}) as Partial<Details>, caller, rule),
        ...(ruleState && { state: ruleState }),
      }
      store.budgetRules.set(ruleId, { ...changed, updatedAt: caller.now.getTime() })
      return { code: 'Ok', ruleId, associatedCampaignIds: rule.campaignIds }
    }),
  }))
}

/** What a rule does for a campaign today, or would do for any. */
function statusOf(rule: BudgetRule, { world, today, now, profile }: AdsCaller, campaign?: Campaign): string {
  if (rule.state === 'PAUSED') return 'PAUSED'
  if (rule.endDate !== null && rule.endDate < today) return 'EXPIRED'
  if (rule.startDate > today) return 'PENDING_START'
  if (!campaign) return 'ACTIVE'
  if (rule.condition && campaign.budgetMicros < leastRuleBudgetMicros(profile.countryCode))
    return 'BUDGET_THRESHOLD_NOT_MET'
  return world.market().budgets.inForce(campaign.campaignId, now).rules.includes(rule.ruleId) ? 'ACTIVE' : 'ON_HOLD'
}

function toWire(rule: BudgetRule, caller: AdsCaller, campaign?: Campaign): object {
  const { ruleId, name, state, startDate, endDate, percent, condition, createdAt, updatedAt } = rule
  return {
    ruleId,
    ruleState: state,
    ruleStatus: statusOf(rule, caller, campaign),
    createdDate: createdAt,
    lastUpdatedDate: updatedAt,
    ruleDetails: {
      name,
      ruleType: condition ? 'PERFORMANCE' : 'SCHEDULE',
      duration: {
        dateRangeTypeRuleDuration: {
          startDate: compactDay(startDate),
          ...(endDate !== null && { endDate: compactDay(endDate) }),
        },
      },
      recurrence: { type: 'DAILY' },
      budgetIncreaseBy: { type: 'PERCENT', value: percent },
      ...(condition && {
        performanceMeasureCondition: {
          metricName: condition.metric,
          comparisonOperator: condition.comparison,
          threshold: condition.threshold,
        },
      }),
    },
  }
}

const rulesOf = (caller: AdsCaller, campaignId: string): BudgetRule[] =>
  ownRules(caller.world.store.budgetRules, caller).filter(rule => rule.campaignIds.includes(campaignId))

function associate(caller: AdsCaller, body: unknown, campaignId: string): object {
  const ids = bodyOf(associations, body).budgetRuleIds
  const present = rulesOf(caller, campaignId).length
  return caller.world.change(store => ({
    responses: ids.map((ruleId, i) => {
      const rule = store.budgetRules.get(ruleId)
      if (rule?.profileId !== caller.profile.profileId)
        return { code: 'NOT_FOUND', ruleId, details: 'The rule was not found' }
      if (present + i >= MOST_RULES_A_CAMPAIGN)
        return { code: 'QUOTA_EXCEEDED', ruleId, details: `A campaign has at most ${MOST_RULES_A_CAMPAIGN} rules` }
      const campaignIds = [...new Set([...rule.campaignIds, campaignId])]
      store.budgetRules.set(ruleId, { ...rule, campaignIds })
      return { code: 'Ok', ruleId }
    }),
  }))
}

function pageSizeOf(value: string | undefined): number {
  const size = Number(value)
  if (!Number.isInteger(size) || size < 1 || size > 30) throw invalidArgument('pageSize must be from 1 to 30')
  return size
}

const media = { takes: [], plain: 'always' } as const

export const budgetRuleCalls: readonly Call[] = [
  { path: '/sp/budgetRules', media, status: 207, answer: create },
  { method: 'PUT', path: '/sp/budgetRules', media, status: 207, answer: update },
  {
    method: 'GET',
    path: '/sp/budgetRules',
    answer(caller, _body, { query: { pageSize, nextToken } }) {
      const { page, ...next } = pageOf(
        ownRules(caller.world.store.budgetRules, caller),
        pageSizeOf(pageSize),
        nextToken,
      )
      return { budgetRulesForAdvertiserResponse: page.map(rule => toWire(rule, caller)), ...next }
    },
  },
  {
    method: 'GET',
    path: '/sp/budgetRules/:ruleId',
    answer: (caller, _body, { params: { ruleId } }) => ({
      budgetRule: toWire(ruleOf(caller.world.store.budgetRules, caller, ruleId), caller),
    }),
  },
  {
    method: 'GET',
    path: '/sp/budgetRules/:ruleId/campaigns',
    answer(caller, _body, { params: { ruleId }, query: { pageSize, nextToken } }) {
      const rule = ruleOf(caller.world.store.budgetRules, caller, ruleId)
      const { page, ...next } = pageOf(rule.campaignIds, pageSizeOf(pageSize), nextToken)
      const associatedCampaigns = page.map(campaignId => {
        const campaign = campaignOf(caller, campaignId)
        return { campaignId, campaignName: campaign.name, ruleStatus: statusOf(rule, caller, campaign) }
      })
      return { associatedCampaigns, ...next }
    },
  },
  {
    method: 'GET',
    path: '/sp/campaigns/:campaignId/budgetRules',
    answer(caller, _body, { params: { campaignId } }) {
      const campaign = campaignOf(caller, campaignId)
      return { associatedRules: rulesOf(caller, campaign.campaignId).map(rule => toWire(rule, caller, campaign)) }
    },
  },
  {
    path: '/sp/campaigns/:campaignId/budgetRules',
    media,
    status: 207,
    answer: (caller, body, { params: { campaignId } }) =>
      associate(caller, body, campaignOf(caller, campaignId).campaignId),
  },
  {
    method: 'DELETE',
    path: '/sp/campaigns/:campaignId/budgetRules/:ruleId',
    answer(caller, _body, { params: { campaignId = '', ruleId } }) {
      const rule = ruleOf(caller.world.store.budgetRules, caller, ruleId)
      if (!rule.campaignIds.includes(campaignId)) ruleOf(new Map(), caller)
      const campaignIds = rule.campaignIds.filter(id => id !== campaignId)
      caller.world.change(store => store.budgetRules.set(rule.ruleId, { ...rule, campaignIds }))
      return {}
    },
  },
]
