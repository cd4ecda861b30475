import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { cards, enterCard, openPaymentsScene, type PaymentsScene } from '../../../../tests/support/payments-scene.ts'
import { checkoutStatus, settleCheckout, startCheckout } from './checkout.ts'
import { customerOf } from './customer.ts'
import { getSubscription } from './get-subscription.ts'
import { startTrial } from './start-trial.ts'
import { storedSubscription } from './subscription-rows.ts'

let scene: PaymentsScene
let ctx: Ctx
const [growth, agency] = [2, 3]

beforeAll(async () => {
  scene = await openPaymentsScene()
})
afterAll(() => scene.close())
beforeEach(async () => {
  ctx = await scene.newOwner()
})

const subscriptions = async (caller: Ctx = ctx) =>
  (await scene.stripe.subscriptions.list({ customer: await customerOf(caller, caller.actor.accountId), status: 'all' }))
    .data
const openSessions = async () =>
  (await scene.stripe.checkout.sessions.list({ customer: await customerOf(ctx, ctx.actor.accountId), status: 'open' }))
    .data
const dayMs = 86_400_000

describe('a plan is bought', () => {
  test('once the bank has agreed; a declined card or a failed confirmation leaves nothing behind', async () => {
    const { sessionId, url } = await startCheckout(ctx, growth)
    expect(await checkoutStatus(ctx, sessionId)).toEqual({
      status: 'open',
      paymentStatus: 'unpaid',
      subscriptionStatus: null,
    })
    expect((await enterCard(url, cards.declined)).status).toBe(402)
    expect((await enterCard(url, cards.needsOwner)).location).toBeNull()
    expect((await enterCard(url, cards.needsOwner, { authentication: 'fail' })).status).toBe(402)
    expect([await subscriptions(), await storedSubscription(ctx.db.system, ctx.actor.accountId)]).toEqual([[], null])
    const done = await enterCard(url, cards.needsOwner, { authentication: 'complete' })
    expect(done.location).toBe(`${ctx.config.publicUrl}/subscription/checkout?session=${sessionId}`)
    // No message of the provider has arrived: to look is enough.
    expect(await checkoutStatus(ctx, sessionId)).toEqual({
      status: 'complete',
      paymentStatus: 'paid',
      subscriptionStatus: 'active',
    })
    expect(await getSubscription(ctx)).toMatchObject({ hasAccess: true, planId: growth, isBilled: true, hasCard: true })
    await expect(startCheckout(ctx, growth)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(startTrial(ctx, growth)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('during the trial for the time after it, and for a last two days if less is left', async () => {
    const { trialEndDate } = await startTrial(ctx, growth)
    const first = await startCheckout(ctx, growth)
    await enterCard(first.url, cards.good)
    expect(await checkoutStatus(ctx, first.sessionId)).toMatchObject({
      paymentStatus: 'no_payment_required',
      subscriptionStatus: 'trialing',
    })
    const [made] = await subscriptions()
    expect(made?.trial_end).toBe(Math.ceil(Date.parse(trialEndDate ?? '') / 1000))
    expect(await getSubscription(ctx)).toMatchObject({ isTrialActive: true, isBilled: true, hasCard: true })

    const late = await scene.newOwner()
    await startTrial(late, growth)
    await scene.advance('P13DT12H')
    const now = scene.services.clock.now().getTime()
    await enterCard((await startCheckout(late, growth)).url, cards.good)
    const end = ((await subscriptions(late))[0]?.trial_end ?? 0) * 1000
    expect([end - now >= 2 * dayMs, end - now <= 2.2 * dayMs]).toEqual([true, true])
  })

  test('at once where a merchant had its trial with somebody else, because the trial would not open it', async () => {
    const { system } = ctx.db
    const other = await scene.newOwner()
    const merchants = await system
      .insertInto('merchant')
      .values({ name: 'Shop', account_type: 'SELLER', region: 'NA', selling_partner_id: 'ASHARED' })
      .returning('merchant_id')
      .executeTakeFirstOrThrow()
    const { merchant_id } = merchants
    const usedBy = { trial_used_at: new Date(), trial_account_id: other.actor.accountId }
    await system
      .insertInto('seller_claim')
      .values({ region: 'NA', selling_partner_id: 'ASHARED', merchant_id, ...usedBy })
      .execute()
    await startTrial(ctx, growth)
    await system
      .insertInto('membership')
      .values({ account_id: ctx.actor.accountId, merchant_id, role: 'OWNER', ended_at: null })
      .execute()
    const { sessionId, url } = await startCheckout(ctx, growth)
    await enterCard(url, cards.good)
    expect(await checkoutStatus(ctx, sessionId)).toMatchObject({ paymentStatus: 'paid', subscriptionStatus: 'active' })
  })
})

describe('an account has one open checkout', () => {
  test('however many tabs ask at once, and another plan takes the place of the first', async () => {
    const tabs = await Promise.all([1, 2, 3].map(() => startCheckout(ctx, growth)))
    expect(new Set(tabs.map(({ sessionId }) => sessionId)).size).toBe(1)
    const other = await startCheckout(ctx, agency)
    expect((await openSessions()).map(({ id }) => id)).toEqual([other.sessionId])
    expect(await checkoutStatus(ctx, tabs[0]?.sessionId ?? '')).toMatchObject({ status: 'expired' })
    const mixed = await Promise.allSettled([startCheckout(ctx, growth), startCheckout(ctx, agency)])
    const opened = mixed.flatMap(one => (one.status === 'fulfilled' ? [one.value.sessionId] : []))
    const [remaining, ...others] = await openSessions()
    expect([others, opened.includes(remaining?.id ?? '')]).toEqual([[], true])
  })

  test.each([
    ['the reply is lost', 'drop-after', {}],
    ['the provider fails and saves that', 'status', { status: 500 }],
    ['every reply is lost', 'drop-after', { times: 3 }],
  ])('when %s', async (_name, kind, more) => {
    await scene.fault('POST', '/v1/checkout/sessions', kind, more)
    const { sessionId } = await startCheckout(ctx, growth)
    expect((await openSessions()).map(({ id }) => id)).toEqual([sessionId])
  })

  test('when the process dies before it could note it, and its owner can still ask for it', async () => {
    const dying: Ctx = { ...ctx, db: { ...ctx.db, transaction: () => Promise.reject(new Error('killed')) } }
    await expect(startCheckout(dying, growth)).rejects.toThrow('killed')
    const [lost] = await openSessions()
    expect(await checkoutStatus(ctx, lost?.id ?? '')).toMatchObject({ status: 'open' })
    expect(await startCheckout(ctx, growth)).toMatchObject({ sessionId: lost?.id })
  })

  test('which ends by itself', async () => {
    const { sessionId } = await startCheckout(ctx, growth)
    await scene.advance('P1DT1M')
    expect(await checkoutStatus(ctx, sessionId)).toMatchObject({ status: 'expired', subscriptionStatus: null })
    expect((await startCheckout(ctx, growth)).sessionId).not.toBe(sessionId)
  })
})

test('the provider’s events end a checkout that its buyer never looked at again', async () => {
  const { sessionId, url } = await startCheckout(ctx, growth)
  const stored = (id: string) =>
    ctx.db.system.selectFrom('checkout').select('status').where('session_id', '=', id).executeTakeFirst()
  await enterCard(url, cards.good)
  await settleCheckout(ctx, sessionId)
  expect([await stored(sessionId), (await getSubscription(ctx)).status]).toEqual([{ status: 'complete' }, 'active'])
  ctx = await scene.newOwner()
  const left = await startCheckout(ctx, growth)
  await scene.stripe.checkout.sessions.expire(left.sessionId)
  await settleCheckout(ctx, left.sessionId)
  expect(await stored(left.sessionId)).toEqual({ status: 'expired' })
})

test('two checkouts that were completed after all leave one subscription', async () => {
  const { sessionId, url } = await startCheckout(ctx, growth)
  const session = await scene.stripe.checkout.sessions.retrieve(sessionId)
  const second = await scene.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: session.customer as string,
    line_items: [{ price: session.metadata?.price ?? '', quantity: 1 }],
    subscription_data: { metadata: { accountId: String(ctx.actor.accountId) } },
    success_url: 'http://localhost/',
  })
  await enterCard(url, cards.good)
  await scene.advance('PT1S')
  await enterCard(second.url ?? '', cards.good)
  expect(await checkoutStatus(ctx, second.id)).toMatchObject({ status: 'complete', subscriptionStatus: 'canceled' })
  expect((await subscriptions()).map(({ status }) => status).sort()).toEqual(['active', 'canceled'])
  expect(await checkoutStatus(ctx, sessionId)).toMatchObject({ subscriptionStatus: 'active' })
})

test('nobody else learns of a checkout, and none begins for a plan that does not exist', async () => {
  const { sessionId } = await startCheckout(ctx, growth)
  const other = await scene.newOwner()
  await expect(checkoutStatus(other, sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(checkoutStatus(other, 'cs_test_none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(startCheckout(ctx, 99)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a price that differs at the provider is sold to nobody', async () => {
  await startCheckout(ctx, growth)
  const { system } = ctx.db
  await system.updateTable('plan').set({ base_price_micros: 98_000_000 }).where('id', '=', growth).execute()
  await expect(startCheckout(ctx, growth)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' })
  await system.updateTable('plan').set({ base_price_micros: 99_000_000 }).where('id', '=', growth).execute()
})
