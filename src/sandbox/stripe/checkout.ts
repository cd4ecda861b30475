import type Stripe from 'stripe'
import { type Account, newId } from './account.ts'
import { type Handlers, type ListParams, mergeMetadata, pageOf, readCurrency } from './calls.ts'
import { addPrice } from './catalogue.ts'
import { addCustomer, liveCustomer } from './customers.ts'
import type { CheckoutSession, Customer, LineItem } from './model.ts'
import { addCard, attachMethod, type CardDetails } from './payment-methods.ts'
import { addSetupIntent, confirmSetup } from './setup-intents.ts'
import { presentLineItems } from './present.ts'
import { invalid, StripeError } from './stripe-error.ts'
import { addSubscription, type NewSubscription } from './subscriptions.ts'

const DAY = 86_400
const HALF_HOUR = 1800

function readLineItems(account: Account, items: Stripe.Checkout.SessionCreateParams.LineItem[]): LineItem[] {
  return items.map(({ price, price_data: data, quantity = 1 }, i) => {
    const param = `line_items[${i}]`
    if (price === undefined && data === undefined)
      throw invalid('You must specify either `price` or `price_data` when creating a line item.', { param })
    const found =
      data === undefined
        ? account.get('price', price ?? '', `${param}[price]`)
        : addPrice(account, data as Parameters<typeof addPrice>[1])
    if (!found.active)
      throw invalid(`The price specified is inactive. This field only accepts active prices.`, {
        param: `${param}[price]`,
      })
    return { id: newId('li'), price: found.id, quantity }
  })
}

function readExpiry(account: Account, at: number | undefined): number {
  const now = account.now()
  if (at === undefined) return now + DAY
  if (at < now + HALF_HOUR || at > now + DAY)
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    )
  return at
}

function checkMode(params: Stripe.Checkout.SessionCreateParams): void {
  const { mode, line_items: items, subscription_data: data, ui_mode } = params
  if (mode === 'payment' || (ui_mode !== undefined && ui_mode !== 'hosted_page'))
    throw invalid('The emulator has Checkout as a hosted page, in the modes subscription and setup.', {
      param: mode === 'payment' ? 'mode' : 'ui_mode',
    })
  if (mode === 'subscription' && !items?.length)
    throw invalid('Missing required param: line_items.', { code: 'parameter_missing', param: 'line_items' })
  if (mode === 'setup' && (items || data))
    throw invalid('You can not pass `line_items` in `setup` mode.', { param: 'line_items' })
  if (mode === 'setup' && !params.currency)
    throw invalid('Missing required param: currency.', { code: 'parameter_missing', param: 'currency' })
  if (!params.success_url)
    throw invalid('Missing required param: success_url.', { code: 'parameter_missing', param: 'success_url' })
  for (const name of ['success_url', 'cancel_url'] as const)
    if (params[name] !== undefined && !URL.canParse(params[name]))
      throw invalid('Not a valid URL', { code: 'url_invalid', param: name })
}

function createSession(account: Account, params: Stripe.Checkout.SessionCreateParams): CheckoutSession {
  checkMode(params)
  const mode = params.mode ?? 'subscription'
  if (params.customer && params.customer_email)
    throw invalid('You may only specify one of these parameters: customer, customer_email.')
  const customer = params.customer ? liveCustomer(account, params.customer, 'customer') : null
  const items = readLineItems(account, params.line_items ?? [])
  const prices = items.map(item => account.get('price', item.price))
  if (mode === 'subscription' && !prices.some(price => price.recurring))
    throw invalid('You must provide at least one recurring price in `subscription` mode when using prices.', {
      param: 'line_items',
    })
  if (prices.some(price => !price.recurring))
    throw invalid('The emulator has no prices of one time in the mode subscription.', { param: 'line_items' })
  const total = items.reduce((sum, item, i) => sum + (prices[i]?.unit_amount ?? 0) * item.quantity, 0)
  const hasTrial =
    params.subscription_data?.trial_period_days !== undefined || params.subscription_data?.trial_end !== undefined
  const due = hasTrial ? 0 : total
  const expiresAt = readExpiry(account, params.expires_at)
  const id = `cs_test_${newId('').slice(1)}${newId('').slice(1)}`
  const isSetup = mode === 'setup'
  const setup = isSetup
    ? addSetupIntent(account, {
        ...(customer && { customer: customer.id }),
        metadata: params.setup_intent_data?.metadata,
        ...(params.setup_intent_data?.description && { description: params.setup_intent_data.description }),
      })
    : null
  return account.add('checkout.session', {
    id,
    amount_subtotal: isSetup ? null : due,
    amount_total: isSetup ? null : due,
    allow_promotion_codes: null,
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    currency: isSetup ? readCurrency(params.currency ?? '') : (prices[0]?.currency ?? null),
    customer: customer?.id ?? null,
    customer_details: customer && {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: params.customer_email ?? null,
    expires_at: expiresAt,
    locale: params.locale ?? null,
    metadata: mergeMetadata(null, params.metadata),
    mode,
    payment_method_collection: isSetup ? 'always' : (params.payment_method_collection ?? 'always'),
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: isSetup || due === 0 ? 'no_payment_required' : 'unpaid',
    saved_payment_method_options: null,
    setup_intent: setup?.id ?? null,
    status: 'open',
    success_url: params.success_url ?? null,
    total_details: isSetup ? null : { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${account.world.config.publicUrl}/stripe/checkout/${id}`,
    _lineItems: items,
    _subscriptionData: { ...params.subscription_data },
  } as Partial<CheckoutSession>)
}

/** An open session that nobody can complete any more. */
export function expireSession(account: Account, session: CheckoutSession): void {
  account.change(session, { status: 'expired', url: null })
  account.announce('checkout.session.expired', session)
}

function buyerOf(account: Account, session: CheckoutSession, email: string | null): Customer {
  if (session.customer !== null) return account.get('customer', session.customer)
  const customer = addCustomer(account, { ...(email !== null && { email }) })
  account.change(session, { customer: customer.id })
  return customer
}

export type Completion = 'complete' | 'authenticate'

/**
 * What the page does with the card that a person entered; null: without one, where the session allows it. `authenticate`: the
 * bank asks the person to confirm, and nothing was done yet. Throws the card error that the page shows; the session stays open.
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
    if (error instanceof StripeError && error.message === NEEDS_OWNER) return 'authenticate'
    throw error
  }
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

export const checkoutHandlers = {
  'checkout.sessions.create': (account, params: Stripe.Checkout.SessionCreateParams) => createSession(account, params),
  'checkout.sessions.retrieve': (account, _params, { id }) => account.get('checkout.session', id),
  'checkout.sessions.list': (account, params: Stripe.Checkout.SessionListParams, at) => {
    const { customer, status, subscription } = params
    const found = account
      .all('checkout.session')
      .filter(
        one =>
          (!customer || one.customer === customer) &&
          (!status || one.status === status) &&
          (!subscription || one.subscription === subscription),
      )
    return pageOf(account, found, params as ListParams, at)
  },
  'checkout.sessions.expire': (account, _params, { id }) => {
    const session = account.get('checkout.session', id)
    if (session.status !== 'open')
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      )
    expireSession(account, session)
    return session
  },
  'checkout.sessions.listLineItems': (account, params: Stripe.Checkout.SessionListLineItemsParams, at) => {
    const session = account.get('checkout.session', at.id)
    const rows = presentLineItems(account, session)
    const stored = rows
      .map(row => ({ id: String(row.id), object: 'item', created: session.created, metadata: null }))
      .reverse()
    return pageOf(account, stored, params, at, one => rows.find(row => row.id === one.id))
  },
} satisfies Partial<Handlers>
