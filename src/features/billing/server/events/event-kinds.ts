import { z } from 'zod'

/** What is read again when an event is about it. */
export const eventObjects = ['subscription', 'invoice', 'checkout', 'payment-method', 'customer', 'dispute'] as const
export type EventObject = (typeof eventObjects)[number]

// By the beginning of the type. All others, as of charges and prices, change nothing that is mirrored here.
const kinds: readonly [prefix: string, object: EventObject][] = [
  ['customer.subscription.', 'subscription'],
  ['invoice.', 'invoice'],
  ['checkout.session.', 'checkout'],
  ['payment_method.', 'payment-method'],
  ['setup_intent.', 'payment-method'],
  ['customer.updated', 'payment-method'],
  ['customer.deleted', 'customer'],
  ['charge.dispute.', 'dispute'],
]

/** What has to be read again after an event of this type; undefined if nothing. */
export const objectOfType = (type: string): EventObject | undefined =>
  kinds.find(([prefix]) => type.startsWith(prefix))?.[1]

const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish()

/** Of an event of the payment provider what is stored; its content is never used, because it may be overtaken. */
export const paymentEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    created: z.number(),
    livemode: z.boolean(),
    data: z.object({
      object: z.object({ id: z.string().nullish(), object: z.string(), customer: reference }),
      // A payment method that was removed has no customer any more.
      previous_attributes: z.object({ customer: reference }).nullish(),
    }),
  })
  .transform(({ id, type, created, livemode, data: { object, previous_attributes: before } }) => ({
    id,
    type,
    livemode,
    happenedAt: new Date(created * 1000),
    objectId: object.id ?? null,
    customerId: (object.object === 'customer' ? object.id : object.customer) ?? before?.customer ?? null,
  }))
export type StoredEvent = z.output<typeof paymentEvent>
