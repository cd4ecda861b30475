import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money, newMoney } from '#shared/money.ts'
import { day, moment, queryId } from '#shared/query-schemas.ts'

/** A raise that holds: the budget is what it was raised to, and goes back by itself. */
const rescue = v.object({
  /** What the budget goes back to: of several raises of a day, where the first began. */
  before: money,
  budget: money,
  since: moment,
  until: moment,
  /** Who raised it last; null of a person who left. */
  by: v.nullable(v.string()),
})

/** How the last raise of the last two days ended: LEFT, because somebody else changed the budget meanwhile. */
const ended = v.object({
  at: moment,
  outcome: v.picklist(['RETURNED', 'REVERTED', 'LEFT']),
  before: money,
})

const rescueState = v.object({
  currency: v.string(),
  timezone: v.string(),
  /** The daily budget as it is now; null where the campaign has none. */
  budget: v.nullable(money),
  /** The most that the marketplace takes. */
  mostBudget: money,
  /** The midnight of the account at which a raise goes back. */
  until: moment,
  rescue: v.nullable(rescue),
  ended: v.nullable(ended),
  /** Why the budget cannot be raised for today; null where it can. */
  obstacle: v.nullable(v.string()),
})
export type RescueState = v.InferOutput<typeof rescueState>

const missedSales = v.object({ low: money, high: money, from: day, to: day })

const advice = v.object({
  ...rescueState.entries,
  /** Whether today has cost as much as the budget is now; false where nothing was reported of today. */
  isUsedUp: v.boolean(),
  /** MARKETPLACE: its own recommendation. PACE: what today costs at the pace until now. STEP: neither says more; a fifth more. */
  recommended: v.nullable(v.object({ budget: money, source: v.picklist(['MARKETPLACE', 'PACE', 'STEP']) })),
  /** Sales that today’s budget misses at this pace, by what a unit of spend sold in the worst and the best of four settled weeks. */
  missedToday: v.nullable(missedSales),
  /** What the marketplace says that budgets of the last seven days missed. */
  missedBefore: v.nullable(missedSales),
})
export type RescueAdvice = v.InferOutput<typeof advice>

const one = {
  path: '/campaigns/:id/budget-rescue',
  access: 'subscription',
  params: v.strictObject({ id: queryId }),
} as const

const changed = v.object({
  ...rescueState.entries,
  /** In the ledger; null where nothing was to be changed. */ groupId: v.nullable(v.string()),
})

export const budgetRescueEndpoints = {
  read: defineEndpoint({
    ...one,
    method: 'GET',
    /** Of another shop of the user than the current one: a notification may be about any. */
    query: v.strictObject({ merchantId: v.optional(queryId), marketplaceId: v.optional(queryId) }),
    summary: 'The budget that a campaign needs for today, what it misses without, and whether one was raised',
    response: advice,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
  raise: defineEndpoint({
    ...one,
    method: 'POST',
    summary: 'Raises the daily budget of a campaign until midnight, when it goes back by itself',
    body: v.strictObject({
      budget: newMoney('Valid budget amount is required'),
      /** The budget that the caller saw: a raise on top of another is not what was decided. */
      from: newMoney('The budget as you see it is required'),
    }),
    response: changed,
    idempotencyKey: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED', 'CONFLICT'],
  }),
  revertRaise: defineEndpoint({
    ...one,
    method: 'DELETE',
    summary: 'Gives the campaign its budget back at once; does nothing where none is raised',
    response: changed,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
}
