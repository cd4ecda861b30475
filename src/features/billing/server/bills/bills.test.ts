import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { customerOf, settleSubscription } from '#features/subscription/server/public.ts'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Ctx } from '#server/context.ts'
import { servicesWithOutside } from '../../../../../tests/support/outside.ts'
import { addAccount, callerOf } from '../../../../../tests/support/people.ts'
import { settleInvoice } from '../events/settle-invoice.ts'
import { addCard, listCards, removeCard, setDefaultCard, settleCard, chargeOnlyCard } from './cards.ts'
import { getDashboard } from './dashboard.ts'
import { getInvoice, listInvoices, payInvoice, paymentUrl, pdfUrl } from './invoices.ts'

type Outside = Awaited<ReturnType<typeof servicesWithOutside>>
let services: Outside['services']
let sandbox: Outside['sandbox']
let priceId: string

const stripe = <T>(call: (client: Stripe) => Promise<T>): Promise<T> =>
  services.integrations.payments.write('prepare a test', crypto.randomUUID(), call)

beforeAll(async () => {
  ;({ services, sandbox } = await servicesWithOutside({ scenario: 'new-seller' }))
  const price = await stripe(client =>
    client.prices.create({
      product_data: { name: 'Growth' },
      currency: 'usd',
      unit_amount: 9900,
      recurring: { interval: 'month' },
    }),
  )
  priceId = price.id
  await services.db.system.updateTable('plan').set({ stripe_price_id: priceId }).where('name', '=', 'Growth').execute()
})
afterEach(() => sandbox.world.faults.clear())
afterAll(() => services.close())

const providerIsDown = () =>
  sandbox.world.faults.add({ match: { vendor: 'stripe' }, kind: 'status', status: 503, times: 1000 } as never)

interface Subscriber {
  ctx: Ctx
  customer: string
  subscription: string
  /** The card that the subscription is charged to. */
  card: string
}

async function addMethod(customer: string, card: string): Promise<string> {
  const method = await stripe(client => client.paymentMethods.attach(card, { customer }))
  return method.id
}

/** An account that pays for Growth with this card, with everything about it settled. */
async function addSubscriber(testCard = 'pm_card_visa'): Promise<Subscriber> {
  const ctx = await callerOf(services, await addAccount(services))
  const customer = await customerOf(services, ctx.actor.accountId)
  const card = await addMethod(customer, testCard)
  const created = await stripe(client =>
    client.subscriptions.create({
      customer,
      items: [{ price: priceId }],
      default_payment_method: card,
      payment_behavior: 'allow_incomplete',
    }),
  )
  await settleSubscription(services, created.id)
  await settleAll(customer)
  return { ctx, customer, subscription: created.id, card }
}

async function settleAll(customer: string): Promise<void> {
  const { data } = await stripe(client => client.invoices.list({ customer }))
  for (const { id } of data) await settleInvoice(services, id)
}

const later = (ctx: Ctx, minutes: number): Ctx => ({
  ...ctx,
  clock: { now: () => new Date(services.clock.now().getTime() + minutes * 60_000) },
})

describe('the dashboard', () => {
  test('shows the plan, what is charged next to which card, and nothing that is owed', async () => {
    const { ctx, card, subscription } = await addSubscriber()
    const { items } = await stripe(client => client.subscriptions.retrieve(subscription))
    const renewsAt = (items.data[0]?.current_period_end ?? 0) * 1000
    const shown = await getDashboard(ctx)
    expect(shown).toMatchObject({
      plan: { name: 'Growth', basePrice: 99, currency: 'USD' },
      status: 'active',
      nextCharge: { currency: 'USD', total: 99, parts: [{ kind: 'PLAN', amount: 99 }] },
      card: { id: card, brand: 'visa', last4: '4242', expiry: 'VALID', isDefault: true },
      openInvoices: [],
      isReachable: true,
    })
    // The provider charges within an hour of the renewal.
    const waits = Date.parse(shown.nextCharge?.at ?? '') - renewsAt
    expect([waits >= 0, waits <= 3_600_000]).toEqual([true, true])
  })

  test('asks the provider at most every five minutes, and shows its last answer with its age while it is down', async () => {
    const { ctx } = await addSubscriber()
    const first = await getDashboard(ctx)
    providerIsDown()
    expect(await getDashboard(later(ctx, 4))).toEqual({ ...first, isReachable: true })
    const late = await getDashboard(later(ctx, 6))
    expect(late).toEqual({ ...first, isReachable: false })
    expect(Date.parse(late.asOf ?? '')).toBeLessThanOrEqual(services.clock.now().getTime())
  })

  test('knows the plan’s price although the provider never answered', async () => {
    const { ctx } = await addSubscriber()
    providerIsDown()
    expect(await getDashboard(ctx)).toMatchObject({
      nextCharge: { total: 99, parts: [{ kind: 'PLAN', description: 'Growth', amount: 99 }] },
      card: null,
      isReachable: false,
    })
  })

  test('of an account without a subscription has nothing, and asks nobody', async () => {
    providerIsDown()
    const ctx = await callerOf(services, await addAccount(services))
    expect(await getDashboard(ctx)).toMatchObject({ plan: null, status: null, nextCharge: null, fee: null, card: null })
  })
})

describe('cards', () => {
  const defaultsOf = async ({ customer, subscription }: Subscriber) => {
    const owner = await stripe(client => client.customers.retrieve(customer))
    const charged = await stripe(client => client.subscriptions.retrieve(subscription))
    return [owner.deleted ? null : owner.invoice_settings.default_payment_method, charged.default_payment_method]
  }

  test('a default card is that of the customer and of the subscription', async () => {
    const payer = await addSubscriber()
    const other = await addMethod(payer.customer, 'pm_card_mastercard')
    const changed = await setDefaultCard(payer.ctx, other)
    expect(changed.cards?.filter(card => card.isDefault).map(card => card.id)).toEqual([other])
    expect(await defaultsOf(payer)).toEqual([other, other])
    expect((await getDashboard(payer.ctx)).card?.id).toBe(other)
  })

  test('the card that a subscription is charged to stays, another one goes', async () => {
    const { ctx, card, customer } = await addSubscriber()
    await expect(removeCard(ctx, card)).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
      message: expect.stringContaining('your only one'),
    })
    const other = await addMethod(customer, 'pm_card_mastercard')
    await expect(removeCard(ctx, card)).rejects.toMatchObject({ message: expect.stringContaining('another card') })
    expect((await removeCard(ctx, other)).cards?.map(one => one.id)).toEqual([card])
  })

  test('of two cards that are removed at once without a default, the last stays', async () => {
    const ctx = await callerOf(services, await addAccount(services))
    const customer = await customerOf(services, ctx.actor.accountId)
    const { id } = await stripe(client =>
      client.subscriptions.create({ customer, items: [{ price: priceId }], trial_period_days: 14 }),
    )
    await settleSubscription(services, id)
    const [card, other] = [await addMethod(customer, 'pm_card_visa'), await addMethod(customer, 'pm_card_mastercard')]
    const outcomes = await Promise.allSettled([removeCard(ctx, card), removeCard(ctx, other)])
    expect(outcomes.map(one => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await listCards(ctx)).cards).toHaveLength(1)
  })

  test('a card of somebody else is not there', async () => {
    const { ctx } = await addSubscriber()
    const stranger = await addSubscriber()
    await expect(removeCard(ctx, stranger.card)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(setDefaultCard(ctx, stranger.card)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listCards(stranger.ctx)).cards).toHaveLength(1)
  })

  test('the first card that is saved on the provider’s page becomes the default, once it is settled', async () => {
    const ctx = await callerOf(services, await addAccount(services))
    const { url, sessionId } = await addCard(ctx)
    expect(await settleCard(ctx, sessionId)).toMatchObject({ status: 'OPEN', card: null })
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ number: '5555 5555 5555 4444', expiry: '12 / 34', cvc: '123', name: 'Ada' }),
    })
    expect(answer.headers.get('location')).toBe(
      `${services.config.publicUrl}/subscription/billing/card?session=${sessionId}`,
    )
    const saved = { status: 'SAVED', card: { brand: 'mastercard', last4: '4444', isDefault: true } }
    expect(await settleCard(ctx, sessionId)).toMatchObject(saved)
    expect(await settleCard(ctx, sessionId)).toMatchObject(saved)
    const stranger = (await addSubscriber()).ctx
    await expect(settleCard(stranger, sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(settleCard(ctx, 'cs_test_none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('an only card is charged although nobody came back from the page, of two none is chosen', async () => {
    const ctx = await callerOf(services, await addAccount(services))
    const customer = await customerOf(services, ctx.actor.accountId)
    const first = await addMethod(customer, 'pm_card_visa')
    await chargeOnlyCard(services, ctx.actor.accountId)
    expect((await listCards(ctx)).cards).toMatchObject([{ id: first, isDefault: true }])
    await addMethod(customer, 'pm_card_mastercard')
    await removeCard(ctx, first)
    await addMethod(customer, 'pm_card_visa')
    await chargeOnlyCard(services, ctx.actor.accountId)
    expect((await listCards(ctx)).cards?.map(card => card.isDefault)).toEqual([false, false])
  })

  test('while the provider is down the last ones are listed, and none can be changed', async () => {
    const { ctx, card } = await addSubscriber()
    await listCards(ctx)
    providerIsDown()
    expect(await listCards(ctx)).toMatchObject({ cards: [{ id: card }], isReachable: false })
    await expect(setDefaultCard(ctx, card)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  })
})

describe('invoices', () => {
  const pay = (ctx: Ctx, id: string, card: string) =>
    payInvoice({ ...ctx, idempotencyKey: crypto.randomUUID() }, id, card)

  test('are listed and shown with their lines to their owner only', async () => {
    const { ctx } = await addSubscriber()
    const { content, page } = await listInvoices(ctx, { page: 0, size: 20 })
    expect(page.totalElements).toBe(1)
    const [invoice] = content
    expect(invoice).toMatchObject({ status: 'paid', kind: 'PLAN', currency: 'USD', total: 99, amountRemaining: 0 })
    const id = invoice?.id ?? ''
    expect((await getInvoice(ctx, id)).lines).toMatchObject([{ amount: 99, quantity: 1, fee: null }])
    const stranger = (await addSubscriber()).ctx
    expect((await listInvoices(stranger, { page: 0, size: 20 })).content.map(one => one.id)).not.toContain(id)
    for (const look of [getInvoice, paymentUrl, pdfUrl])
      await expect(look(stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(pay(stranger, id, 'pm_card_visa')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('that are open lead to their page, and are paid once with a new default card', async () => {
    const payer = await addSubscriber('pm_card_chargeCustomerFail')
    const { ctx, customer } = payer
    const { openInvoices } = await getDashboard(ctx)
    expect(openInvoices).toMatchObject([{ status: 'open', amountRemaining: 99, attemptCount: 1 }])
    const id = openInvoices[0]?.id ?? ''
    const { url } = await paymentUrl(ctx, id)
    expect(await (await fetch(url)).text()).toContain('$99.00 due')
    await expect(pay(ctx, id, payer.card)).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
      message: expect.stringContaining('The card was declined.'),
    })
    const strangers = await addSubscriber()
    await expect(pay(ctx, id, strangers.card)).rejects.toMatchObject({ code: 'NOT_FOUND' })

    const good = await addMethod(customer, 'pm_card_mastercard')
    expect((await setDefaultCard(ctx, good)).openInvoices.map(one => one.id)).toEqual([id])
    expect(await pay(ctx, id, good)).toMatchObject({ status: 'paid', amountRemaining: 0 })
    const alreadyPaid = { code: 'CONFLICT', message: 'This invoice is already paid.' }
    await expect(pay(ctx, id, good)).rejects.toMatchObject(alreadyPaid)
    await expect(paymentUrl(ctx, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    const charges = await stripe(client => client.charges.list({ customer }))
    expect(charges.data.filter(charge => charge.paid)).toHaveLength(1)
    const pdf = await fetch((await pdfUrl(ctx, id)).url)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
  })

  test('whose payment got no answer are read again, and not paid twice', async () => {
    const { ctx, customer } = await addSubscriber('pm_card_chargeCustomerFail')
    const good = await addMethod(customer, 'pm_card_visa')
    const id = (await getDashboard(ctx)).openInvoices[0]?.id ?? ''
    sandbox.world.faults.add({
      match: { vendor: 'stripe', method: 'POST', path: '*/pay' },
      kind: 'drop-after',
      times: 3,
    } as never)
    expect(await pay(ctx, id, good)).toMatchObject({ status: 'paid' })
    const charges = await stripe(client => client.charges.list({ customer }))
    expect(charges.data.filter(charge => charge.paid)).toHaveLength(1)
  })

  test('that are drafts have neither a payment page nor a PDF', async () => {
    const { ctx, customer } = await addSubscriber()
    const draft = await stripe(client => client.invoices.create({ customer, auto_advance: false }))
    await settleInvoice(services, draft.id)
    const notYet = { code: 'CONFLICT', message: expect.stringContaining('still being prepared') }
    await expect(paymentUrl(ctx, draft.id)).rejects.toMatchObject(notYet)
    await expect(pdfUrl(ctx, draft.id)).rejects.toMatchObject(notYet)
  })

  test('that may still change are read again before they are shown, unless the provider is down', async () => {
    const { ctx, customer } = await addSubscriber('pm_card_chargeCustomerFail')
    const id = (await getDashboard(ctx)).openInvoices[0]?.id ?? ''
    const good = await addMethod(customer, 'pm_card_visa')
    await stripe(client => client.invoices.pay(id, { payment_method: good }))
    expect(await getInvoice(ctx, id)).toMatchObject({ status: 'open' })
    providerIsDown()
    expect(await getInvoice(later(ctx, 2), id)).toMatchObject({ status: 'open' })
    sandbox.world.faults.clear()
    expect(await getInvoice(later(ctx, 2), id)).toMatchObject({ status: 'paid' })
  })
})

test('a viewer sees and changes nothing', async () => {
  const { ctx, card } = await addSubscriber()
  const { content } = await listInvoices(ctx, { page: 0, size: 1 })
  const id = content[0]?.id ?? ''
  const viewer = { ...ctx, actor: { ...ctx.actor, authorities: [] } }
  const calls = [
    () => getDashboard(viewer),
    () => listInvoices(viewer, { page: 0, size: 20 }),
    () => getInvoice(viewer, id),
    () => paymentUrl(viewer, id),
    () => pdfUrl(viewer, id),
    () => payInvoice(viewer, id, card),
    () => listCards(viewer),
    () => addCard(viewer),
    () => settleCard(viewer, 'cs_test_1'),
    () => setDefaultCard(viewer, card),
    () => removeCard(viewer, card),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
