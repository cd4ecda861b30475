import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorOf, openStripeWorld, type StripeWorld } from './stripe-world.ts'

let world: StripeWorld
let stripe: Stripe
let price: Stripe.Price
let receiver: Server
/** What arrived, and what the receiver does with the next deliveries before it accepts them again. */
let received: string[] = []
let misdeeds: ('hang' | 'reset')[] = []

beforeAll(async () => {
  world = await openStripeWorld({ clock: { now: () => new Date('2026-03-10T12:00:00Z') } })
  stripe = world.stripe
  price = await stripe.prices.create({
    product_data: { name: 'Growth' },
    currency: 'usd',
    unit_amount: 9900,
    recurring: { interval: 'month' },
  })
  receiver = createServer((request, response) => {
    void readEmail(request).then(email => {
      received.push(email)
      const misdeed = misdeeds.shift()
      if (misdeed === 'reset') request.socket.destroy()
      else if (!misdeed) response.writeHead(200).end()
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`
  await world.sandbox.control('POST', 'stripe/endpoints', { url, events: ['customer.created'] })
})
afterAll(async () => {
  await world.close()
  receiver.closeAllConnections()
  receiver.close()
})

async function readEmail(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const event = JSON.parse(Buffer.concat(parts).toString()) as { data: { object: { email: string } } }
  return event.data.object.email
}
const attemptsOf = async (): Promise<{ status: number | null; error: string | null }[][]> => {
  const answer = await world.sandbox.control('GET', 'stripe/deliveries')
  return ((await answer.json()) as { attempts: { status: number | null; error: string | null }[] }[]).map(
    one => one.attempts,
  )
}
const customerWith = (card: string) =>
  stripe.customers.create({ payment_method: card, invoice_settings: { default_payment_method: card } })
const lastEventOf = async (type: string): Promise<string | undefined> =>
  ((await stripe.events.list({ type, limit: 1 })).data[0]?.data.object as { id?: string } | undefined)?.id

test('a slow delivery holds no other one up, and one that hangs or is cut off is sent again', async () => {
  await world.sandbox.control('POST', 'faults', {
    match: { vendor: 'stripe-webhooks', path: '/customer.created' },
    kind: 'slow',
    delayMs: 1500,
  })
  await stripe.customers.create({ email: 'slow@edges.test' })
  await stripe.customers.create({ email: 'quick@edges.test' })
  await expect.poll(() => received, { timeout: 60_000 }).toEqual(['quick@edges.test', 'slow@edges.test'])
  misdeeds = ['reset', 'hang']
  await stripe.customers.create({ email: 'cut@edges.test' })
  await stripe.customers.create({ email: 'hung@edges.test' })
  const failed = async () => (await attemptsOf()).slice(-2).map(attempts => attempts.map(({ status }) => status))
  await expect.poll(failed, { timeout: 60_000 }).toEqual([[null], [null]])
  expect((await attemptsOf()).slice(-2).flatMap(attempts => attempts.map(({ error }) => error))).toEqual([
    expect.any(String),
    expect.stringContaining('timeout'),
  ])
  await world.advance('PT6M')
  await expect.poll(failed, { timeout: 60_000 }).toEqual([
    [null, 200],
    [null, 200],
  ])
})

test('a call whose key is in use by another one gets 409 and changes nothing', async () => {
  const patient = world.connect({ maxNetworkRetries: 0 })
  await world.sandbox.control('POST', 'faults', { match: { vendor: 'stripe' }, kind: 'slow', delayMs: 1500 })
  const email = 'twice@edges.test'
  const calls = [1, 2].map(() => patient.customers.create({ email }, { idempotencyKey: 'edges-twice' }))
  const outcomes = await Promise.allSettled(calls)
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const rejected = outcomes.find(one => one.status === 'rejected')
  expect(rejected?.reason).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  expect((await stripe.customers.list({ email })).data).toHaveLength(1)
})

test('a card that expires, or that fails later, fails at the renewal; another one pays what is owed', async () => {
  const expiring = await stripe.customers.create({})
  const method = await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 3, exp_year: 2026, cvc: '123' },
  })
  await stripe.paymentMethods.attach(method.id, { customer: expiring.id })
  const failing = await customerWith('pm_card_visa')
  const [one, other] = await Promise.all(
    [{ customer: expiring.id, default_payment_method: method.id }, { customer: failing.id }].map(who =>
      stripe.subscriptions.create({ ...who, items: [{ price: price.id }] }),
    ),
  )
  expect([one?.status, other?.status]).toEqual(['active', 'active'])
  const later = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: failing.id })
  await stripe.customers.update(failing.id, { invoice_settings: { default_payment_method: later.id } })
  await world.advance('P31DT2H')
  const due = await Promise.all(
    [one, other].map(it =>
      stripe.subscriptions.retrieve(it?.id ?? '', {
        expand: ['latest_invoice.payments.data.payment.payment_intent'],
      }),
    ),
  )
  const invoices = due.map(it => it.latest_invoice as Stripe.Invoice)
  expect(due.map(it => it.status)).toEqual(['past_due', 'past_due'])
  const problems = invoices.map(
    it => (it.payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent | undefined)?.last_payment_error,
  )
  expect(problems.map(it => it?.decline_code)).toEqual(['expired_card', 'generic_decline'])
  const [first, second] = invoices.map(it => it.id)
  expect((await stripe.invoices.markUncollectible(first ?? '')).status).toBe('uncollectible')
  const fresh = await stripe.paymentMethods.attach('pm_card_visa', { customer: expiring.id })
  expect((await stripe.invoices.pay(first ?? '', { payment_method: fresh.id })).status).toBe('paid')
  expect((await stripe.subscriptions.retrieve(one?.id ?? '')).status).toBe('active')
  expect((await stripe.invoices.voidInvoice(second ?? '')).status).toBe('void')
})

test('a trial shorter than three days warns at once, and one that was paused for want of a card is resumed with one', async () => {
  const customer = await stripe.customers.create({})
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    trial_period_days: 2,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  await world.advance('PT1M')
  expect(await lastEventOf('customer.subscription.trial_will_end')).toBe(id)
  await world.advance('P2DT1H')
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('paused')
  expect(await lastEventOf('customer.subscription.paused')).toBe(id)
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } })
  const resumed = await stripe.subscriptions.resume(id, { expand: ['latest_invoice'] })
  expect(resumed).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', amount_paid: 9900 } })
  expect(await lastEventOf('customer.subscription.resumed')).toBe(id)
  expect(await errorOf(stripe.subscriptions.resume(id))).toMatchObject({ statusCode: 400 })
})

test('the card that disputes takes each payment back: its charge says so, and its events are sent', async () => {
  const customer = await customerWith('pm_card_createDispute')
  const { latest_invoice } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    expand: ['latest_invoice'],
  })
  expect(latest_invoice).toMatchObject({ status: 'paid' })
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data
  expect(charge).toMatchObject({ paid: true, disputed: true, refunded: false })
  const [dispute] = (await stripe.disputes.list({ charge: charge?.id ?? '' })).data
  expect(dispute).toMatchObject({ status: 'needs_response', amount: charge?.amount, reason: 'fraudulent' })
  expect(await stripe.disputes.close(dispute?.id ?? '')).toMatchObject({ status: 'lost' })
  const { data: events } = await stripe.events.list({ limit: 20 })
  expect(
    events
      .filter(it => (it.data.object as { id: string }).id === dispute?.id)
      .map(it => it.type)
      .reverse(),
  ).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed'])
})

test('every answer has the shape of the client’s own types', () => {
  expect(world.problems()).toEqual([])
})
