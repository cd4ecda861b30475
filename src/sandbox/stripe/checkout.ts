import type Stripe from 'stripe'
import { type Account, newId } from './account.ts'
import { type Handlers, type ListParams, mergeMetadata, pageOf, readCurrency } from './calls.ts'
import { addPrice } from './catalogue.ts'
import { liveCustomer } from './customers.ts'
import type { CheckoutSession, LineItem } from './model.ts'
import { addSetupIntent } from './setup-intents.ts'
import { presentLineItems } from './present.ts'
import { invalid } from './stripe-error.ts'

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
    _intent: null,
    _lineItems: items,
    _subscriptionData: { ...params.subscription_data },
  } as Partial<CheckoutSession>)
}

/** An open session that nobody can complete any more. */
export function expireSession(account: Account, session: CheckoutSession): void {
  account.change(session, { status: 'expired', url: null })
  account.announce('checkout.session.expired', session)
  const attempted = account.find('payment_intent', session._intent)
  if (attempted) account.update(attempted, { status: 'canceled' }, 'payment_intent.canceled')
}

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
