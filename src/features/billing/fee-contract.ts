import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { day, id, isDayRange, dayRangeMessage } from '#shared/query-schemas.ts'

/** The days of one advertising account under one percentage. Amounts in USD unless they say otherwise. */
const feeLine = v.object({
  merchantId: id,
  profileId: id,
  accountName: v.string(),
  countryCode: v.string(),
  fromDate: day,
  toDate: day,
  /** The account's own currency. */
  currency: v.string(),
  /** In the account's own currency. */
  spend: v.number(),
  /** Null where there is no exchange rate: the spend is not charged. */
  spendUsd: v.nullable(v.number()),
  /** The day of the European Central Bank's rate. */
  rateDate: day,
  percentage: v.number(),
  fee: v.number(),
  /** How the fee is worked out, as a phrase. */
  formula: v.string(),
})
export type FeeLine = v.InferOutput<typeof feeLine>

export const adSpendSummarySchema = v.object({
  fromDate: day,
  toDate: day,
  currency: v.literal('USD'),
  spend: v.number(),
  /** What the plans' prices cover; in a part of a month, that part of it. */
  includedSpend: v.number(),
  taxableSpend: v.number(),
  /** Null where not all days have the same. */
  percentage: v.nullable(v.number()),
  fee: v.number(),
  /** False while some of it is worked out from figures or exchange rates that may still change. */
  isFinal: v.boolean(),
  lines: v.array(feeLine),
  /** By calendar month: whether it was charged, and what was changed of its fee afterwards. */
  months: v.array(
    v.object({
      month: v.string(),
      isWhole: v.boolean(),
      /** OPEN: not closed yet. CARRIED: goes to the next invoice. INVOICED: on `invoiceId`. */
      state: v.picklist(['OPEN', 'CARRIED', 'ISSUING', 'INVOICED']),
      invoiceId: v.nullable(v.string()),
      spend: v.number(),
      taxableSpend: v.number(),
      fee: v.number(),
      /** What restated figures added to the fee or took from it since it was frozen; not part of `fee`. */
      corrections: v.number(),
    }),
  ),
})
export type AdSpendSummary = v.InferOutput<typeof adSpendSummarySchema>

/**
 * Why nothing was charged. NO_PAID_DAYS: there was no paid plan in a month that is over. NOT_CLOSED: the month is not closed
 * yet. NOT_SETTLED: its figures are not complete. NO_FEE: the ad spend was within what the plan includes. BELOW_MINIMUM: the
 * fee is too small to be charged and goes to the next invoice. IN_PROGRESS: the invoice is being made already.
 */
export const skippedReason = v.picklist([
  'NO_PAID_DAYS',
  'NOT_CLOSED',
  'NOT_SETTLED',
  'NO_FEE',
  'BELOW_MINIMUM',
  'IN_PROGRESS',
])
export type SkippedReason = v.InferOutput<typeof skippedReason>

export const feeEndpoints = {
  summary: defineEndpoint({
    method: 'GET',
    path: '/subscriptions/ad-spend-summary',
    access: 'account',
    authority: 'ACCOUNT_MANAGER',
    summary: 'The ad spend of the user’s advertising accounts on paid days, and the fee on it; at most 400 days',
    query: v.pipe(
      v.strictObject({ fromDate: day, toDate: day }),
      v.check(({ fromDate, toDate }) => isDayRange({ dateFrom: fromDate, dateTo: toDate }), dayRangeMessage),
    ),
    response: adSpendSummarySchema,
    errors: ['FORBIDDEN'],
  }),
  trigger: defineEndpoint({
    method: 'POST',
    path: '/subscriptions/trigger-billing',
    managing: 'blocked',
    access: 'account',
    summary: 'Charges the fee on ad spend of months that are closed, at most once each; the hourly run does the same',
    idempotencyKey: 'optional',
    response: v.union([
      v.object({ invoiceId: v.string() }),
      v.object({
        skipped: skippedReason,
        /** The same as a sentence. */
        message: v.string(),
        /** What goes to the next invoice, in USD; negative for a credit. */
        carriedForward: v.number(),
      }),
    ]),
    errors: ['FORBIDDEN', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_FAILED', 'UPSTREAM_UNAUTHORIZED'],
  }),
}
