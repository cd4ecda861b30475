import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { figureEntries } from '#shared/figure-schemas.ts'
import { day, id, moment, queryId } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'
import { rangeQuery } from './list-queries.ts'
import { target } from '#features/structure/contract.ts'

const budgetDay = v.object({
  date: day,
  budget: v.nullable(money),
  spent: v.nullable(money),
  hours: v.array(v.object({ hour: v.number(), cost: v.nullable(money), outMinutes: v.number() })),
  lostMinutes: v.nullable(v.number()),
  outSince: v.nullable(moment),
  isPartial: v.boolean(),
})

const wastingTarget = v.object({
  ...target.entries,
  ...figureEntries,
  campaignName: v.string(),
  adGroupName: v.string(),
  /** How many clicks without an order it takes to be nine tenths sure, by what its product usually converts. */
  clicksToBeSure: v.number(),
})
export type WastingTarget = v.InferOutput<typeof wastingTarget>

const reads = { method: 'GET', access: 'subscription' } as const

/** What the pages of campaigns and ad groups ask besides the lists. */
export const campaignPageEndpoints = {
  budgetUse: defineEndpoint({
    ...reads,
    path: '/campaigns/:id/budget-use',
    summary:
      'How a campaign used its budget by the hour, today and on the six days before, and the time lost without it',
    params: v.strictObject({ id: queryId }),
    response: v.object({
      currency: v.string(),
      timezone: v.string(),
      /** Since when the marketplace sends hours; null when it does not. There are none of before. */
      since: v.nullable(moment),
      asOf: v.nullable(moment),
      days: v.array(budgetDay),
    }),
    errors: ['RULE_VIOLATED', 'NOT_FOUND'],
  }),
  places: defineEndpoint({
    ...reads,
    path: '/campaigns/:id/places',
    summary: 'What a campaign brought in each place that its ads were shown in',
    params: v.strictObject({ id: queryId }),
    query: rangeQuery,
    response: v.object({
      currency: v.string(),
      dateFrom: day,
      dateTo: day,
      /** The dearest first; places without figures are missing. */
      content: v.array(
        v.object({
          /** A placement, OFF_AMAZON or OTHER. */
          place: v.string(),
          ...figureEntries,
        }),
      ),
    }),
    errors: ['RULE_VIOLATED', 'NOT_FOUND'],
  }),
  wasting: defineEndpoint({
    ...reads,
    path: '/targets/wasting',
    summary: 'Running keywords and targets that cost money and, after enough clicks to be sure, brought no order',
    query: v.strictObject({ campaignId: v.optional(queryId) }),
    response: v.object({
      currency: v.string(),
      /** The settled days that count; null when no figures were imported. */
      days: v.nullable(v.object({ dateFrom: day, dateTo: day })),
      /** The dearest first, at most ten. */
      content: v.array(wastingTarget),
    }),
    errors: ['RULE_VIOLATED'],
  }),
  suggestedBid: defineEndpoint({
    ...reads,
    path: '/targets/:id/suggested-bid',
    summary: 'The bid that the marketplace suggests for a keyword or target of Sponsored Products, asked for now',
    params: v.strictObject({ id: queryId }),
    response: v.object({
      id,
      currency: v.string(),
      /** Null where the marketplace suggests nothing for it. */
      suggestion: v.nullable(v.object({ lowBid: money, bid: money, highBid: money })),
    }),
    errors: ['RULE_VIOLATED', 'NOT_FOUND', 'UPSTREAM_FAILED', 'UPSTREAM_UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
  }),
}
