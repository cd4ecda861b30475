import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money } from '#shared/money.ts'
import { day, moment, queryId } from '#shared/query-schemas.ts'
import { dayParts } from './engine/facts.ts'

/** What is known only within bounds; all three null where it is not known yet. */
const band = v.object({ low: v.nullable(v.number()), middle: v.nullable(v.number()), high: v.nullable(v.number()) })

/** What a group's decisions are known to have done: nothing is claimed of single changes. */
const groupProof = v.object({
  currency: v.string(),
  takenOverAt: moment,
  /** How many changes have settled, and how many of their expected bands held. */
  receipts: v.object({ judged: v.number(), held: v.number(), tooEarly: v.number() }),
  /** One per month, the latest first; shares in percent. */
  calibrations: v.array(
    v.object({
      month: day,
      bands: v.number(),
      /** Of the bands that should hold in 80 of 100 cases. */
      heldShare: v.nullable(v.number()),
      /** What the forecast ACOS was too high (above 0) or too low by, in percent of what came. */
      bias: v.nullable(v.number()),
    }),
  ),
  /** The figures of days after it may still change. */
  settledTo: day,
  /** Settled weeks whose ACOS had been forecast with a band, and those of them that ended within it. */
  weeks: v.object({ judged: v.number(), held: v.number() }),
  /**
   * Spend, sales and profit of a day before and since it began to send. `forecast`: the ACOS, in percent, of the seven days that
   * end on it, as it was forecast on the next morning, with the band in which it settles in 80 of 100 cases (null where too few
   * orders were to be expected).
   */
  days: v.array(
    v.object({
      date: day,
      cost: money,
      sales: money,
      profit: v.nullable(money),
      isSince: v.boolean(),
      forecast: v.nullable(
        v.object({ acos: v.number(), band: v.nullable(v.object({ low: v.number(), high: v.number() })) }),
      ),
    }),
  ),
  /**
   * Profit of a day more than it would have been, with what the account’s other campaigns did in the same weeks allowed for;
   * null before it sends, and while costs are unknown. `share` in percent.
   */
  effect: v.nullable(
    v.object({
      verdict: v.picklist(['BETTER', 'WORSE', 'CANNOT_TELL']),
      why: v.nullable(v.picklist(['TOO_FEW_WEEKS', 'TOO_FEW_ORDERS', 'INTERVAL_HAS_ZERO'])),
      day: v.nullable(v.object({ low: money, middle: money, high: money })),
      share: v.nullable(v.object({ low: v.number(), middle: v.number(), high: v.number() })),
      weeksBefore: v.number(),
      weeksAfter: v.number(),
    }),
  ),
  /** The change in profit of a day by the targets that were held back; null while there are too few orders to say. */
  test: v.nullable(
    v.object({ dateFrom: day, dateTo: day, ...band.entries, targets: v.number(), heldBack: v.number() }),
  ),
  /**
   * What clicks of each four hours sell against those of all hours, in percent (100: the same), with the band of 90 of 100 cases.
   * `bid`: how many percent bids would be raised or lowered, 0 where chance may explain the difference. It is measured only:
   * no bid follows the hour. Null before 28 days and 300 orders.
   */
  hours: v.nullable(
    v.object({
      dateFrom: day,
      dateTo: day,
      days: v.number(),
      orders: v.number(),
      blocks: v.array(
        v.object({
          dayPart: v.picklist(dayParts),
          from: v.number(),
          to: v.number(),
          clicks: v.number(),
          orders: v.number(),
          worth: v.number(),
          low: v.number(),
          high: v.number(),
          bid: v.number(),
        }),
      ),
    }),
  ),
  /** Why there is no test yet. */
  noTest: v.nullable(v.picklist(['TOO_FEW_ORDERS', 'TOO_EARLY'])),
})
export type GroupProof = v.InferOutput<typeof groupProof>

export const proofEndpoints = {
  ofGroup: defineEndpoint({
    method: 'GET',
    path: '/optimizer/groups/:id/proof',
    access: 'subscription',
    summary: 'What the decisions of a group did, as far as that can be known',
    params: v.strictObject({ id: queryId }),
    response: groupProof,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
}
