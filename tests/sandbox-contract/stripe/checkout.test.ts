import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorOf, openStripeWorld, type StripeWorld } from './stripe-world.ts'

let world: StripeWorld
let stripe: Stripe
let price: Stripe.Price
beforeAll(async () => {
  world = await openStripeWorld()
  stripe = world.stripe
  price = await stripe.prices.create({
    product_data: { name: 'Growth' },
    currency: 'usd',
    unit_amount: 9900,
    recurring: { interval: 'month' },
  })
})
afterAll(() => world.close())

const sessionOf = (customer: Stripe.Customer, more: Stripe.Checkout.SessionCreateParams = {}) =>
  stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    client_reference_id: '7',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://localhost/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost/plans',
    ...more,
  })
/** Sends the form of a page of the provider, as a browser does. */
async function submit(address: string | null, fields: Record<string, string>) {
  const response = await fetch(address ?? '', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ expiry: '12 / 34', cvc: '123', name: 'Ada', ...fields }),
  })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

test('a buyer subscribes on the page; a declined card or a failed authentication leaves a failed payment and no subscription', async () => {
  const customer = await stripe.customers.create({ email: 'buyer@checkout.test' })
  const session = await sessionOf(customer, { subscription_data: { metadata: { ours: '7' } } })
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', subscription: null, amount_total: 9900 })
  expect(await (await fetch(session.url ?? '')).text()).toContain('$99.00 per month')
  const declined = await submit(session.url, { number: '4000 0000 0000 0002' })
  expect([declined.status, declined.text]).toEqual([402, expect.stringContaining('Your card was declined.')])
  const challenged = await submit(session.url, { number: '4000 0025 0000 3155' })
  expect([challenged.status, challenged.text]).toEqual([200, expect.stringContaining('3D Secure')])
  expect((await submit(session.url, { number: '4000 0025 0000 3155', authentication: 'fail' })).status).toBe(402)
  expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
  expect((await stripe.invoices.list({ customer: customer.id })).data).toEqual([])
  // One payment, which has no invoice until it succeeds, with what was tried last.
  const [attempt, ...others] = (await stripe.paymentIntents.list({ customer: customer.id })).data
  expect([attempt, others]).toMatchObject([
    {
      status: 'requires_payment_method',
      amount: 9900,
      last_payment_error: {
        code: 'payment_intent_authentication_failure',
        payment_method: { card: { last4: '3155' } },
      },
    },
    [],
  ])
  const { data: charges } = await stripe.charges.list({ payment_intent: attempt?.id ?? '' })
  expect(charges).toMatchObject([{ status: 'failed', outcome: { reason: 'generic_decline' }, paid: false }])
  const done = await submit(session.url, { number: '4000 0025 0000 3155', authentication: 'complete' })
  expect([done.status, done.location]).toEqual([303, `http://localhost/done?session=${session.id}`])
  const complete = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice', 'line_items'],
  })
  expect(complete).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    client_reference_id: '7',
    subscription: { status: 'active', metadata: { ours: '7' }, latest_invoice: { status: 'paid' } },
    line_items: { data: [{ price: { id: price.id }, amount_total: 9900 }] },
  })
  expect(await (await fetch(`${world.sandbox.url}/stripe/checkout/${session.id}`)).text()).toContain('all done here')
  const paid = (await stripe.invoices.list({ customer: customer.id, expand: ['data.payments'] })).data
  expect(paid[0]?.payments?.data[0]?.payment.payment_intent).toBe(attempt?.id)
  const types = (await stripe.events.list({ limit: 100 })).data.map(event => event.type)
  expect(types.filter(type => type.startsWith('payment_intent.') || type === 'charge.failed').reverse()).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
  ])
  expect(types[0]).toBe('checkout.session.completed')
  expect(types).toEqual(
    expect.arrayContaining([
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.paid',
      'charge.succeeded',
    ]),
  )
})

test('a trial begins with or without a card, as the session asks', async () => {
  const customer = await stripe.customers.create({})
  const trial = {
    subscription_data: {
      trial_period_days: 14,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
    },
  }
  const session = await sessionOf(customer, { ...trial, payment_method_collection: 'if_required' })
  expect(session).toMatchObject({ amount_total: 0, payment_status: 'no_payment_required' })
  expect((await submit(session.url, { number: '' })).status).toBe(303)
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
  expect(subscription).toMatchObject({ status: 'trialing', default_payment_method: null })
  const strict = await sessionOf(customer, trial)
  expect((await submit(strict.url, { number: '' })).status).toBe(402)
  expect((await submit(strict.url, { number: '4000 0000 0000 9995' })).status).toBe(402)
  const [failed] = (await stripe.setupIntents.list({ customer: customer.id })).data
  expect(failed?.last_setup_error).toMatchObject({ decline_code: 'insufficient_funds' })
  expect((await submit(strict.url, { number: '4242424242424242' })).status).toBe(303)
})

test('a setup saves a card, and a session that nobody completes expires', async () => {
  const customer = await stripe.customers.create({})
  const setup = await stripe.checkout.sessions.create({
    mode: 'setup',
    customer: customer.id,
    currency: 'usd',
    success_url: 'http://localhost/ok',
  })
  expect((await submit(setup.url, { number: '5555 5555 5555 4444' })).location).toBe('http://localhost/ok')
  const done = await stripe.checkout.sessions.retrieve(setup.id, { expand: ['setup_intent.payment_method'] })
  expect(done).toMatchObject({
    status: 'complete',
    setup_intent: { status: 'succeeded', payment_method: { customer: customer.id, card: { brand: 'mastercard' } } },
  })
  const forgotten = await sessionOf(customer)
  const ended = await sessionOf(customer)
  expect((await stripe.checkout.sessions.expire(ended.id)).status).toBe('expired')
  await world.advance('P1D')
  expect(await stripe.checkout.sessions.retrieve(forgotten.id)).toMatchObject({ status: 'expired', url: null })
  expect((await fetch(forgotten.url ?? '')).status).toBe(404)
  expect(
    await errorOf(stripe.checkout.sessions.create({ mode: 'subscription', success_url: 'http://localhost/ok' })),
  ).toMatchObject({ code: 'parameter_missing', param: 'line_items' })
})

test('an owed invoice is paid on its page, and the portal ends and renews a subscription', async () => {
  const customer = await stripe.customers.create({})
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice.confirmation_secret'],
  })
  const invoice = subscription.latest_invoice as Stripe.Invoice
  expect([subscription.status, invoice.status, invoice.confirmation_secret?.type]).toEqual([
    'incomplete',
    'open',
    'payment_intent',
  ])
  const address = invoice.hosted_invoice_url ?? null
  expect((await submit(address, { number: '4000 0000 0000 9995' })).text).toContain('insufficient funds')
  expect((await submit(address, { number: '4242 4242 4242 4242' })).status).toBe(303)
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  const setup = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
  })
  expect(setup.status).toBe('requires_action')
  await submit(setup.next_action?.redirect_to_url?.url ?? null, { authentication: 'complete' })
  expect((await stripe.setupIntents.retrieve(setup.id)).status).toBe('succeeded')
  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'http://localhost/billing',
  })
  await submit(portal.url, { subscription: subscription.id, action: 'cancel' })
  expect((await stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(true)
  await submit(portal.url, { subscription: subscription.id, action: 'renew' })
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
  })
})

test('every answer has the shape of the client’s own types', () => {
  expect(world.problems()).toEqual([])
})
