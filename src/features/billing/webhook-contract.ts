import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'

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
}
