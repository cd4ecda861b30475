import { afterAll, beforeAll, expect, test } from 'vitest'
import Stripe from 'stripe'
import type { Ctx } from '#server/context.ts'
import { callerOf, addAccount } from '../../../../tests/support/people.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { startTrial } from './start-trial.ts'
import { accountOfCustomer, customerOf } from './customer.ts'
import { getSubscription } from './get-subscription.ts'
import { phasesOf } from './phases.ts'
import { planById, priceOf } from './plan-price.ts'
import { settleSubscription } from './settle.ts'
import { storedSubscription } from './subscription-rows.ts'

let world: Awaited<ReturnType<typeof servicesWithOutside>>
let stripe: Stripe
let ctx: Ctx
const growth = 2

beforeAll(async () => {
  process.env.STRIPE_SUPPRESS_NOTICES = 'true'
  world = await servicesWithOutside({ scenario: 'new-seller' })
  // The outside's own clock, so that the product is never behind it.
  world.services.clock = world.sandbox.world.clock
  const { port } = new URL(world.sandbox.url)
  stripe = new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false })
  ctx = await callerOf(world.services, await addAccount(world.services))
})
afterAll(() => world.services.close())

const account = () => ctx.actor.accountId
async function advance(duration: string): Promise<void> {
  const answer = await world.sandbox.control('POST', 'clock', { advance: duration })
  if (!answer.ok) throw new Error(await answer.text())
}
const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
const stored = async () => storedSubscription(world.services.db.system, account())
/** [plan, whether it is paid, hours that it lasted; null: it lasts] */
const phases = async () =>
  (await phasesOf(world.services.db.system, account(), new Date(0), new Date(4e12))).map(
    ({ planName, isPaid, startsAt, endsAt }) => [
      planName,
      isPaid,
      endsAt && Math.round((endsAt.getTime() - startsAt.getTime()) / 3_600_000),
    ],
  )

test('a customer and a price are made once, however many ask and whatever replies are lost', async () => {
  const { services, sandbox } = world
  await sandbox.control('POST', 'faults', {
    match: { vendor: 'stripe', method: 'POST', path: '/v1/customers' },
    kind: 'status',
    status: 500,
  })
  const ids = await Promise.all([1, 2, 3].map(() => customerOf(services, account())))
  expect(new Set(ids).size).toBe(1)
  expect((await stripe.customers.list()).data.map(one => one.id)).toEqual([ids[0]])
  expect(await accountOfCustomer(services.db.system, ids[0] ?? '')).toBe(account())
  const plan = await planById(services, growth)
  const prices = await Promise.all([1, 2].map(() => priceOf(services, plan)))
  const all = (await stripe.prices.list({ expand: ['data.product'] })).data
  expect(all).toMatchObject([{ id: prices[0], unit_amount: 9900, lookup_key: 'tideline-growth-monthly-9900' }])
  expect(prices[1]).toBe(prices[0])
})

test('a subscription is what the provider says: on trial, late since its first failure, paid, canceled elsewhere', async () => {
  const { services } = world
  const { db, clock } = services
  await startTrial(ctx, growth)
  const customer = await customerOf(services, account())
  const price = await priceOf(services, await planById(services, growth))
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  const trialEnd = (await stored())?.trialEndsAt ?? new Date(0)
  const created = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    trial_end: seconds(trialEnd),
    default_payment_method: failing.id,
    metadata: { accountId: String(account()) },
  })
  await settleSubscription(services, created.id)
  expect(await stored()).toMatchObject({
    status: 'trialing',
    stripeSubscriptionId: created.id,
    hasCard: true,
    planId: growth,
  })
  expect(await phases()).toEqual([['Growth', false, 14 * 24]])

  await advance('P14DT2H')
  await settleSubscription(services, created.id)
  const late = await stored()
  expect(late).toMatchObject({
    status: 'past_due',
    openInvoiceId: expect.stringMatching(/^in_/),
    paymentError: 'generic_decline',
  })
  expect(await phases()).toEqual([
    ['Growth', false, 14 * 24],
    ['Growth', true, null],
  ])
  await advance('P3D')
  await settleSubscription(services, created.id)
  expect((await stored())?.pastDueSince).toEqual(late?.pastDueSince)
  expect(await getSubscription(ctx)).toMatchObject({ hasAccess: true, status: 'past_due' })

  const good = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await stripe.subscriptions.update(created.id, { default_payment_method: good.id })
  await stripe.invoices.pay(late?.openInvoiceId ?? '')
  await Promise.all([1, 2, 3].map(() => settleSubscription(services, created.id)))
  expect(await stored()).toMatchObject({
    status: 'active',
    pastDueSince: null,
    openInvoiceId: null,
    paymentError: null,
  })

  await stripe.subscriptions.cancel(created.id)
  await settleSubscription(services, created.id)
  expect(await getSubscription(ctx)).toMatchObject({ hasAccess: false, status: 'canceled', isTrialExpired: false })
  expect((await phases()).map(([, isPaid, hours]) => [isPaid, hours])).toEqual([
    [false, 14 * 24],
    [true, 3 * 24 + 2],
  ])
  await expect(startTrial(ctx, growth)).rejects.toMatchObject({ code: 'TRIAL_ALREADY_USED' })
  expect(await phasesOf(db.system, account(), clock.now(), new Date(4e12))).toEqual([])
})

test('of two subscriptions the older one stays; what was paid for the newer one becomes credit', async () => {
  const { services } = world
  const customer = await customerOf(services, account())
  const price = await priceOf(services, await planById(services, growth))
  const make = () =>
    stripe.subscriptions.create({
      customer,
      items: [{ price }],
      metadata: { accountId: String(account()) },
    })
  const card = (await stripe.customers.listPaymentMethods(customer)).data[0]?.id ?? ''
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
  const first = await make()
  await advance('PT1M')
  const second = await make()
  await settleSubscription(services, second.id)
  expect(await stored()).toMatchObject({ stripeSubscriptionId: first.id, status: 'active' })
  expect((await stripe.subscriptions.retrieve(second.id)).status).toBe('canceled')
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -9900 })
  await settleSubscription(services, second.id)
  expect((await stripe.customers.retrieve(customer)) as object).toMatchObject({ balance: -9900 })
})
