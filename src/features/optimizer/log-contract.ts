import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money } from '#shared/money.ts'
import {
  day,
  dayRange,
  dayRangeMessage,
  id,
  isDayRange,
  moment,
  pageOf,
  paging,
  queryId,
} from '#shared/query-schemas.ts'
import { causes, kinds } from './engine/decisions.ts'
import { marketplaceRules } from './engine/facts.ts'

/**
 * SHADOW: it would have been done. PROPOSED: it waits for a yes. QUEUED: decided, not sent yet. SENT: on its way to the
 * marketplace. SUPERSEDED: a person changed it first, so it was not sent, or is theirs now. REJECTED: a person said no.
 */
export const logStates = [
  'SHADOW',
  'PROPOSED',
  'QUEUED',
  'SENT',
  'CONFIRMED',
  'FAILED',
  'UNDONE',
  'SUPERSEDED',
  'REJECTED',
  'EXPIRED',
] as const
export type LogState = (typeof logStates)[number]

/** What a decision is about; `none`: the day's row where nothing was to be changed. */
export const logKinds = [...kinds, 'strategy'] as const
/** Why; besides the engine's causes that of a bidding strategy, which is only ever proposed. */
export const logCauses = [...causes, 'CLICK_TOO_DEAR'] as const
export type Cause = (typeof logCauses)[number]

/** An amount in decimals, a raise in percent, or the text of a search; by `unit` of the row. */
const value = v.nullable(v.union([v.number(), v.string()]))
export type LogValue = v.InferOutput<typeof value>
const number = v.optional(v.number())

const count = v.number()
const stayed = {
  targets: count,
  right: count,
  resting: count,
  thin: count,
  capped: count,
  sellers: count,
  holdout: count,
  leftAlone: count,
}

/** What a decision was made from. Amounts in decimals; ACOS, margin and certainty in percent; rates as orders per click. */
const evidence = v.object({
  clicks: number,
  orders: number,
  cost: number,
  sales: number,
  /** Clicks as far as their orders are reported by now. */
  effectiveClicks: number,
  /** Orders that a click is expected to bring, and where that lies in 80 of 100 cases. */
  rate: number,
  band: v.optional(v.object({ low: v.number(), high: v.number() })),
  /** What the other keywords like it bring. */
  parentRate: number,
  /** Sales that a click is expected to bring, and those of an order. */
  worth: number,
  order: number,
  margin: v.optional(v.nullable(v.number())),
  /** What is bid for a unit of expected sales, and how far a short budget lowers it (1: not at all). */
  multiplier: number,
  moneyFactor: number,
  /** The most that the marketplace may charge for a click with the new bid. */
  worstClick: number,
  /** What kept the bid from being higher, or lower. */
  cap: v.optional(v.nullable(v.picklist(['HIGHEST_BID', 'WORTH', 'SUGGESTED', 'STEP', 'STOCK', 'LEAST_BID']))),
  forecastAcos: v.optional(v.nullable(v.number())),
  targetAcos: number,
  certainty: number,
  coverDays: v.optional(v.nullable(v.number())),
  /** Since when clicks sell otherwise than before. */
  brokeOn: v.optional(v.nullable(day)),
  /** Of the row that says that nothing changed: how many targets stayed, and of them for which reason. */
  stayed: v.optional(v.object(stayed)),
  /** The rules of the marketplace that move what is left alone. */
  rules: v.optional(v.array(v.picklist(marketplaceRules))),
})
export type Evidence = v.InferOutput<typeof evidence>

/** What is expected of a day with the change. */
const forecast = v.object({ clicks: v.number(), cost: money, orders: v.number(), acos: v.nullable(v.number()) })
export type Forecast = v.InferOutput<typeof forecast>

/** What came of a change once its days no longer move, against what was expected. */
const receipt = v.object({
  dateFrom: day,
  dateTo: day,
  verdict: v.picklist(['AS_EXPECTED', 'NOT_AS_EXPECTED', 'TOO_EARLY']),
  /** Clicks a day, the price of a click in decimals, ACOS in percent: the expected band and what came; null without any. */
  figures: v.array(
    v.object({
      figure: v.picklist(['CLICKS', 'CPC', 'ACOS']),
      low: v.number(),
      high: v.number(),
      actual: v.nullable(v.number()),
    }),
  ),
})
export type Receipt = v.InferOutput<typeof receipt>

/** One decision, as data: the words are made of it by `decision-text.ts`. */
export const logRow = v.object({
  id,
  groupId: id,
  groupName: v.string(),
  /** Decisions that are done and undone together share it. */
  decisionGroup: v.string(),
  decisionGroupSize: v.number(),
  at: moment,
  /** The profile’s day that it was decided for. */
  day,
  kind: v.picklist(logKinds),
  cause: v.picklist(logCauses),
  entity: v.object({
    type: v.picklist(['target', 'campaign', 'adGroup', 'group']),
    /** Null for the group itself. */
    id: v.nullable(id),
    name: v.string(),
    /** EXACT, PHRASE or BROAD of a keyword. */
    matchType: v.nullable(v.string()),
    adGroupName: v.nullable(v.string()),
    campaignId: v.nullable(id),
    campaignName: v.nullable(v.string()),
  }),
  unit: v.nullable(v.picklist(['MONEY', 'PERCENT', 'TEXT'])),
  /** Of a harvest: the search before, the bid of its keyword after. */
  before: value,
  after: value,
  currency: v.string(),
  evidence,
  forecast: v.nullable(forecast),
  asks: v.boolean(),
  state: v.picklist(logStates),
  /** What the marketplace answered to a change that it did not take. */
  answer: v.nullable(v.string()),
  sentAt: v.nullable(moment),
  confirmedAt: v.nullable(moment),
  receipt: v.nullable(receipt),
  /** What a day of it costs or saves, as far as that can be foreseen. */
  atStake: v.nullable(money),
  /** Until when a proposal can be approved. */
  expiresAt: v.nullable(moment),
  /** Who approved, rejected or undid it, and why. */
  settled: v.nullable(v.object({ at: moment, by: v.nullable(v.string()), reason: v.nullable(v.string()) })),
  undo: v.object({
    isPossible: v.boolean(),
    /** NOTHING_SENT: shadow, proposals, rejected ones. NOT_NEWEST: something newer was decided; undo that first. */
    reason: v.nullable(v.picklist(['NOTHING_SENT', 'UNDONE', 'NOT_NEWEST', 'STOPPED', 'NOTHING_CHANGED'])),
  }),
  /** Whether what was undone can be done again. */
  canRedo: v.boolean(),
  /** Until when what it is about is left alone; null where it is not. */
  pin: v.nullable(v.object({ id, until: day })),
  /** In the ledger of changes; null where nothing was written there. */
  changeGroup: v.nullable(v.string()),
  engineVersion: v.number(),
})
export type LogRow = v.InferOutput<typeof logRow>

const onRow = { access: 'subscription', params: v.strictObject({ id: queryId }) } as const
const reason = v.pipe(v.string('Say why'), v.trim(), v.maxLength(500, 'At most 500 characters'))

export const logEndpoints = {
  list: defineEndpoint({
    method: 'GET',
    path: '/automation-logs',
    access: 'subscription',
    summary: 'What the optimizer decided, the latest first, with its evidence and what became of it',
    query: v.pipe(
      v.strictObject({
        ...paging,
        campaignId: v.optional(queryId),
        groupId: v.optional(queryId),
        kind: v.optional(v.picklist(logKinds, 'Must be a kind of decision')),
        state: v.optional(v.picklist(logStates, 'Must be a state of a decision')),
        ...dayRange,
      }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    response: pageOf(logRow),
    errors: ['RULE_VIOLATED'],
  }),
  get: defineEndpoint({
    ...onRow,
    method: 'GET',
    path: '/automation-logs/:id',
    summary: 'One decision of the optimizer',
    response: logRow,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
  undo: defineEndpoint({
    ...onRow,
    method: 'POST',
    path: '/automation-logs/:id/undo',
    summary: 'Takes a decision back; a 409 has the three values where the marketplace holds something else',
    body: v.strictObject({
      /** Also where something newer is lost. */
      force: v.optional(v.boolean(), false),
      /** All decisions of its decision group, in reverse order; a harvest is always undone whole. */
      whole: v.optional(v.boolean(), false),
    }),
    response: v.object({
      changeGroup: v.nullable(v.string()),
      outcomes: v.array(
        v.object({
          id,
          /** OTHER: left, because it is neither `before` nor `after` any more. */
          status: v.picklist(['UNDONE', 'SAME', 'OTHER', 'INVALID']),
          message: v.nullable(v.string()),
        }),
      ),
      row: logRow,
      /** Kinds that are asked about from now on, because they were undone so often. */
      taught: v.array(v.string()),
    }),
    /** CONFLICT has `values` with id, name, unit, before, after and now of each. */
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'CONFLICT'],
  }),
  redo: defineEndpoint({
    ...onRow,
    method: 'POST',
    path: '/automation-logs/:id/redo',
    summary:
      'Does again what was undone or rejected by the marketplace, a harvest whole; a 409 has the three values where there is something else by now',
    response: logRow,
    /** CONFLICT has `values` as that of an undo. */
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'CONFLICT'],
  }),
  approve: defineEndpoint({
    ...onRow,
    method: 'POST',
    path: '/automation-logs/:id/approve',
    summary: 'Says yes to a proposal, with another number where one is given; its decision group goes with it',
    body: v.strictObject({ after: v.optional(v.pipe(v.number('Enter a number'), v.finite('Enter a number'))) }),
    response: logRow,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED', 'CONFLICT'],
  }),
  reject: defineEndpoint({
    ...onRow,
    method: 'POST',
    path: '/automation-logs/:id/reject',
    summary: 'Says no to a proposal; its decision group goes with it',
    body: v.strictObject({ reason: v.optional(v.nullable(reason), null) }),
    response: logRow,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'CONFLICT'],
  }),
  endPin: defineEndpoint({
    ...onRow,
    method: 'DELETE',
    path: '/optimizer/pins/:id',
    summary: 'Lets the optimizer change again what a person changed or undid',
    response: v.null(),
    status: 204,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
}
