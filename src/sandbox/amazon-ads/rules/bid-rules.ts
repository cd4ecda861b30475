import { z } from 'zod'
import { type BidRule, daysOfWeek } from '../../core/model/rules.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { vendorType } from '../media-types.ts'
import { bodyOf, campaignOf, ownRules, pageOf } from './rule-body.ts'

// As in public clients of the vendor's optimization rules, versions 1 and 2: the specification itself was not at hand. Only
// schedule rules of bids are emulated, which raise them by 1 to 100 percent in some hours; rules of targets are not.

const MOST_RULES_A_CAMPAIGN = 100
const MOST_IDS_A_CALL = 25
/** Rules in one call, by the version of its media type. */
const mostRules = { v1: 1, v2: 300 } as const
const PAGE = { v1: 100, v2: 300 } as const

const moment = z.iso.datetime({ offset: true })
const time = z.string().regex(/^([01]\d|2[0-4]):[0-5]\d(:\d\d)?$/, 'must be a time as HH:mm')
const sentRule = z.object({
  optimizationRuleId: z.string().optional(),
  ruleName: z.string().min(1),
  ruleCategory: z.literal('BID'),
  ruleSubCategory: z.literal('SCHEDULE'),
  status: z.enum(['ENABLED', 'PAUSED']).default('ENABLED'),
  conditions: z.array(z.never('only schedules are emulated')).optional(),
  recurrence: z.object({
    type: z.enum(['DAILY', 'WEEKLY']),
    daysOfWeek: z.array(z.enum(daysOfWeek)).max(7).optional(),
    timesOfDay: z
      .array(z.object({ startTime: time, endTime: time }))
      .max(1)
      .optional(),
    duration: z.object({ startTime: moment, endTime: moment.nullish() }),
  }),
  action: z.object({
    actionType: z.literal('ADOPT'),
    actionDetails: z.object({
      actionOperator: z.literal('INCREMENT'),
      actionUnit: z.literal('PERCENT'),
      value: z.coerce.number().int().min(1).max(100),
    }),
  }),
})
type SentRule = z.output<typeof sentRule>
const sentRules = z.object({ optimizationRules: z.array(sentRule).min(1) })
const associations = z.object({ optimizationRuleIds: z.array(z.string()).min(1).max(MOST_IDS_A_CALL) })
const idFilter = z.object({ values: z.array(z.string()).min(1).max(100) }).partial()
const search = z.object({
  campaignFilter: z.object({ campaignId: idFilter.optional() }).optional(),
  optimizationRuleFilter: z.object({ optimizationRuleId: idFilter.optional() }).optional(),
  pageSize: z.number().int().min(1).optional(),
  maxResults: z.number().int().min(1).optional(),
  nextToken: z.string().optional(),
})

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

type Fields = Omit<BidRule, 'optimizationRuleId' | 'profileId' | 'campaignIds' | 'createdAt' | 'updatedAt'>

/** The stored fields of a rule that was sent. Throws 400 where it would hold in no hour. */
function fieldsOf({ ruleName, status, recurrence, action }: SentRule): Fields {
  const { type, daysOfWeek: days = [], timesOfDay, duration } = recurrence
  if (type === 'WEEKLY' && days.length === 0) throw invalidArgument('daysOfWeek are required for a WEEKLY recurrence')
  const times = timesOfDay?.[0]
  const minutes = times ? { from: minutesOf(times.startTime), to: minutesOf(times.endTime) } : null
  if (minutes && minutes.to <= minutes.from) throw invalidArgument('endTime must be after startTime')
  const [from, to] = [Date.parse(duration.startTime), duration.endTime ? Date.parse(duration.endTime) : null]
  if (to !== null && to <= from) throw invalidArgument('duration.endTime must be after duration.startTime')
  const { value: percent } = action.actionDetails
  return { name: ruleName, status, from, to, days: type === 'WEEKLY' ? days : null, minutes, percent }
}

function toWire(rule: BidRule, now: Date): object {
  const { optimizationRuleId, name, status, from, to, days, minutes, percent } = rule
  const hasEnded = to !== null && to <= now.getTime()
  return {
    optimizationRuleId,
    ruleName: name,
    ruleCategory: 'BID',
    ruleSubCategory: 'SCHEDULE',
    status: hasEnded ? 'ENDED' : status === 'ENABLED' && from > now.getTime() ? 'SCHEDULED' : status,
    recurrence: {
      type: days ? 'WEEKLY' : 'DAILY',
      ...(days && { daysOfWeek: days }),
      ...(minutes && { timesOfDay: [{ startTime: timeOf(minutes.from), endTime: timeOf(minutes.to) }] }),
      duration: {
        startTime: new Date(from).toISOString(),
        ...(to !== null && { endTime: new Date(to).toISOString() }),
      },
    },
    action: {
      actionType: 'ADOPT',
      actionDetails: { actionOperator: 'INCREMENT', actionUnit: 'PERCENT', value: percent },
    },
  }
}

function write(caller: AdsCaller, body: unknown, version: 'v1' | 'v2', isNew: boolean): object {
  const { optimizationRules: sent } = bodyOf(sentRules, body)
  const most = isNew || version === 'v2' ? mostRules[version] : MOST_IDS_A_CALL
  if (sent.length > most) throw invalidArgument(`optimizationRules must have 1 to ${most} items`)
  const at = caller.now.getTime()
  const { profileId } = caller.profile
  const fields = sent.map(fieldsOf)
  return caller.world.change(store => ({
    responses: sent.map(({ optimizationRuleId }, i) => {
      const before = isNew
        ? { optimizationRuleId: newEntityId(), profileId, campaignIds: [], createdAt: at }
        : store.bidRules.get(optimizationRuleId ?? '')
      if (before?.profileId !== profileId) return { code: 'NOT_FOUND', details: 'The optimization rule was not found' }
      const rule: BidRule = { ...before, ...(fields[i] as Fields), updatedAt: at }
      store.bidRules.set(rule.optimizationRuleId, rule)
      return { code: 'SUCCESS', optimizationRule: toWire(rule, caller.now) }
    }),
  }))
}

function find(caller: AdsCaller, body: unknown, version: 'v1' | 'v2'): object {
  const { campaignFilter, optimizationRuleFilter, pageSize, maxResults, nextToken } = bodyOf(search, body)
  const campaigns = campaignFilter?.campaignId?.values
  const ids = optimizationRuleFilter?.optimizationRuleId?.values
  const found = ownRules(caller.world.store.bidRules, caller)
    .filter(rule => !ids || ids.includes(rule.optimizationRuleId))
    .filter(rule => !campaigns || rule.campaignIds.some(id => campaigns.includes(id)))
  const size = Math.min(PAGE[version], pageSize ?? maxResults ?? PAGE[version])
  const { page, ...next } = pageOf(found, size, nextToken)
  return { optimizationRules: page.map(rule => toWire(rule, caller.now)), ...next }
}

function associate(caller: AdsCaller, body: unknown, campaignId: string): object {
  const { optimizationRuleIds: ids } = bodyOf(associations, body)
  const { profileId } = caller.profile
  const present = ownRules(caller.world.store.bidRules, caller).filter(rule => rule.campaignIds.includes(campaignId))
  return caller.world.change(store => ({
    responses: ids.map((optimizationRuleId, i) => {
      const rule = store.bidRules.get(optimizationRuleId)
      if (rule?.profileId !== profileId)
        return { code: 'NOT_FOUND', optimizationRuleId, details: 'The optimization rule was not found' }
      if (present.length + i >= MOST_RULES_A_CAMPAIGN)
        return {
          code: 'QUOTA_EXCEEDED',
          optimizationRuleId,
          details: `A campaign has at most ${MOST_RULES_A_CAMPAIGN}`,
        }
      const campaignIds = [...new Set([...rule.campaignIds, campaignId])]
      store.bidRules.set(optimizationRuleId, { ...rule, campaignIds })
      return { code: 'SUCCESS', optimizationRuleId }
    }),
  }))
}

const [first, second] = [vendorType('spoptimizationrules', 'v1'), vendorType('spoptimizationrules', 'v2')]
const media = { takes: [first, second], plain: 'always' } as const
const versionOf = ({ content }: { content: string | null }) => (content === second ? 'v2' : 'v1')

export const bidRuleCalls: readonly Call[] = [
  {
    path: '/sp/rules/optimization',
    media,
    status: 207,
    answer: (caller, body, exchange) => write(caller, body, versionOf(exchange), true),
  },
  {
    method: 'PUT',
    path: '/sp/rules/optimization',
    media,
    status: 207,
    answer: (caller, body, exchange) => write(caller, body, versionOf(exchange), false),
  },
  {
    path: '/sp/rules/optimization/search',
    media,
    answer: (caller, body, exchange) => find(caller, body, versionOf(exchange)),
  },
  {
    path: '/sp/campaigns/:campaignId/optimizationRules',
    media: { takes: [first], plain: 'always' },
    status: 207,
    answer: (caller, body, { params: { campaignId } }) =>
      associate(caller, body, campaignOf(caller, campaignId).campaignId),
  },
]
