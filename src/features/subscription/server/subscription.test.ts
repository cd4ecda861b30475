import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx, Services } from '#server/context.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { cancelSubscription } from './cancel-subscription.ts'
import { getSubscription } from './get-subscription.ts'
import { listPlans } from './list-plans.ts'
import { requireAccess } from './require-access.ts'
import { startTrial } from './start-trial.ts'

let services: Services & { close(): Promise<void> }
let ctx: Ctx
const dayMs = 86_400_000
const inDays = (caller: Ctx, days: number): Ctx => ({
  ...caller,
  clock: { now: () => new Date(Date.now() + days * dayMs) },
})
const growth = 2

beforeAll(async () => {
  services = await testServices()
})
afterAll(() => services.close())
beforeEach(async () => {
  ctx = await callerOf(services, await addAccount(services))
})

/** A merchant of these accounts, the first of them its owner. */
const merchantOf = async (...accounts: number[]): Promise<number> => {
  const { db } = services
  const sellingPartnerId = `A${crypto.randomUUID().slice(0, 12).toUpperCase()}`
  const { merchant_id: merchantId } = await db.system
    .insertInto('merchant')
    .values({ name: 'Shop', account_type: 'SELLER', region: 'NA', selling_partner_id: sellingPartnerId })
    .returning('merchant_id')
    .executeTakeFirstOrThrow()
  await db.system
    .insertInto('seller_claim')
    .values({ region: 'NA', selling_partner_id: sellingPartnerId, merchant_id: merchantId, trial_used_at: null })
    .execute()
  for (const [i, account] of accounts.entries())
    await db.system
      .insertInto('membership')
      .values({ account_id: account, merchant_id: merchantId, role: i ? 'VIEWER' : 'OWNER', ended_at: null })
      .execute()
  return merchantId
}

test('plans cost what was decided, the cheapest first', async () => {
  const plans = await listPlans(ctx)
  expect(plans.map(p => [p.name, p.basePrice, p.minimumTaxablePrice, p.adSpendPercentage, p.currency])).toEqual([
    ['Starter', 29, 1000, 3, 'USD'],
    ['Growth', 99, 5000, 2.5, 'USD'],
    ['Agency', 299, 20_000, 2, 'USD'],
  ])
})

describe('the free trial', () => {
  test('gives access for 14 days and is noted with the user', async () => {
    await expect(getSubscription(ctx)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const started = await startTrial(ctx, growth)
    expect(started).toMatchObject({ status: 'trialing', hasAccess: true, trialDaysRemaining: 14, planName: 'Growth' })
    const account = await services.db.system
      .selectFrom('account')
      .select(['has_used_trial', 'trial_ends_at'])
      .where('id', '=', ctx.actor.accountId)
      .executeTakeFirstOrThrow()
    expect(account.has_used_trial).toBe(true)
    expect(account.trial_ends_at?.toISOString()).toBe(started.trialEndDate)
    expect(await getSubscription(inDays(ctx, 15))).toMatchObject({ hasAccess: false, isTrialExpired: true })
  })

  test('is given once a user, however often it is asked for at once', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => startTrial(ctx, growth)))
    expect(attempts.filter(a => a.status === 'fulfilled')).toHaveLength(1)
    await cancelSubscription(ctx, false)
    await expect(startTrial(ctx, growth)).rejects.toMatchObject({ code: 'TRIAL_ALREADY_USED' })
  })

  test('is given once a merchant, whoever asks', async () => {
    const second = await addAccount(services)
    await merchantOf(ctx.actor.accountId, second)
    await startTrial(await callerOf(services, ctx.actor.accountId), growth)
    const other = await callerOf(services, second)
    await expect(startTrial(other, growth)).rejects.toMatchObject({ code: 'TRIAL_ALREADY_USED' })
    // The refusal leaves the user's own trial unused.
    const account = await services.db.system
      .selectFrom('account')
      .select('has_used_trial')
      .where('id', '=', second)
      .executeTakeFirstOrThrow()
    expect(account.has_used_trial).toBe(false)
  })

  test('is not given for a plan that does not exist, nor to a viewer', async () => {
    await expect(startTrial(ctx, 99)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const viewer = await callerOf(services, ctx.actor.accountId, [])
    await expect(startTrial(viewer, growth)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('canceling', () => {
  test('at the end of the period keeps access until then', async () => {
    await startTrial(ctx, growth)
    expect(await cancelSubscription(ctx, true)).toMatchObject({ hasAccess: true, cancelAtPeriodEnd: true })
    expect(await getSubscription(inDays(ctx, 15))).toMatchObject({ status: 'canceled', hasAccess: false })
  })

  test('at once ends access, and again changes nothing', async () => {
    await startTrial(ctx, growth)
    const ended = await cancelSubscription(ctx, false)
    expect(ended).toMatchObject({ status: 'canceled', hasAccess: false, requiresUpgrade: true })
    expect(await cancelSubscription(ctx, true)).toEqual(ended)
  })

  test('without a subscription is told as such', async () => {
    await expect(cancelSubscription(ctx, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('what needs a subscription', () => {
  const required = { code: 'SUBSCRIPTION_REQUIRED' }

  test('is open during the trial and shut without one and after it', async () => {
    await expect(requireAccess(ctx)).rejects.toMatchObject(required)
    await startTrial(ctx, growth)
    await expect(requireAccess(ctx)).resolves.toBeUndefined()
    await expect(requireAccess(inDays(ctx, 15))).rejects.toMatchObject(required)
  })

  test('is open to those whom a subscriber invited, for that merchant only', async () => {
    const viewer = await addAccount(services)
    const merchantId = await merchantOf(ctx.actor.accountId, viewer)
    await startTrial(await callerOf(services, ctx.actor.accountId), growth)
    const asViewer = await callerOf(services, viewer, [])
    const working = { ...asViewer, actor: { ...asViewer.actor, merchantId } }
    await expect(requireAccess(working)).resolves.toBeUndefined()
    await expect(requireAccess(asViewer)).rejects.toMatchObject(required)
  })
})
