import { describe, expect, test } from 'vitest'
import { customerOf, settleSubscription } from '#features/subscription/server/public.ts'
import { type BillingScene, billingScene, type Subscriber } from '../../../../../tests/support/billing-scene.ts'
import { addAccount, callerOf } from '../../../../../tests/support/people.ts'
import { addCard, chargeOnlyCard, listCards, removeCard, setDefaultCard, settleCard } from './cards.ts'
import { getDashboard } from './dashboard.ts'

const scene = billingScene()
const stripe: BillingScene['stripe'] = call => scene.stripe(call)

describe('the dashboard', () => {
  test('shows the plan, what is charged next to which card, and nothing that is owed', async () => {
    const { ctx, card, subscription } = await scene.addSubscriber()
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
    const { ctx } = await scene.addSubscriber()
    const first = await getDashboard(ctx)
    scene.providerIsDown()
    expect(await getDashboard(scene.later(ctx, 4))).toEqual({ ...first, isReachable: true })
    const late = await getDashboard(scene.later(ctx, 6))
    expect(late).toEqual({ ...first, isReachable: false })
    expect(Date.parse(late.asOf ?? '')).toBeLessThanOrEqual(scene.services.clock.now().getTime())
  })

  test('knows the plan’s price although the provider never answered', async () => {
    const { ctx } = await scene.addSubscriber()
    scene.providerIsDown()
    expect(await getDashboard(ctx)).toMatchObject({
      nextCharge: { total: 99, parts: [{ kind: 'PLAN', description: 'Growth', amount: 99 }] },
      card: null,
      isReachable: false,
    })
  })

  test('of an account without a subscription has nothing, and asks nobody', async () => {
    scene.providerIsDown()
    const ctx = await callerOf(scene.services, await addAccount(scene.services))
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
    const payer = await scene.addSubscriber()
    const other = await scene.addMethod(payer.customer, 'pm_card_mastercard')
    const changed = await setDefaultCard(payer.ctx, other)
    expect(changed.cards?.filter(card => card.isDefault).map(card => card.id)).toEqual([other])
    expect(await defaultsOf(payer)).toEqual([other, other])
    expect((await getDashboard(payer.ctx)).card?.id).toBe(other)
  })

  test('the card that a subscription is charged to stays, another one goes', async () => {
    const { ctx, card, customer } = await scene.addSubscriber()
    await expect(removeCard(ctx, card)).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
      message: expect.stringContaining('your only one'),
    })
    const other = await scene.addMethod(customer, 'pm_card_mastercard')
    await expect(removeCard(ctx, card)).rejects.toMatchObject({ message: expect.stringContaining('another card') })
    expect((await removeCard(ctx, other)).cards?.map(one => one.id)).toEqual([card])
  })

  test('of two cards that are removed at once without a default, the last stays', async () => {
    const ctx = await callerOf(scene.services, await addAccount(scene.services))
    const customer = await customerOf(scene.services, ctx.actor.accountId)
    const { id } = await stripe(client =>
      client.subscriptions.create({ customer, items: [{ price: scene.priceId }], trial_period_days: 14 }),
    )
    await settleSubscription(scene.services, id)
    const [card, other] = [
      await scene.addMethod(customer, 'pm_card_visa'),
      await scene.addMethod(customer, 'pm_card_mastercard'),
    ]
    const outcomes = await Promise.allSettled([removeCard(ctx, card), removeCard(ctx, other)])
    expect(outcomes.map(one => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await listCards(ctx)).cards).toHaveLength(1)
  })

  test('a card of somebody else is not there', async () => {
    const { ctx } = await scene.addSubscriber()
    const stranger = await scene.addSubscriber()
    await expect(removeCard(ctx, stranger.card)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(setDefaultCard(ctx, stranger.card)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listCards(stranger.ctx)).cards).toHaveLength(1)
  })

  test('the first card that is saved on the provider’s page becomes the default, once it is settled', async () => {
    const ctx = await callerOf(scene.services, await addAccount(scene.services))
    const { url, sessionId } = await addCard(ctx)
    expect(await settleCard(ctx, sessionId)).toMatchObject({ status: 'OPEN', card: null })
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ number: '5555 5555 5555 4444', expiry: '12 / 34', cvc: '123', name: 'Ada' }),
    })
    expect(answer.headers.get('location')).toBe(
      `${scene.services.config.publicUrl}/subscription/billing/card?session=${sessionId}`,
    )
    const saved = { status: 'SAVED', card: { brand: 'mastercard', last4: '4444', isDefault: true } }
    expect(await settleCard(ctx, sessionId)).toMatchObject(saved)
    expect(await settleCard(ctx, sessionId)).toMatchObject(saved)
    const stranger = (await scene.addSubscriber()).ctx
    await expect(settleCard(stranger, sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(settleCard(ctx, 'cs_test_none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('an only card is charged although nobody came back from the page, of two none is chosen', async () => {
    const ctx = await callerOf(scene.services, await addAccount(scene.services))
    const customer = await customerOf(scene.services, ctx.actor.accountId)
    const first = await scene.addMethod(customer, 'pm_card_visa')
    await chargeOnlyCard(scene.services, ctx.actor.accountId)
    expect((await listCards(ctx)).cards).toMatchObject([{ id: first, isDefault: true }])
    await scene.addMethod(customer, 'pm_card_mastercard')
    await removeCard(ctx, first)
    await scene.addMethod(customer, 'pm_card_visa')
    await chargeOnlyCard(scene.services, ctx.actor.accountId)
    expect((await listCards(ctx)).cards?.map(card => card.isDefault)).toEqual([false, false])
  })

  test('while the provider is down the last ones are listed, and none can be changed', async () => {
    const { ctx, card } = await scene.addSubscriber()
    await listCards(ctx)
    scene.providerIsDown()
    expect(await listCards(ctx)).toMatchObject({ cards: [{ id: card }], isReachable: false })
    await expect(setDefaultCard(ctx, card)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  })
})
