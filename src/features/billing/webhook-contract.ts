import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { moment } from '#shared/query-schemas.ts'

/** An invoice whose payment failed and that is still open. */
export const paymentProblem = v.object({
  invoiceId: v.string(),
  number: v.nullable(v.string()),
  /** In units of `currency`. */
  amountDue: v.number(),
  currency: v.string(),
  /** Until when the user keeps access without paying; null if the access does not depend on this invoice. */
  accessUntil: v.nullable(moment),
})
export type PaymentProblem = v.InferOutput<typeof paymentProblem>

export const webhookEndpoints = {
  /** Public: the signature is the permission. */
  receive: defineEndpoint({
    method: 'POST',
    path: '/billing/webhook',
    access: 'public',
    summary: 'An event of the payment provider: 200 once it is stored; each takes effect once, in any order',
    rawBody: { mediaType: 'application/json', signatureHeader: 'Stripe-Signature' },
    maxBodyBytes: 512 * 1024,
    response: v.object({ received: v.literal(true) }),
  }),
  problem: defineEndpoint({
    method: 'GET',
    path: '/billing/payment-problem',
    access: 'account',
    summary: 'The oldest invoice of the user whose payment failed and that is still open; null if there is none',
    response: v.object({ problem: v.nullable(paymentProblem) }),
  }),
}
