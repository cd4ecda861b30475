import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openStripeWorld, type StripeWorld } from './stripe-world.ts'

let world: StripeWorld
let stripe: Stripe
let folder: string
let receiver: Server
let secret = ''
/** What the receiver answers to the next deliveries; 200 afterwards. */
let answers: number[] = []
let received: { event: Stripe.Event | null; problem: string | null }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stripe-'))
  world = await openStripeWorld({ data: folder })
  stripe = world.stripe
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const status = answers.shift() ?? 200
      try {
        const event = stripe.webhooks.constructEvent(
          Buffer.concat(parts),
          request.headers['stripe-signature'] ?? '',
          secret,
        )
        received.push({ event, problem: null })
        response.writeHead(status).end()
      } catch (error) {
        received.push({ event: null, problem: (error as Error).constructor.name })
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`
  const endpoint = await stripe.webhookEndpoints.create({
    url,
    enabled_events: ['customer.created', 'customer.updated', 'customer.deleted'],
  })
  secret = endpoint.secret ?? ''
})
afterAll(async () => {
  await world.close()
  receiver.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  received = []
  answers = []
})

const fault = (kind: string, more: object = {}, path = '*') =>
  world.sandbox.control('POST', 'faults', { match: { vendor: 'stripe-webhooks', path }, kind, ...more })
const emailsOf = () => received.map(({ event }) => (event?.data.object as Stripe.Customer | undefined)?.email ?? null)
const arrived = (count: number) => expect.poll(() => received.length).toBe(count)

test('an event is signed and sent, and again until the endpoint accepts it', async () => {
  answers = [500]
  const customer = await stripe.customers.create({ email: 'retried@webhooks.test' })
  await arrived(1)
  expect(received[0]?.event).toMatchObject({
    type: 'customer.created',
    api_version: Stripe.API_VERSION,
    data: { object: { id: customer.id } },
  })
  await expect
    .poll(async () => (await stripe.events.list({ delivery_success: false })).data.map(one => one.pending_webhooks))
    .toEqual([1])
  await world.advance('PT6M')
  await arrived(2)
  expect(received[1]?.event?.id).toBe(received[0]?.event?.id)
  await expect.poll(async () => (await stripe.events.list({ delivery_success: false })).data).toEqual([])
  const deliveries = (await (await world.sandbox.control('GET', 'stripe/deliveries')).json()) as {
    attempts: { status: number }[]
  }[]
  expect(deliveries.map(one => one.attempts.map(({ status }) => status))).toEqual([[500, 200]])
})

test('deliveries come twice, late, in another order, wrongly signed or not at all, on request', async () => {
  const customers = (...emails: string[]) =>
    emails.reduce(
      (before, email) => before.then(() => stripe.customers.create({ email })),
      Promise.resolve<unknown>(null),
    )
  await fault('duplicate-delivery')
  await customers('twice@webhooks.test')
  await arrived(2)
  expect(new Set(received.map(one => one.event?.id)).size).toBe(1)
  received = []
  await fault('out-of-order')
  await customers('one@webhooks.test', 'two@webhooks.test')
  await arrived(2)
  expect(emailsOf()).toEqual(['two@webhooks.test', 'one@webhooks.test'])
  received = []
  await fault('bad-signature')
  await customers('forged@webhooks.test')
  await arrived(1)
  expect(received[0]).toEqual({ event: null, problem: 'StripeSignatureVerificationError' })
  await fault('drop-before', { times: 2 }, '/customer.created')
  await customers('dropped@webhooks.test')
  const undelivered = async () => (await stripe.events.list({ delivery_success: false })).data.length
  await expect.poll(undelivered).toBe(2)
  await world.advance('PT6M')
  // Both are sent again; one of them is dropped once more.
  await arrived(2)
  await expect.poll(undelivered).toBe(1)
  await world.advance('PT31M')
  await arrived(3)
  expect(new Set(emailsOf())).toEqual(new Set([null, 'forged@webhooks.test', 'dropped@webhooks.test']))
})

test('an address that is set again keeps one endpoint, with the secret and the events of the last call', async () => {
  const before = (await stripe.webhookEndpoints.list()).data.length
  const url = 'http://127.0.0.1:9/webhook'
  const set = async (body: object) => {
    const answer = await world.sandbox.control('POST', 'stripe/endpoints', { url, ...body })
    return [answer.status, await answer.json()] as const
  }
  const [first, added] = await set({ secret: 'whsec_one', events: ['invoice.paid'] })
  const [again, changed] = await set({ secret: 'whsec_two', events: ['invoice.voided'] })
  expect([first, again]).toEqual([201, 200])
  expect(changed).toEqual({ ...(added as object), secret: 'whsec_two', events: ['invoice.voided'] })
  expect((await stripe.webhookEndpoints.list()).data).toHaveLength(before + 1)
})

test('what there is survives a restart', async () => {
  const price = await stripe.prices.create({
    product_data: { name: 'Kept' },
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'year' },
  })
  const customer = await stripe.customers.create(
    { email: 'kept@webhooks.test', payment_method: 'pm_card_visa' },
    { idempotencyKey: 'kept' },
  )
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: method?.id ?? '',
    items: [{ price: price.id }],
  })
  await world.close()
  world = await openStripeWorld({ data: folder })
  stripe = world.stripe
  expect(await stripe.subscriptions.retrieve(subscription.id)).toEqual(subscription)
  const again = await stripe.customers.create(
    { email: 'kept@webhooks.test', payment_method: 'pm_card_visa' },
    { idempotencyKey: 'kept' },
  )
  expect(again.id).toBe(customer.id)
  await world.advance('P366D')
  expect((await stripe.invoices.list({ subscription: subscription.id })).data.map(one => one.status)).toEqual([
    'paid',
    'paid',
  ])
})
