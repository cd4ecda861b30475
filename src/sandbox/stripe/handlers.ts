import type { Handlers } from './calls.ts'
import { catalogueHandlers } from './catalogue.ts'
import { checkoutHandlers } from './checkout.ts'
import { customerHandlers } from './customers.ts'
import { eventHandlers } from './events.ts'
import { invoiceItemHandlers } from './invoice-items.ts'
import { invoiceHandlers } from './invoices.ts'
import { paymentMethodHandlers } from './payment-methods.ts'
import { paymentHandlers } from './payments.ts'
import { portalHandlers } from './portal.ts'
import { refundHandlers } from './refunds.ts'
import { setupIntentHandlers } from './setup-intents.ts'
import { subscriptionHandlers } from './subscriptions.ts'

/** What carries out each call. */
export const handlers: Handlers = {
  ...catalogueHandlers,
  ...checkoutHandlers,
  ...customerHandlers,
  ...eventHandlers,
  ...invoiceHandlers,
  ...invoiceItemHandlers,
  ...paymentHandlers,
  ...paymentMethodHandlers,
  ...portalHandlers,
  ...refundHandlers,
  ...setupIntentHandlers,
  ...subscriptionHandlers,
}
