import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { cards, enterCard, openPaymentsScene, type PaymentsScene } from '../../../../tests/support/payments-scene.ts'
import { cancelSubscription, resumeSubscription } from './cancel-subscription.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { checkoutStatus, paymentUrl, startCheckout } from './checkout.ts'
import { getSubscription } from './get-subscription.ts'
import { settleSubscription } from './settle.ts'
import { startTrial } from './start-trial.ts'
import { storedSubscription } from './subscription-rows.ts'

let scene: PaymentsScene
let ctx: Ctx
const [starter, growth, agency] = [1, 2, 3]

beforeAll(async () => {
  scene = await openPaymentsScene()
})
afterAll(() => scene.close())
beforeEach(async () => {
  ctx = await scene.newOwner()
})

async function buy(planId: number, card = cards.good): Promise<string> {
  const { sessionId, url } = await startCheckout(ctx, planId)
  const accepted = await enterCard(url, card)
  if (accepted.location === null) await enterCard(url, card, { authentication: 'complete' })
  await checkoutStatus(ctx, sessionId)
  return (await storedSubscription(ctx.db.system, ctx.actor.accountId))?.stripeSubscriptionId ?? ''
}
const invoices = async (subscription: string) => (await scene.stripe.invoices.list({ subscription })).data

describe('a change of plan', () => {
  test('charges what its preview said, once, whatever replies are lost', async () => {
    const subscription = await buy(growth)
    await scene.advance('P10D')
    const preview = await previewPlanChange(ctx, agency)
    expect(preview).toMatchObject({ planName: 'Agency', credit: 0, nextAmount: 299 })
    expect(preview.amountDue).toBeGreaterThan(100)
    expect(preview.lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(
      Math.round(preview.amountDue * 100),
    )
    await scene.fault('POST', `/v1/subscriptions/${subscription}`, 'drop-after', { times: 3 })
    expect(await changePlan(ctx, preview)).toMatchObject({ planId: agency, hasAccess: true })
    expect(await changePlan(ctx, preview)).toMatchObject({ planId: agency })
    const [newest, first, ...others] = await invoices(subscription)
    expect(newest).toMatchObject({ status: 'paid', amount_paid: Math.round(preview.amountDue * 100) })
    expect([first?.amount_paid, others]).toEqual([9900, []])
  })

  test('to a smaller plan becomes credit', async () => {
    const subscription = await buy(agency)
    await scene.advance('P10D')
    const preview = await previewPlanChange(ctx, starter)
    expect(preview.amountDue).toBe(0)
    await changePlan(ctx, preview)
    const customer = await scene.stripe.customers.retrieve((await invoices(subscription))[0]?.customer as string)
    expect(customer).toMatchObject({ balance: Math.round(-preview.credit * 100) })
  })

  test('costs nothing during a trial', async () => {
    await startTrial(ctx, growth)
    const subscription = await buy(growth)
    const preview = await previewPlanChange(ctx, agency)
    expect(preview).toMatchObject({ amountDue: 0, credit: 0, lines: [], nextAmount: 299 })
    expect(await changePlan(ctx, preview)).toMatchObject({ planId: agency, isTrialActive: true })
    await scene.advance('P14DT2H')
    expect((await invoices(subscription))[0]).toMatchObject({ status: 'paid', amount_paid: 29_900 })
  })

  test.each([cards.needsOwnerEachTime, cards.failsLater])(
    'that card %s does not pay leaves the plan as it was',
    async card => {
      // Nothing is charged at first, so that the card is accepted.
      await startTrial(ctx, starter)
      const subscription = await buy(starter)
      await scene.stripe.subscriptions.update(subscription, { trial_end: 'now' })
      await settleSubscription(scene.services, subscription)
      const names = { [cards.needsOwnerEachTime]: 'authenticationRequired', [cards.failsLater]: 'chargeCustomerFail' }
      const { customer } = await scene.stripe.subscriptions.retrieve(subscription)
      const method = await scene.stripe.paymentMethods.attach(`pm_card_${names[card]}`, {
        customer: customer as string,
      })
      await scene.stripe.subscriptions.update(subscription, { default_payment_method: method.id })
      await scene.advance('P1D')
      const preview = await previewPlanChange(ctx, agency)
      await expect(changePlan(ctx, preview)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
      await settleSubscription(scene.services, subscription)
      expect(await getSubscription(ctx)).toMatchObject({ planId: starter, status: 'active' })
    },
  )

  test('needs a preview that still holds, and a paid subscription', async () => {
    await expect(previewPlanChange(ctx, agency)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await startTrial(ctx, growth)
    await expect(previewPlanChange(ctx, agency)).rejects.toMatchObject({ code: 'CONFLICT' })
    const subscription = await buy(growth)
    await scene.stripe.subscriptions.update(subscription, { trial_end: 'now' })
    await settleSubscription(scene.services, subscription)
    const preview = await previewPlanChange(ctx, agency)
    await expect(changePlan(ctx, { ...preview, amountDue: 1 })).rejects.toMatchObject({ code: 'CONFLICT' })
    await scene.advance('PT20M')
    await expect(changePlan(ctx, preview)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await invoices(subscription)).map(({ amount_paid }) => amount_paid)).toEqual([9900, 0])
  })
})

describe('a cancellation', () => {
  test('at the end of the period is undone, repeated, and then holds', async () => {
    const subscription = await buy(growth)
    await scene.fault('POST', `/v1/subscriptions/${subscription}`, 'drop-after', { times: 3 })
    expect(await cancelSubscription(ctx, true)).toMatchObject({ cancelAtPeriodEnd: true, hasAccess: true })
    expect(await resumeSubscription(ctx)).toMatchObject({ cancelAtPeriodEnd: false, hasAccess: true })
    expect(await cancelSubscription(ctx, true)).toMatchObject({ cancelAtPeriodEnd: true })
    expect(await scene.stripe.subscriptions.retrieve(subscription)).toMatchObject({ cancel_at_period_end: true })
    await scene.advance('P32D')
    // Even before anybody has read it again.
    expect(await getSubscription(ctx)).toMatchObject({ status: 'canceled', hasAccess: false })
    await expect(resumeSubscription(ctx)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    expect(await buy(agency)).not.toBe(subscription)
    expect(await getSubscription(ctx)).toMatchObject({ status: 'active', planId: agency })
  })

  test('at once ends access, and is not done where the provider cannot be reached', async () => {
    const subscription = await buy(growth)
    await scene.fault('DELETE', `/v1/subscriptions/${subscription}`, 'status', { status: 503, times: 3 })
    await expect(cancelSubscription(ctx, false)).rejects.toMatchObject({ status: 503 })
    expect(await getSubscription(ctx)).toMatchObject({ hasAccess: true })
    expect(await cancelSubscription(ctx, false)).toMatchObject({ status: 'canceled', hasAccess: false })
    expect((await scene.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled')
  })

  test('of a trial is undone too', async () => {
    await startTrial(ctx, growth)
    await cancelSubscription(ctx, true)
    expect(await resumeSubscription(ctx)).toMatchObject({ cancelAtPeriodEnd: false, isTrialActive: true })
  })
})

test('a late payment leads to its invoice until that is paid', async () => {
  await startTrial(ctx, growth)
  const subscription = await buy(growth, cards.failsLater)
  await scene.advance('P14DT2H')
  await settleSubscription(scene.services, subscription)
  const { graceEndDate, ...late } = await getSubscription(ctx)
  expect(late).toMatchObject({
    status: 'past_due',
    hasAccess: true,
    hasOpenInvoice: true,
    paymentError: 'generic_decline',
  })
  await expect(previewPlanChange(ctx, agency)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(startCheckout(ctx, agency)).rejects.toMatchObject({ code: 'CONFLICT' })
  const { url } = await paymentUrl(ctx)
  await scene.advance('P8D')
  await settleSubscription(scene.services, subscription)
  expect(Date.parse(graceEndDate ?? '')).toBeLessThan(scene.services.clock.now().getTime())
  expect(await getSubscription(ctx)).toMatchObject({ hasAccess: false, requiresUpgrade: true })
  await enterCard(url, cards.good)
  await settleSubscription(scene.services, subscription)
  expect(await getSubscription(ctx)).toMatchObject({ status: 'active', hasAccess: true, hasOpenInvoice: false })
  await expect(paymentUrl(ctx)).rejects.toMatchObject({ code: 'CONFLICT' })
})
