import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money } from '#shared/money.ts'
import { id, moment, queryId } from '#shared/query-schemas.ts'
import { group, MAX_CAMPAIGNS, settingsChange, strategy, takeover } from './group-contract.ts'

export {
  type Cause,
  type Evidence,
  type Forecast,
  logCauses,
  logEndpoints,
  type LogRow,
  logStates,
  type LogState,
  type LogValue,
  type Receipt,
} from './log-contract.ts'
export {
  type ChangeKind,
  changeKinds,
  type GroupState,
  groupStates,
  MAX_CAMPAIGNS,
  type OptimizerGroup,
  type SettingsChange,
  type Takeover,
} from './group-contract.ts'
export { strategies, type Strategy } from './engine/settings.ts'
export { type GroupProof, proofEndpoints } from './proof-contract.ts'

/** Why a campaign cannot be taken over. */
export const takeoverProblems = [
  'NOT_FOUND',
  'ARCHIVED',
  'ENDED',
  'NO_DAILY_BUDGET',
  'NOT_AT_MARKETPLACE',
  'IN_GROUP',
] as const

const check = v.object({
  currency: v.string(),
  campaigns: v.array(
    v.object({
      id,
      name: v.string(),
      adType: v.nullable(v.string()),
      budget: v.nullable(money),
      cost: money,
      sales: money,
      acos: v.nullable(v.number()),
      /** Null where it can be taken over. */
      problem: v.nullable(v.object({ code: v.picklist(takeoverProblems), message: v.string() })),
    }),
  ),
  /** Of those that can be taken over. */
  dailyBudget: money,
  cost: money,
  sales: money,
  /** Percent, of the last 30 settled days; null without sales. */
  acos: v.nullable(v.number()),
  products: v.number(),
  /** How many of the products have their costs on record. */
  productsWithCosts: v.number(),
  /** Percent of the price that is left after goods and fees, over those products; null without any. */
  margin: v.nullable(v.number()),
  strategy,
  /** A target to begin with, in percent. */
  targetAcos: v.number(),
  /** Until when the reports reach; null before the first. */
  reportedAt: v.nullable(moment),
})
export type TakeoverCheck = v.InferOutput<typeof check>

/** A value as it is now and as it was at take-over; amounts in decimals, raises in percent, states and texts as they are. */
const restoreItem = v.object({
  entity: v.picklist(['campaign', 'adGroup', 'target', 'negative']),
  entityId: id,
  name: v.string(),
  campaignId: id,
  campaignName: v.string(),
  field: v.picklist(['bid', 'budget', 'strategy', 'placement', 'state', 'defaultBid']),
  now: v.nullable(v.union([v.number(), v.string()])),
  atTakeover: v.nullable(v.union([v.number(), v.string()])),
  /** RESTORE: it gets its value back. PAUSE: it was created since. REMOVE: a negative that was added. LEAVE: see `reason`. */
  action: v.picklist(['RESTORE', 'PAUSE', 'REMOVE', 'LEAVE']),
  reason: v.nullable(v.picklist(['CHANGED_BY_HAND', 'GONE', 'ARCHIVED'])),
})
const restore = v.object({ currency: v.string(), takenOverAt: moment, content: v.array(restoreItem) })
export type RestorePreview = v.InferOutput<typeof restore>

const onGroup = { access: 'subscription', params: v.strictObject({ id: queryId }) } as const
const changeErrors = ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'] as const

export const optimizerEndpoints = {
  takeover: defineEndpoint({
    method: 'POST',
    path: '/campaign/takeover',
    access: 'subscription',
    summary: 'Takes campaigns over as one group: for 48 hours it only says what it would do, then it does it',
    body: takeover,
    response: v.object({ jobId: v.string(), groupId: id }),
    status: 202,
    idempotencyKey: true,
    errors: changeErrors,
  }),
  check: defineEndpoint({
    method: 'GET',
    path: '/optimizer/takeover-check',
    access: 'subscription',
    summary: 'What taking campaigns over would begin with, and why some of them cannot be',
    query: v.strictObject({
      campaignIds: v.pipe(
        v.string('Name campaigns, with commas between them'),
        v.regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, 'Name campaigns, with commas between them'),
        v.check(text => text.split(',').length <= MAX_CAMPAIGNS, 'At most 50 campaigns'),
      ),
    }),
    response: check,
    errors: ['RULE_VIOLATED'],
  }),
  stopCampaign: defineEndpoint({
    method: 'POST',
    path: '/campaign/stop-optimizing',
    access: 'subscription',
    summary: 'Takes one campaign out of its group at once, and leaves its values as they are',
    query: v.strictObject({ campaignId: queryId, campaignType: v.optional(v.string()) }),
    response: v.null(),
    status: 204,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  groups: defineEndpoint({
    method: 'GET',
    path: '/optimizer/groups',
    access: 'subscription',
    summary: 'The groups of the current account, those that work first',
    response: v.object({ content: v.array(group) }),
    errors: ['RULE_VIOLATED'],
  }),
  group: defineEndpoint({
    ...onGroup,
    method: 'GET',
    path: '/optimizer/groups/:id',
    summary: 'One group with its settings, its last run and what it leaves alone',
    response: group,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
  update: defineEndpoint({
    ...onGroup,
    method: 'PUT',
    path: '/optimizer/groups/:id',
    summary: 'Changes the settings of a group that is not stopped; what is left out stays',
    body: settingsChange,
    response: group,
    errors: changeErrors,
  }),
  start: defineEndpoint({
    ...onGroup,
    method: 'POST',
    path: '/optimizer/groups/:id/start',
    summary: 'Ends the shadow of a group early: from its next run it sends what it decides',
    response: group,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  restorePreview: defineEndpoint({
    ...onGroup,
    method: 'GET',
    path: '/optimizer/groups/:id/restore',
    summary: 'What putting a group back to the day of take-over would change, and what it would leave, with reasons',
    response: restore,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
  stop: defineEndpoint({
    ...onGroup,
    method: 'POST',
    path: '/optimizer/groups/:id/stop',
    summary: 'Ends the decisions of a group at once, and puts everything back to the day of take-over where asked to',
    body: v.strictObject({ restore: v.boolean('Say whether everything goes back') }),
    response: v.object({
      group,
      /** In the ledger; null where nothing was put back. */
      changeGroup: v.nullable(v.string()),
      restored: v.number(),
      left: v.array(restoreItem),
    }),
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
}
