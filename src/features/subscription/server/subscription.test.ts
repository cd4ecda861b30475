import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { joinTrial } from '#features/accounts/server/sql/merchants.ts'
import { addTestAccount, addTestCampaign } from '../../../../tests/support/campaign-account.ts'
import type { Ctx, Services } from '#server/context.ts'
import { convertMicros, shippedRates } from '#shared/exchange-rates.ts'
import { dayIn } from '#shared/time.ts'
import { accessOf, addAccount, callerOf } from '../../../../tests/support/people.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { getSubscription, listPlans } from './get-subscription.ts'
import { cancelSubscription } from './cancel-subscription.ts'
import { startTrial } from './start-trial.ts'

let services: Services & { close(): Promise<void> }
let ctx: Ctx
const dayMs = 86_400_000
function inDays(caller: Ctx, days: number): Ctx {
  return {
    ...caller,
    clock: { now: () => new Date(Date.now() + days * dayMs) },
  }
}
const growth = 2

beforeAll(async () => {
  services = await testServices()
})
afterAll(() => services.close())
beforeEach(async () => {
  ctx = await callerOf(services, await addAccount(services))
})

/** A merchant of these accounts, the first of them its owner. */
async function merchantOf(...accounts: number[]): Promise<number> {
  const { db } = services
  const sellingPartnerId = `A${crypto.randomUUID().slice(0, 12).toUpperCase()}`
  const { merchant_id: merchantId } = await db.system
    .insertInto('merchant')
    .values({ name: 'Shop', account_type: 'SELLER', region: 'NA', selling_partner_id: sellingPartnerId })
    .returning('merchant_id')
    .executeTakeFirstOrThrow()
  await db.system
    .insertInto('seller_claim')
    .values({
      region: 'NA',
      selling_partner_id: sellingPartnerId,
      merchant_id: merchantId,
      trial_used_at: null,
      trial_account_id: null,
    })
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

  test('is given once per merchant, to any user', async () => {
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

  test('is not given for a plan that does not exist', async () => {
    await expect(startTrial(ctx, 99)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the trial of a merchant', () => {
  const working = async (accountId: number, merchantId: number): Promise<Ctx> => {
    const caller = await callerOf(services, accountId)
    return { ...caller, actor: { ...caller.actor, merchantId } }
  }
  const accessTo = ({ db, clock, actor }: Ctx) => accessOf(db.system, actor.accountId, actor.merchantId, clock.now())
  /** A consent of the account to the seller of a merchant, as far as the trial is concerned. */
  const connect = (merchantId: number, accountId: number) =>
    services.db.transaction(tx => joinTrial(tx, merchantId, accountId, services.clock.now()))

  test('is used by a trial that runs when the merchant is connected', async () => {
    await startTrial(ctx, growth)
    const merchantId = await merchantOf(ctx.actor.accountId)
    await connect(merchantId, ctx.actor.accountId)
    expect(await accessTo(await working(ctx.actor.accountId, merchantId))).toMatchObject({ hasAccess: true })
    const second = await addAccount(services)
    await services.db.system.deleteFrom('membership').where('merchant_id', '=', merchantId).execute()
    await services.db.system
      .insertInto('membership')
      .values({ account_id: second, merchant_id: merchantId, role: 'OWNER', ended_at: null })
      .execute()
    const other = await callerOf(services, second)
    await expect(startTrial(other, growth)).rejects.toMatchObject({ code: 'TRIAL_ALREADY_USED' })
  })

  test('that was used by another user is not lengthened by connecting after the own trial began', async () => {
    const first = await addAccount(services)
    const merchantId = await merchantOf(first)
    await startTrial(await callerOf(services, first), growth)
    await startTrial(ctx, growth)
    const { system } = services.db
    await system
      .updateTable('membership')
      .set({ account_id: ctx.actor.accountId })
      .where('merchant_id', '=', merchantId)
      .execute()
    await connect(merchantId, ctx.actor.accountId)
    const caller = await working(ctx.actor.accountId, merchantId)
    // The trial goes on for other merchants, so more may be connected.
    expect(await accessTo(caller)).toEqual({ hasAccess: false, mayConnect: true })
    expect(await getSubscription(caller)).toMatchObject({
      status: 'trialing',
      hasAccess: false,
      requiresUpgrade: true,
      isMerchantTrialUsed: true,
    })
    const own = await working(ctx.actor.accountId, await merchantOf(ctx.actor.accountId))
    expect(await accessTo(own)).toMatchObject({ hasAccess: true })
  })

  test('lets the user’s other merchants have theirs', async () => {
    const first = await addAccount(services)
    const used = await merchantOf(first)
    await startTrial(await callerOf(services, first), growth)
    const { system } = services.db
    await system
      .updateTable('membership')
      .set({ account_id: ctx.actor.accountId })
      .where('merchant_id', '=', used)
      .execute()
    const fresh = await merchantOf(ctx.actor.accountId)
    await startTrial(ctx, growth)
    expect(await accessTo(await working(ctx.actor.accountId, fresh))).toMatchObject({ hasAccess: true })
    expect(await accessTo(await working(ctx.actor.accountId, used))).toMatchObject({ hasAccess: false })
  })
})

describe('the plan', () => {
  const [starter, agency] = [1, 3]

  test('asks for a larger one after more merchants than it allows for seven days', async () => {
    await startTrial(ctx, starter)
    await merchantOf(ctx.actor.accountId)
    await merchantOf(ctx.actor.accountId)
    expect(await getSubscription(ctx)).toMatchObject({
      requiresUpgrade: false,
      overLimits: [{ limit: 'MERCHANTS', used: 2, allowed: 1 }],
    })
    expect(await getSubscription(inDays(ctx, 8))).toMatchObject({ hasAccess: true, requiresUpgrade: true })
  })

  test('can be changed during the trial, which keeps its end', async () => {
    const { trialEndDate } = await startTrial(ctx, starter)
    await merchantOf(ctx.actor.accountId)
    await merchantOf(ctx.actor.accountId)
    expect(await startTrial(inDays(ctx, 8), agency)).toMatchObject({
      planName: 'Agency',
      trialEndDate,
      requiresUpgrade: false,
      overLimits: [],
    })
    await expect(startTrial(inDays(ctx, 15), starter)).rejects.toMatchObject({ code: 'TRIAL_ALREADY_USED' })
  })

  test('asks for a larger one after more ad spend than it allows, in its own currency', async () => {
    const account = await addTestAccount(services, { currency: 'EUR' })
    const day = dayIn(services.clock.now(), 'UTC')
    await addTestCampaign(services, account, { name: 'Lamp', day: [1, 1, 4_900, 1, 1], days: [day] })
    await services.db.system
      .updateTable('subscription')
      .set({ plan_id: starter })
      .where('account_id', '=', account.accountId)
      .execute()
    const caller = await callerOf(services, account.accountId)
    const [over] = (await getSubscription(caller)).overLimits
    expect(over).toMatchObject({ limit: 'SPEND', allowed: 5_000 })
    expect(over?.used).toBeCloseTo((convertMicros(4_900e6, 'EUR', 'USD', shippedRates) ?? 0) / 1e6, 1)
    expect(over?.used).toBeGreaterThan(5_000)
  })

  test('of somebody else who shares the merchant is the one that a user without a subscription works under', async () => {
    const viewer = await addAccount(services)
    const merchantId = await merchantOf(ctx.actor.accountId, viewer)
    await startTrial(await callerOf(services, ctx.actor.accountId), growth)
    const asViewer = await callerOf(services, viewer, [])
    const working = { ...asViewer, actor: { ...asViewer.actor, merchantId } }
    expect(await getSubscription(working)).toMatchObject({ hasAccess: true, isOwn: false, planName: 'Growth' })
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

  test('without a subscription is reported as such', async () => {
    await expect(cancelSubscription(ctx, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('what needs a subscription', () => {
  const accessOfCaller = ({ db, clock, actor }: Ctx) =>
    accessOf(db.system, actor.accountId, actor.merchantId, clock.now())
  const open = { hasAccess: true, mayConnect: true }
  const shut = { hasAccess: false, mayConnect: false }

  test('is open during the trial and shut without one and after it', async () => {
    expect(await accessOfCaller(ctx)).toEqual({ hasAccess: false, mayConnect: true })
    await startTrial(ctx, growth)
    expect(await accessOfCaller(ctx)).toEqual(open)
    expect(await accessOfCaller(inDays(ctx, 15))).toEqual(shut)
  })

  test('is open to those whom a subscriber invited, for that merchant only', async () => {
    const viewer = await addAccount(services)
    const merchantId = await merchantOf(ctx.actor.accountId, viewer)
    await startTrial(await callerOf(services, ctx.actor.accountId), growth)
    const asViewer = await callerOf(services, viewer, [])
    const working = { ...asViewer, actor: { ...asViewer.actor, merchantId } }
    expect(await accessOfCaller(working)).toEqual(open)
    expect(await accessOfCaller(asViewer)).toMatchObject({ hasAccess: false })
  })
})
