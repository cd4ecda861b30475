import type Stripe from 'stripe'
import { type Account, newId, randomText } from './account.ts'
import { type Handlers, type ListParams, pageOf } from './calls.ts'
import type { Charge, Invoice, PaymentIntent, PaymentMethod } from './model.ts'
import { presentObject } from './present.ts'
import { addDispute } from './refunds.ts'
import { StripeError } from './stripe-error.ts'
import { type ChargeOutcome, chargeOutcome, isDisputed, needsSetup } from './test-cards.ts'

/** The owner of a card may be there to confirm a payment, or have just done so. */
export interface Presence {
  isPresent: boolean
  isConfirmed: boolean
}

export const clientSecret = (id: string): string => `${id}_secret_${randomText(24)}`
export const nextAction = (account: Account, id: string) => ({
  type: 'redirect_to_url',
  redirect_to_url: { return_url: null, url: `${account.world.config.publicUrl}/stripe/authenticate/${id}` },
})

/** A payment that nobody has made yet. */
export function addIntent(
  account: Account,
  fields: Pick<PaymentIntent, 'amount' | 'currency' | 'customer' | 'description'> & { isSubscription: boolean },
): PaymentIntent {
  const { isSubscription, ...others } = fields
  const id = newId('pi')
  const intent = account.add('payment_intent', {
    id,
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic',
    client_secret: clientSecret(id),
    confirmation_method: 'automatic',
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    setup_future_usage: isSubscription ? 'off_session' : null,
    status: 'requires_payment_method',
    _invoice: null,
    ...others,
  } as Partial<PaymentIntent>)
  account.announce('payment_intent.created', intent)
  return intent
}

/** Lets the invoice be paid by this payment. */
export function payBy(account: Account, invoice: Invoice, intent: PaymentIntent): void {
  account.change(intent, { amount: invoice.amount_remaining, customer: invoice.customer, _invoice: invoice.id })
  account.add('invoice_payment', {
    amount_paid: null,
    amount_requested: invoice.amount_remaining,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
  } as object)
}

/** The payment of a finalized invoice; made when there is none. */
export function intentOf(account: Account, invoice: Invoice): PaymentIntent {
  const existing = account.all('payment_intent').find(one => one._invoice === invoice.id && one.status !== 'canceled')
  if (existing) return existing
  const isSubscription = invoice._subscription !== null
  const description = isSubscription ? 'Subscription creation' : invoice.description
  const { amount_remaining: amount, currency, customer } = invoice
  const intent = addIntent(account, { amount, currency, customer, description, isSubscription })
  payBy(account, invoice, intent)
  return intent
}

const AUTHENTICATION_FAILED = {
  code: 'payment_intent_authentication_failure',
  message: 'The provided PaymentMethod has failed authentication.',
}

/** The owner of the card did not confirm the payment to the bank. */
export function failAuthentication(account: Account, intent: PaymentIntent, method: PaymentMethod): void {
  account.change(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: {
      type: 'invalid_request_error',
      ...AUTHENTICATION_FAILED,
      payment_method: presentObject(account, method),
    },
  } as object)
  account.announce('payment_intent.payment_failed', intent)
}

function addCharge(account: Account, intent: PaymentIntent, method: PaymentMethod, outcome: ChargeOutcome): Charge {
  const decline = 'decline' in outcome ? outcome.decline : null
  const { brand, last4, exp_month, exp_year, fingerprint } = method.card
  return account.add('charge', {
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    billing_details: method.billing_details,
    captured: !decline,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline?.decline_code ?? null,
      risk_level: 'normal',
      seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: {
        amount_authorized: intent.amount,
        authorization_code: null,
        brand,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
        country: 'US',
        electronic_commerce_indicator: null,
        exp_month,
        exp_year,
        fingerprint,
        funding: 'credit',
        installments: null,
        last4,
        mandate: null,
        network: brand,
        network_token: { used: false },
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    status: decline ? 'failed' : 'succeeded',
  } as object)
}

/** Charges the payment to the card, and announces what came of it. */
export function charge(
  account: Account,
  intent: PaymentIntent,
  method: PaymentMethod,
  presence: Presence,
): ChargeOutcome {
  const outcome = chargeOutcome(method, account.now(), presence)
  if ('needsAction' in outcome) {
    account.change(intent, {
      status: 'requires_action',
      payment_method: method.id,
      next_action: nextAction(account, intent.id),
    })
    account.announce('payment_intent.requires_action', intent)
    return outcome
  }
  const made = addCharge(account, intent, method, outcome)
  const common = { latest_charge: made.id, next_action: null }
  if (outcome.ok) {
    account.change(intent, {
      ...common,
      status: 'succeeded',
      payment_method: method.id,
      amount_received: intent.amount,
      last_payment_error: null,
    } as object)
    account.announce('charge.succeeded', made)
    account.announce('payment_intent.succeeded', intent)
    if (isDisputed(method)) addDispute(account, made)
    if (presence.isConfirmed || !needsSetup(method)) account.change(method, { _isSetUp: true })
    return outcome
  }
  const error = {
    type: 'card_error',
    ...outcome.decline,
    charge: made.id,
    payment_method: presentObject(account, method),
  }
  account.change(intent, {
    ...common,
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: error,
  } as object)
  account.announce('charge.failed', made)
  account.announce('payment_intent.payment_failed', intent)
  return outcome
}

/** The error of a call whose payment was declined; what happened stays. */
export const declined = (account: Account, intent: PaymentIntent, outcome: ChargeOutcome): StripeError => {
  if ('decline' in outcome)
    return new StripeError(
      402,
      {
        type: 'card_error',
        ...outcome.decline,
        ...(intent.latest_charge !== null && { charge: intent.latest_charge }),
        payment_intent: presentObject(account, intent),
      },
      { keeps: true },
    )
  const message =
    'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.'
  return new StripeError(
    402,
    {
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message,
      payment_intent: presentObject(account, intent),
    },
    { keeps: true },
  )
}

export const paymentHandlers = {
  'paymentIntents.retrieve': (account, _params, { id }) => account.get('payment_intent', id),
  'paymentIntents.list': (account, params: Stripe.PaymentIntentListParams, at) => {
    const found = account.all('payment_intent').filter(one => !params.customer || one.customer === params.customer)
    return pageOf(account, found, params as ListParams, at)
  },
  'charges.retrieve': (account, _params, { id }) => account.get('charge', id),
  'charges.list': (account, params: Stripe.ChargeListParams, at) => {
    const found = account
      .all('charge')
      .filter(
        one =>
          (!params.customer || one.customer === params.customer) &&
          (!params.payment_intent || one.payment_intent === params.payment_intent),
      )
    return pageOf(account, found, params as ListParams, at)
  },
} satisfies Partial<Handlers>
