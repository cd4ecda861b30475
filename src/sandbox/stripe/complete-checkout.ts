import type { Account } from './account.ts'
import { invalid, StripeError } from './stripe-error.ts'
import { addCustomer } from './customers.ts'
import type { CheckoutSession, Customer, PaymentMethod } from './model.ts'
import { addCard, attachMethod, type CardDetails } from './payment-methods.ts'
import { addIntent, charge, failAuthentication } from './payments.ts'
import { addSetupIntent, confirmSetup, failSetup, failSetupAuthentication } from './setup-intents.ts'
import { addSubscription, type NewSubscription } from './subscriptions.ts'

function buyerOf(account: Account, session: CheckoutSession, email: string | null): Customer {
  if (session.customer !== null) return account.get('customer', session.customer)
  const customer = addCustomer(account, { ...(email !== null && { email }) })
  account.change(session, { customer: customer.id })
  return customer
}

export type Completion = 'complete' | 'authenticate'

/**
 * What the page does with the card that a person entered; null: without one, where the session allows it. `authenticate`: the
 * bank asks the person to confirm, and nothing was done yet. Throws the card error that the page shows; the session stays open,
 * and the declined attempt is recorded.
 */
export function completeSession(
  account: Account,
  session: CheckoutSession,
  card: CardDetails | null,
  { isConfirmed = false } = {},
): Completion {
  if (session.status !== 'open') throw invalid('This Checkout Session is no longer open.')
  try {
    return account.transaction(() => complete(account, session, card, isConfirmed))
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (error.message === NEEDS_OWNER) return 'authenticate'
    const { decline_code, code = '', message } = error.details
    if (card && decline_code !== undefined)
      recordAttempt(account, session, card, {
        setup: (intent, method) => failSetup(account, intent, method, { code, decline_code, message }),
        payment: (intent, method) => void charge(account, intent, method, { isPresent: true, isConfirmed }),
      })
    throw error
  }
}

/** What remains when the owner of the card does not confirm to the bank. */
export const refuseConfirmation = (account: Account, session: CheckoutSession, card: CardDetails): void =>
  recordAttempt(account, session, card, {
    setup: (intent, method) => failSetupAuthentication(account, intent, method),
    payment: (intent, method) => failAuthentication(account, intent, method),
  })

interface Attempt {
  setup(intent: ReturnType<typeof addSetupIntent>, method: PaymentMethod): void
  payment(intent: ReturnType<typeof addIntent>, method: PaymentMethod): void
}

/** A failed attempt stays with the payment of the session, which has no invoice until it succeeds, or with its setup. */
function recordAttempt(account: Account, session: CheckoutSession, card: CardDetails, attempt: Attempt): void {
  account.transaction(() => {
    const method = addCard(account, card)
    const { customer, currency, payment_status: status } = session
    if (status === 'no_payment_required') {
      const setup =
        account.find('setup_intent', session.setup_intent) ??
        addSetupIntent(account, { ...(customer !== null && { customer }) })
      return attempt.setup(setup, method)
    }
    const amount = (session as { amount_total?: number | null }).amount_total ?? 0
    const description = 'Subscription creation'
    const intent =
      account.find('payment_intent', session._intent) ??
      addIntent(account, { amount, currency: currency ?? 'usd', customer, description, isSubscription: true })
    account.change(session, { _intent: intent.id })
    attempt.payment(intent, method)
  })
}

const NEEDS_OWNER = 'The bank asks the owner of the card to confirm.'
/** Ends the transaction without any trace. */
const needsOwner = (): StripeError => new StripeError(402, { message: NEEDS_OWNER })
const untraced = (error: unknown): unknown =>
  error instanceof StripeError && error.keeps ? new StripeError(error.status, error.details) : error

function complete(
  account: Account,
  session: CheckoutSession,
  card: CardDetails | null,
  isConfirmed: boolean,
): Completion {
  if (!card && session.payment_method_collection === 'always')
    throw invalid('Your card number is incomplete.', { type: 'card_error', code: 'incomplete_number' }, 402)
  const email = card?.email ?? session.customer_email
  const method = card && addCard(account, card)
  const presence = { isPresent: true, isConfirmed }
  if (session.mode === 'setup') {
    const intent = account.get('setup_intent', session.setup_intent ?? '')
    if (method) confirmSetupUntraced(account, intent.id, method.id, isConfirmed)
    if (intent.status === 'requires_action') throw needsOwner()
    // A setup without a customer saves the card for nobody yet.
    finish(account, session, { customer_details: detailsOf(email, card?.name ?? null) })
    return 'complete'
  }
  const customer = buyerOf(account, session, email)
  if (method) {
    const setup =
      session.payment_status === 'no_payment_required' ? addSetupIntent(account, { customer: customer.id }) : null
    if (setup) confirmSetupUntraced(account, setup.id, method.id, isConfirmed)
    if (setup?.status === 'requires_action') throw needsOwner()
    attachMethod(account, method, customer)
  }
  const subscription = addSubscription(
    account,
    {
      ...(session._subscriptionData as Partial<NewSubscription>),
      customer: customer.id,
      items: session._lineItems.map(({ price, quantity }) => ({ price, quantity })),
      payment_behavior: 'allow_incomplete',
      ...(method && { default_payment_method: method.id }),
    } as NewSubscription,
    presence,
    account.find('payment_intent', session._intent),
  )
  if (subscription.status === 'incomplete') throw firstPaymentError(account, subscription.latest_invoice)
  finish(account, session, {
    customer_details: detailsOf(email ?? customer.email, card?.name ?? customer.name),
    invoice: subscription.latest_invoice,
    payment_status: session.payment_status === 'unpaid' ? 'paid' : session.payment_status,
    subscription: subscription.id,
  })
  return 'complete'
}

function confirmSetupUntraced(account: Account, intent: string, method: string, isConfirmed: boolean): void {
  try {
    confirmSetup(account, account.get('setup_intent', intent), account.get('payment_method', method), { isConfirmed })
  } catch (error) {
    throw untraced(error)
  }
}

function firstPaymentError(account: Account, invoice: string | null): StripeError {
  const intent = account.all('payment_intent').find(one => one._invoice === invoice)
  if (intent?.status === 'requires_action') return needsOwner()
  const { last_payment_error: problem } = (intent ?? {}) as {
    last_payment_error?: { message: string; code: string; decline_code?: string } | null
  }
  return new StripeError(402, {
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card was declined.',
    ...problem,
  })
}

const detailsOf = (email: string | null, name: string | null) => ({
  address: null,
  business_name: null,
  email,
  individual_name: null,
  name,
  phone: null,
  tax_exempt: 'none',
  tax_ids: null,
})

function finish(account: Account, session: CheckoutSession, fields: object): void {
  account.change(session, { status: 'complete', url: null, ...fields } as Partial<CheckoutSession>)
  account.announce('checkout.session.completed', session)
}

/** The address to which the page sends the buyer. */
export const successAddress = ({ success_url: address, id }: CheckoutSession): string =>
  (address ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id)
