import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorOf, openStripeWorld, type StripeWorld } from './stripe-world.ts'

const START = new Date('2026-01-31T12:00:00Z')
let world: StripeWorld
let stripe: Stripe
let starter: Stripe.Price
let growth: Stripe.Price
beforeAll(async () => {
  world = await openStripeWorld({ clock: { now: () => START } })
  stripe = world.stripe
  const priceOf = (name: string, unit_amount: number) =>
    stripe.prices.create({ product_data: { name }, currency: 'usd', unit_amount, recurring: { interval: 'month' } })
  starter = await priceOf('Starter', 3000)
  growth = await priceOf('Growth', 9000)
})
afterAll(() => world.close())

const dayOf = (seconds: number | null | undefined): string => new Date((seconds ?? 0) * 1000).toISOString().slice(0, 10)
const customerWith = async (card: string): Promise<Stripe.Customer> => {
  const settings = { invoice_settings: { default_payment_method: card } }
  return stripe.customers.create({ email: `${card}@billing.test`, payment_method: card, ...settings })
}
const typesOf = async (object: string): Promise<string[]> => {
  const types: string[] = []
  for await (const event of stripe.events.list({ limit: 100 }))
    if ((event.data.object as { id?: string }).id === object) types.push(event.type)
  return types.reverse()
}
const invoicesOf = async (subscription: Stripe.Subscription) =>
  (await stripe.invoices.list({ subscription: subscription.id })).data.reverse()

test('a subscription bills its periods as the clock moves, on the last day of short months', async () => {
  const customer = await customerWith('pm_card_visa')
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: starter.id }],
    metadata: { ours: '7' },
    expand: ['latest_invoice.payments'],
  })
  expect(subscription).toMatchObject({
    status: 'active',
    metadata: { ours: '7' },
    latest_invoice: {
      status: 'paid',
      amount_paid: 3000,
      number: expect.stringMatching(/-0001$/),
      payments: { data: [{ status: 'paid' }] },
    },
  })
  expect(dayOf(subscription.items.data[0]?.current_period_end)).toBe('2026-02-28')
  await world.advance('P28D')
  const renewed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect([
    dayOf(renewed.items.data[0]?.current_period_start),
    dayOf(renewed.items.data[0]?.current_period_end),
  ]).toEqual(['2026-02-28', '2026-03-31'])
  // An hour passes before a draft becomes final.
  expect(renewed.latest_invoice).toMatchObject({
    status: 'draft',
    billing_reason: 'subscription_cycle',
    auto_advance: true,
  })
  await world.advance('PT1H')
  expect((await invoicesOf(subscription)).map(one => [one.status, one.amount_paid])).toEqual([
    ['paid', 3000],
    ['paid', 3000],
  ])

  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  expect(await errorOf(stripe.invoices.createPreview({ subscription: subscription.id }))).toMatchObject({
    statusCode: 404,
    code: 'invoice_upcoming_none',
  })
  await world.advance('P40D')
  const ended = await stripe.subscriptions.retrieve(subscription.id)
  expect([ended.status, dayOf(ended.ended_at), ended.cancellation_details?.reason]).toEqual([
    'canceled',
    '2026-03-31',
    'cancellation_requested',
  ])
  expect((await typesOf(subscription.id)).at(-1)).toBe('customer.subscription.deleted')
  expect(await errorOf(stripe.subscriptions.cancel(subscription.id))).toMatchObject({ code: 'resource_missing' })
  expect(await errorOf(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }))).toMatchObject({
    statusCode: 400,
  })
})

test('a change of plan costs what its preview says', async () => {
  const customer = await customerWith('pm_card_mastercard')
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: starter.id }] })
  const [item] = subscription.items.data
  const { current_period_start: start = 0, current_period_end: end = 0, id = '' } = item ?? {}
  await world.advance(`PT${Math.round((end - start) / 2)}S`)
  const items = [{ id, price: growth.id }]
  const proration_date = Math.round((start + end) / 2)
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: 'always_invoice', proration_date },
  })
  expect(preview.lines.data.map(line => line.amount)).toEqual([-1500, 4500])
  expect(
    preview.lines.data.every(
      line => line.parent?.invoice_item_details?.proration || line.parent?.subscription_item_details?.proration,
    ),
  ).toBe(true)
  const untouched = await stripe.subscriptions.retrieve(subscription.id)
  expect([
    untouched.items.data[0]?.price.id,
    (await stripe.invoices.list({ customer: customer.id })).data.length,
  ]).toEqual([starter.id, 1])
  const later = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_date },
  })
  expect(later.lines.data.map(line => line.amount)).toEqual([-1500, 4500, 9000])

  const changed = await stripe.subscriptions.update(subscription.id, {
    items,
    proration_behavior: 'always_invoice',
    proration_date,
    expand: ['latest_invoice'],
  })
  expect(changed).toMatchObject({
    latest_invoice: { total: preview.total, status: 'paid', billing_reason: 'subscription_update' },
  })
  expect(changed.items.data[0]).toMatchObject({ id, price: { id: growth.id }, current_period_end: end })
  // Down again: what is left over becomes credit, which pays the next invoices.
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id, price: starter.id }],
    proration_behavior: 'always_invoice',
    proration_date,
  })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -3000 })
  await world.advance(`PT${Math.round((end - start) / 2) + 7200}S`)
  const [last] = (await stripe.invoices.list({ subscription: subscription.id, limit: 1 })).data
  expect(last).toMatchObject({ status: 'paid', total: 3000, starting_balance: -3000, amount_due: 0, ending_balance: 0 })
  const ended = await stripe.subscriptions.cancel(subscription.id, { invoice_now: true, prorate: true })
  expect(ended.status).toBe('canceled')
})

test('a failed renewal is retried and, in the end, ends the subscription or is paid with another card', async () => {
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    const customer = await customerWith('pm_card_chargeCustomerFail')
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: starter.id }],
      trial_period_days: 14,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    })
    expect(subscription.status).toBe('trialing')
    ids.push(subscription.id)
  }
  const [lost = '', saved = ''] = ids
  await world.advance('P11DT1H')
  expect(await typesOf(lost)).toContain('customer.subscription.trial_will_end')
  await world.advance('P3DT2H')
  const due = await stripe.subscriptions.retrieve(saved, { expand: ['latest_invoice'] })
  expect(due).toMatchObject({
    status: 'past_due',
    latest_invoice: {
      status: 'open',
      attempt_count: 1,
      hosted_invoice_url: expect.stringContaining('/stripe/invoice/'),
    },
  })
  const invoice = due.latest_invoice as Stripe.Invoice
  expect(dayOf(invoice.next_payment_attempt)).not.toBe('1970-01-01')
  expect(await errorOf(stripe.invoices.pay(invoice.id))).toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
  })
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: due.customer as string })
  await stripe.subscriptions.update(saved, { default_payment_method: id })
  await world.advance('P16D')
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('paid')
  expect((await stripe.subscriptions.retrieve(saved)).status).toBe('active')
  expect(await stripe.subscriptions.retrieve(lost)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  })
})

test('a trial without a card ends as its settings say', async () => {
  const statuses: string[] = []
  for (const missing_payment_method of ['cancel', 'pause', 'create_invoice'] as const) {
    const customer = await stripe.customers.create({})
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: starter.id }],
      trial_period_days: 3,
      trial_settings: { end_behavior: { missing_payment_method } },
    })
    await world.advance('P3DT2H')
    statuses.push((await stripe.subscriptions.retrieve(id)).status)
  }
  expect(statuses).toEqual(['canceled', 'paused', 'past_due'])
})

test('an invoice of own items is drafted, finalized, paid or voided', async () => {
  const customer = await customerWith('pm_card_visa')
  const draft = await stripe.invoices.create(
    { customer: customer.id, auto_advance: false, metadata: { run: 'r1' } },
    { idempotencyKey: 'run-r1' },
  )
  for (const [profile, amount] of [
    ['US', 1234],
    ['DE', 766],
  ] as const)
    await stripe.invoiceItems.create({
      customer: customer.id,
      invoice: draft.id,
      amount,
      currency: 'usd',
      description: `Ad spend ${profile}`,
    })
  const item = await stripe.invoiceItems.create({
    customer: customer.id,
    invoice: draft.id,
    amount: -100,
    currency: 'usd',
  })
  await stripe.invoiceItems.update(item.id, { amount: -200 })
  expect((await stripe.invoices.retrieve(draft.id)).total).toBe(1800)
  await stripe.invoiceItems.del(item.id)
  const open = await stripe.invoices.finalizeInvoice(draft.id)
  expect(open).toMatchObject({
    status: 'open',
    total: 2000,
    amount_due: 2000,
    billing_reason: 'manual',
    metadata: { run: 'r1' },
  })
  expect(
    await errorOf(stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 1, currency: 'usd' })),
  ).toMatchObject({ code: 'invoice_not_editable' })
  const page = await fetch(open.hosted_invoice_url ?? '')
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('$20.00 due')])
  const pdf = Buffer.from(await (await fetch(open.invoice_pdf ?? '')).arrayBuffer()).toString('latin1')
  expect(pdf.startsWith('%PDF-') && pdf.includes('Ad spend DE: $7.66')).toBe(true)
  const stranger = await stripe.paymentMethods.attach('pm_card_visa', {
    customer: (await stripe.customers.create({})).id,
  })
  for (const payment_method of [stranger.id, 'pm_card_visa'])
    expect(await errorOf(stripe.invoices.pay(draft.id, { payment_method }))).toMatchObject({
      code: 'resource_missing',
      param: 'payment_method',
    })
  const paid = await stripe.invoices.pay(draft.id, { expand: ['payments.data.payment.payment_intent'] })
  expect(paid).toMatchObject({
    status: 'paid',
    amount_remaining: 0,
    payments: { data: [{ payment: { payment_intent: { status: 'succeeded', amount: 2000 } } }] },
  })
  expect(await typesOf(draft.id)).toEqual(
    expect.arrayContaining(['invoice.created', 'invoice.finalized', 'invoice.paid']),
  )
  expect(await errorOf(stripe.invoices.voidInvoice(draft.id))).toMatchObject({ statusCode: 400 })
  const [payment] = paid.payments?.data ?? []
  const payment_intent = (payment?.payment.payment_intent as Stripe.PaymentIntent | undefined)?.id ?? ''
  await stripe.refunds.create({ payment_intent, amount: 500 })
  const [charge] = (await stripe.charges.list({ payment_intent })).data
  expect(charge).toMatchObject({ amount_refunded: 500, refunded: false })
  expect(await stripe.refunds.create({ charge: charge?.id ?? '' })).toMatchObject({ amount: 1500, status: 'succeeded' })
  expect(await stripe.charges.retrieve(charge?.id ?? '')).toMatchObject({ amount_refunded: 2000, refunded: true })
  expect(await errorOf(stripe.refunds.create({ payment_intent }))).toMatchObject({ code: 'charge_already_refunded' })
  expect(await typesOf(charge?.id ?? '')).toEqual(['charge.succeeded', 'charge.refunded', 'charge.refunded'])
  expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid')

  await stripe.invoiceItems.create({ customer: customer.id, amount: 500, currency: 'usd' })
  const other = await stripe.invoices.create({ customer: customer.id, pending_invoice_items_behavior: 'include' })
  await stripe.invoices.finalizeInvoice(other.id)
  expect(await stripe.invoices.voidInvoice(other.id)).toMatchObject({ status: 'void', total: 500 })
  const unused = await stripe.invoices.create({ customer: customer.id })
  expect(await stripe.invoices.del(unused.id)).toMatchObject({ deleted: true })
})

test('every answer has the shape of the client’s own types', () => {
  expect(world.problems()).toEqual([])
})
