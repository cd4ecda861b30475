import type { Handlers } from './calls.ts'
import { catalogueHandlers } from './catalogue.ts'
import { customerHandlers } from './customers.ts'
import { paymentMethodHandlers } from './payment-methods.ts'

/** What carries out each call. */
export const handlers: Handlers = {
  ...catalogueHandlers,
  ...customerHandlers,
  ...paymentMethodHandlers,
}
