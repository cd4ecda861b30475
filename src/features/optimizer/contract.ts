import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money, newMoney } from '#shared/money.ts'
import { day, id, moment, queryId } from '#shared/query-schemas.ts'
import { strategies } from './engine/settings.ts'

export {
  type Evidence,
  type Forecast,
  logEndpoints,
  type LogRow,
  logStates,
  type LogState,
  type LogValue,
  type Receipt,
} from './log-contract.ts'
export { causes, type Cause } from './engine/decisions.ts'
export { strategies, type Strategy } from './engine/settings.ts'
export { type GroupProof, proofEndpoints } from './proof-contract.ts'

/** The most campaigns that one group has. */
export const MAX_CAMPAIGNS = 50
/** What a group decides on, and may ask about first. */
export const changeKinds = ['bid', 'budget', 'negative', 'harvest', 'placement'] as const
export type ChangeKind = (typeof changeKinds)[number]
/** SHADOW: it says what it would do and sends nothing. */
export const groupStates = ['SHADOW', 'RUNNING', 'STOPPED'] as const
export type GroupState = (typeof groupStates)[number]

const strategy = v.picklist(strategies, 'Must be PROFIT, REACH or LAUNCH')
const kindsToAsk = v.pipe(
  v.array(v.picklist(changeKinds, 'Must be a kind of change')),
  v.maxLength(changeKinds.length, 'Name each kind once'),
)
/** Percent, as everywhere in the API: 30 is 30 %. */
const targetAcos = v.pipe(
  v.number('Enter a target ACOS'),
  v.minValue(1, 'At least 1 %'),
  v.maxValue(500, 'At most 500 %'),
)
const name = v.pipe(
  v.string('Enter a name'),
  v.trim(),
  v.nonEmpty('Enter a name'),
  v.maxLength(100, 'At most 100 characters'),
)
const amount = (message: string) => v.pipe(newMoney(message), v.minValue(0.01, message))
const untouched = v.pipe(
  v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200, 'At most 200 characters'))),
  v.maxLength(500, 'At most 500 keywords and products'),
)

const settingEntries = {
  name,
  /** The ceiling of the group’s mean; single keywords may stand above it. */
  targetAcos,
  strategy,
  /** The most that is ever bid; null: what the marketplace takes. */
  highestBid: v.nullable(amount('Enter a highest bid')),
  /** The most that the campaigns may spend on a day together. */
  dailyBudget: amount('Enter a daily budget'),
  /** Of a launch: its last day, and what it may cost in all. */
  launchUntil: v.nullable(day),
  launchBudget: v.nullable(amount('Enter a budget for the launch')),
  /** Keywords and ASINs that are never changed, harvested or negated. */
  untouched,
  /** What is proposed instead of done. */
  asks: kindsToAsk,
}

const settingsChange = v.partial(v.strictObject(settingEntries))
export type SettingsChange = v.InferOutput<typeof settingsChange>

const takeover = v.strictObject({
  campaignIds: v.pipe(
    v.array(id),
    v.minLength(1, 'Choose at least one campaign'),
    v.maxLength(MAX_CAMPAIGNS, 'At most 50 campaigns in one group'),
  ),
  targetAcos,
  strategy,
  /** Without it the name of the first campaign. */
  name: v.optional(name),
  highestBid: v.optional(settingEntries.highestBid),
  /** Without it the sum of the campaigns’ budgets. */
  dailyBudget: v.optional(settingEntries.dailyBudget),
  launchUntil: v.optional(settingEntries.launchUntil),
  launchBudget: v.optional(settingEntries.launchBudget),
  untouched: v.optional(untouched),
  /** Without it harvests, negatives and budgets, for the first 14 days. */
  asks: v.optional(kindsToAsk),
})
export type Takeover = v.InferOutput<typeof takeover>

const member = v.object({
  id,
  name: v.string(),
  adType: v.string(),
  state: v.string(),
  budget: v.nullable(money),
})

/** What came of one day: HELD, because of its cause nothing was decided; FAILED, it is tried again. */
const run = v.object({
  day,
  at: moment,
  outcome: v.picklist(['DECIDED', 'NOTHING', 'HELD', 'FAILED']),
  cause: v.nullable(v.string()),
  /** How many changes it decided on. */
  decisions: v.number(),
  /** Until when the reports reach that it read. */
  reportedAt: v.nullable(moment),
})

const group = v.object({
  id,
  ...settingEntries,
  state: v.picklist(groupStates),
  currency: v.string(),
  timezone: v.string(),
  campaigns: v.array(member),
  takenOverAt: moment,
  /** Until then it sends nothing. */
  shadowUntil: moment,
  /** Since when it sends; null in the shadow. */
  startedAt: v.nullable(moment),
  stoppedAt: v.nullable(moment),
  /** Until when kinds are asked about only because the group is new; null where that is over or was set by hand. */
  asksUntil: v.nullable(day),
  /** Kinds that are asked about because they were undone three times in 30 days. */
  taught: v.array(v.picklist(changeKinds)),
  /** Whether nothing is raised, or nothing decided at all, and why. */
  halt: v.nullable(v.object({ cause: v.string(), until: v.nullable(day) })),
  lastRun: v.nullable(run),
  /** When it decides next; null for a stopped one. */
  nextRunAt: v.nullable(moment),
  /** Percent: the week’s spend over what its clicks are expected to sell; null before the first run. */
  forecastAcos: v.nullable(v.number()),
  /** Of the last 30 settled days. */
  cost: money,
  sales: money,
  acos: v.nullable(v.number()),
  /** Of the last seven days. */
  changes: v.number(),
  proposals: v.number(),
  /** What no longer changes before a day, because a person changed or undid it. */
  pins: v.array(v.object({ id, entity: v.string(), entityId: id, name: v.string(), until: day, since: moment })),
})
export type OptimizerGroup = v.InferOutput<typeof group>

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
