import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorOf, openStripeWorld, type StripeWorld } from './stripe-world.ts'

let world: StripeWorld
let stripe: Stripe
beforeAll(async () => {
  world = await openStripeWorld()
  stripe = world.stripe
})
afterAll(() => world.close())

test('products and prices come back as they were made, with decimals as the client types them', async () => {
  const product = await stripe.products.create({ name: 'Growth', metadata: { plan: 'growth' } })
  const price = await stripe.prices.create(
    {
      product: product.id,
      currency: 'USD',
      unit_amount: 9900,
      recurring: { interval: 'month' },
      lookup_key: 'growth',
      expand: ['product'],
    },
    { idempotencyKey: 'growth-price' },
  )
  expect(price).toMatchObject({ currency: 'usd', unit_amount: 9900, product: { name: 'Growth' }, type: 'recurring' })
  expect(String(price.unit_amount_decimal)).toBe('9900')
  const half = await stripe.prices.create({
    product_data: { name: 'Clicks' },
    currency: 'usd',
    unit_amount_decimal: Stripe.Decimal.from('0.5'),
  })
  expect([half.unit_amount, String(half.unit_amount_decimal)]).toEqual([null, '0.5'])
  expect(
    await errorOf(stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 1, lookup_key: 'growth' })),
  ).toMatchObject({ statusCode: 400, param: 'lookup_key' })
  expect((await stripe.prices.list({ lookup_keys: ['growth'] })).data.map(one => one.id)).toEqual([price.id])
  const updated = await stripe.products.update(product.id, {
    active: false,
    description: 'For teams',
    metadata: { plan: '', tier: '2' },
  })
  expect(updated).toMatchObject({ active: false, description: 'For teams', metadata: { tier: '2' } })
  expect(await errorOf(stripe.products.del(product.id))).toMatchObject({ statusCode: 400 })
})

test('a list is paged by the client in both directions, newest first', async () => {
  const emails = Array.from({ length: 7 }, (_, i) => `seller${i}@paging.test`)
  for (const email of emails) await stripe.customers.create({ email })
  const seen: (string | null)[] = []
  for await (const customer of stripe.customers.list({ limit: 3 })) seen.push(customer.email)
  expect(seen.filter(email => email?.endsWith('@paging.test'))).toEqual([...emails].reverse())
  const newest = await stripe.customers.list({ limit: 2 })
  const before = await stripe.customers.list({ limit: 5, ending_before: newest.data[1]?.id ?? '' })
  expect([newest.has_more, before.data.map(one => one.email), before.has_more]).toEqual([true, [emails[6]], false])
  expect(await errorOf(stripe.customers.list({ limit: 101 }))).toMatchObject({ code: 'parameter_invalid_integer' })
})

test('a request with an idempotency key is carried out once, whatever the connection does', async () => {
  const options = { idempotencyKey: 'customer-of-user-7' }
  const first = await stripe.customers.create({ email: 'seven@once.test' }, options)
  const second = await stripe.customers.create({ email: 'seven@once.test' }, options)
  expect([second.id, second.lastResponse.headers['idempotent-replayed']]).toEqual([first.id, 'true'])
  expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
  expect(await errorOf(stripe.customers.create({ email: 'eight@once.test' }, options))).toMatchObject({
    type: 'StripeIdempotencyError',
    statusCode: 400,
  })
  expect(await errorOf(stripe.products.create({ name: 'Other' }, options))).toMatchObject({
    type: 'StripeIdempotencyError',
  })
  await world.sandbox.control('POST', 'faults', {
    match: { vendor: 'stripe', path: '/v1/customers' },
    kind: 'drop-after',
  })
  const lost = await stripe.customers.create({ email: 'lost@once.test' })
  expect((await stripe.customers.list({ email: 'lost@once.test' })).data.map(one => one.id)).toEqual([lost.id])
})

test('a failure is one of the errors that the client knows', async () => {
  const fault = (body: object) =>
    world.sandbox.control('POST', 'faults', {
      match: { vendor: 'stripe', method: 'POST', path: '/v1/customers' },
      ...body,
    })
  await fault({ kind: 'status', status: 500 })
  const options = { idempotencyKey: 'fails-once', maxNetworkRetries: 0 }
  expect(await errorOf(stripe.customers.create({ email: 'a@failure.test' }, options))).toMatchObject({
    type: 'StripeAPIError',
    statusCode: 500,
  })
  // The answer is saved: the same key gives it again, another one does not.
  expect(await errorOf(stripe.customers.create({ email: 'a@failure.test' }, options))).toMatchObject({
    statusCode: 500,
  })
  await fault({ kind: 'throttle' })
  expect(await errorOf(stripe.customers.create({ email: 'b@failure.test' }))).toMatchObject({
    type: 'StripeRateLimitError',
    code: 'rate_limit',
  })
  await fault({ kind: 'drop-before' })
  const created = await stripe.customers.create({ email: 'c@failure.test' })
  expect(created.email).toBe('c@failure.test')
  expect(await errorOf(world.connect({}, 'sk_test_other').customers.list())).toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  })
  expect(await errorOf(stripe.customers.retrieve('cus_none'))).toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 404,
    code: 'resource_missing',
    message: "No such customer: 'cus_none'",
  })
  const unknown = { email: 'd@failure.test', mail: 'x' }
  expect(await errorOf(stripe.customers.create(unknown))).toMatchObject({ code: 'parameter_unknown', param: 'mail' })
  const none = {} as Stripe.PriceCreateParams
  expect(await errorOf(stripe.prices.create(none))).toMatchObject({ code: 'parameter_missing', param: 'currency' })
  expect(await errorOf(stripe.customers.list({ expand: ['data.email'] }))).toMatchObject({ param: 'expand' })
})

test('a payment method belongs to one customer until it is detached', async () => {
  const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' })
  const methods = await stripe.customers.listPaymentMethods(customer.id)
  expect(methods.data.map(one => [one.card?.brand, one.card?.last4])).toEqual([['visa', '4242']])
  const id = methods.data[0]?.id ?? ''
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: id } })
  const shown = await stripe.customers.retrieve(customer.id, { expand: ['invoice_settings.default_payment_method'] })
  expect(shown).toMatchObject({ invoice_settings: { default_payment_method: { id, object: 'payment_method' } } })
  const detached = await stripe.paymentMethods.detach(id)
  expect(detached.customer).toBeNull()
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
    invoice_settings: { default_payment_method: null },
  })
  expect(
    await errorOf(stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id })),
  ).toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
  })
})

test('every answer has the shape of the client’s own types', () => {
  expect(world.problems()).toEqual([])
})
