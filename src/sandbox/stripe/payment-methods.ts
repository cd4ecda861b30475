import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { Account } from './account.ts'
import { givenFields, type Handlers, type ListParams, mergeMetadata, pageOf } from './calls.ts'
import type { Customer, PaymentMethod } from './model.ts'
import { invalid, StripeError } from './stripe-error.ts'
import { isExpired, problemOnAttach, testCardOf, tokenNumber } from './test-cards.ts'

export interface CardDetails {
  number: string
  exp_month: number
  exp_year: number
  name?: string | null
  email?: string | null
}

/** Adds a card that belongs to nobody yet. Throws the API's error when it is no test card or has expired. */
export function addCard(account: Account, card: CardDetails, metadata?: unknown): PaymentMethod {
  const testCard = testCardOf(card.number)
  if (!testCard)
    throw new StripeError(402, {
      type: 'card_error',
      code: 'incorrect_number',
      message: 'Your card number is incorrect.',
      param: 'number',
    })
  if (isExpired(card, account.now()))
    throw new StripeError(402, {
      type: 'card_error',
      code: 'invalid_expiry_year',
      message: "Your card's expiration year is invalid.",
      param: 'exp_year',
    })
  return account.add('payment_method', {
    allow_redisplay: 'unspecified',
    billing_details: { email: card.email ?? null, name: card.name ?? null },
    card: {
      brand: testCard.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: testCard.brand,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: createHash('sha256').update(card.number).digest('base64url').replace(/[-_]/g, '0').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [testCard.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    metadata: mergeMetadata(null, metadata),
    type: 'card',
    _number: card.number,
    _isSetUp: false,
  } as unknown as Partial<PaymentMethod>)
}

/** The payment method; a test id such as `pm_card_visa` makes a new one. Throws the API's error when there is none. */
export function findMethod(account: Account, id: string, param: string): PaymentMethod {
  const number = account.find('payment_method', id) ? null : tokenNumber(id)
  if (number === null) return account.get('payment_method', id, param)
  return addCard(account, { number, ...usualExpiry(account) })
}

/** The customer's own method. Throws the API's error for one that is somebody else's, or nobody's yet. */
export function ownMethod(account: Account, customer: string, id: string, param: string): PaymentMethod {
  const method = findMethod(account, id, param)
  if (method.customer !== customer)
    throw invalid(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param },
    )
  return method
}

const usualExpiry = (account: Account) => {
  const year = new Date(account.now() * 1000).getUTCFullYear()
  return { exp_month: 12, exp_year: year + 3 }
}

/** Makes the method the customer's. Throws a card error for cards that banks decline at once. */
export function attachMethod(account: Account, method: PaymentMethod, customer: Customer): void {
  if (method.customer === customer.id) return
  if (method.customer !== null)
    throw invalid('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    })
  const problem = problemOnAttach(method, account.now())
  if (problem) throw new StripeError(402, { type: 'card_error', ...problem })
  account.change(method, { customer: customer.id })
  account.announce('payment_method.attached', method)
}

/** Ends the method for good; nothing uses it by default any more. */
export function detachMethod(account: Account, method: PaymentMethod): void {
  const { customer: owner } = method
  if (owner === null)
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.', {
      code: 'payment_method_unexpected_state',
    })
  account.change(method, { customer: null })
  account.announce('payment_method.detached', method, { customer: owner })
  const customer = account.get('customer', owner)
  if (customer.invoice_settings.default_payment_method === method.id)
    account.update(customer, { invoice_settings: { ...customer.invoice_settings, default_payment_method: null } })
  for (const subscription of account.all('subscription'))
    if (subscription.default_payment_method === method.id)
      account.update(subscription, { default_payment_method: null })
}

type Card = { number?: string; token?: string; exp_month?: number; exp_year?: number }

export const paymentMethodHandlers = {
  'paymentMethods.create': (account, params: Stripe.PaymentMethodCreateParams) => {
    if (params.type !== 'card')
      throw invalid('The emulator has payment methods of the type card only.', { param: 'type' })
    const { number, token, exp_month, exp_year } = (params.card ?? {}) as Card
    const taken = token === undefined ? number : tokenNumber(token)
    if (taken === null) throw invalid(`No such token: '${token}'`, { code: 'resource_missing', param: 'card[token]' })
    if (taken === undefined)
      throw invalid('Missing required param: card.', { code: 'parameter_missing', param: 'card' })
    const usual = usualExpiry(account)
    const { name, email } = params.billing_details ?? {}
    const details = { number: taken, exp_month: exp_month ?? usual.exp_month, exp_year: exp_year ?? usual.exp_year }
    return addCard(account, { ...details, name: name || null, email: email || null }, params.metadata)
  },
  'paymentMethods.retrieve': (account, _params, { id }) => findMethod(account, id, 'id'),
  'paymentMethods.update': (account, params: Stripe.PaymentMethodUpdateParams, { id }) => {
    const method = account.get('payment_method', id)
    const { exp_month = method.card.exp_month, exp_year = method.card.exp_year } = params.card ?? {}
    account.update(method, {
      billing_details: {
        ...method.billing_details,
        ...(givenFields(params.billing_details || {}, ['name', 'email', 'phone', 'address']) as object),
      },
      card: { ...method.card, exp_month, exp_year },
      metadata: mergeMetadata(method.metadata, params.metadata),
    })
    return method
  },
  'paymentMethods.list': (account, params: Stripe.PaymentMethodListParams, at) => {
    const found = account
      .all('payment_method')
      .filter(
        one => one.customer !== null && one.customer === params.customer && (!params.type || one.type === params.type),
      )
    return pageOf(account, found, params as ListParams, at)
  },
  'paymentMethods.attach': (account, params: Stripe.PaymentMethodAttachParams, { id }) => {
    const method = findMethod(account, id, 'id')
    attachMethod(account, method, account.get('customer', params.customer ?? '', 'customer'))
    return method
  },
  'paymentMethods.detach': (account, _params, { id }) => {
    const method = account.get('payment_method', id)
    detachMethod(account, method)
    return method
  },
} satisfies Partial<Handlers>
