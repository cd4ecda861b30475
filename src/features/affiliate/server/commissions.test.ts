import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleInvoice } from '#features/billing/server/public.ts'
import { jobs, reactions } from '../../../main/api.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { earnsUntil } from '../rules.ts'
import { earnCommission, payOut, repairAffiliates, reverseReturned } from './commissions.ts'
import { getAffiliate } from './get-affiliate.ts'
import { noteReferral } from './referrals.ts'

let opened: Awaited<ReturnType<typeof servicesWithOutside>>
let services: (typeof opened)['services']
let people = 0
beforeAll(async () => {
  opened = await servicesWithOutside({ scenario: 'new-seller', jobs, reactions })
  services = { ...opened.services, clock: opened.sandbox.world.clock }
})
afterAll(() => services.close())

const run = { id: 'test', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const system = () => services.db.system

/** An affiliate, and somebody who registered with the affiliate's code. */
async function addPair() {
  people += 1
  const email = `affiliate${people}@people.test`
  const affiliateId = await addAccount(services, email)
  const ctx = await callerOf(services, affiliateId)
  const { code } = await getAffiliate(ctx)
  const referredId = await addAccount(services, `referred${people}@people.test`)
  const data = { accountId: referredId, affiliateCode: code }
  await noteReferral.run(services, data, run)
  await noteReferral.run(services, data, run)
  return { affiliateId, referredId, email, own: () => getAffiliate(ctx) }
}

/** Moves the clock of the provider, which is the product's here. */
async function pass(days: number): Promise<void> {
  const answer = await opened.sandbox.control('POST', 'clock', { advance: `P${days}D` })
  expect(answer.status).toBe(200)
}

/** A customer of the provider who pays 29 dollars a month; answers a function that settles the paid invoices, the oldest first. */
async function subscribe(accountId: number) {
  const { payments } = services.integrations
  const subscription = await payments.write('test', `subscribe-${accountId}`, async stripe => {
    const customer = await stripe.customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    await system().updateTable('account').set({ stripe_customer_id: customer.id }).where('id', '=', accountId).execute()
    const price = await stripe.prices.create({
      product_data: { name: 'Starter' },
      currency: 'usd',
      unit_amount: 2900,
      recurring: { interval: 'month' },
    })
    return stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
  })
  return async (): Promise<string[]> => {
    const { data } = await payments.read('test', stripe =>
      stripe.invoices.list({ subscription: subscription.id, status: 'paid', limit: 100 }),
    )
    const ids = data.map(one => one.id).reverse()
    for (const id of ids) await settleInvoice(services, id)
    return ids
  }
}

/** Runs the jobs that the signal of paid invoices has queued; answers their invoices. */
async function runQueued(): Promise<string[]> {
  const { rows } = await sql<{ data: { accountId: number; invoiceId: string } }>`
    delete from jobs.job where name = 'earn-commission' returning data`.execute(system())
  for (const { data } of rows) await earnCommission.run(services, data, run)
  return rows.map(({ data }) => data.invoiceId)
}

async function refund(invoiceId: string, amount?: number): Promise<void> {
  const { payments } = services.integrations
  await payments.write('test', `refund-${invoiceId}-${amount}`, async stripe => {
    const [paid] = (await stripe.invoicePayments.list({ invoice: invoiceId })).data
    const payment_intent = paid?.payment.payment_intent as string
    await stripe.refunds.create({ payment_intent, ...(amount !== undefined && { amount }) })
  })
}

test('an invoice earns a fifth once, is payable after thirty days, and is reversed when it is refunded', async () => {
  const { referredId, affiliateId, email, own } = await addPair()
  const settlePaid = await subscribe(referredId)
  const [first = ''] = await settlePaid()
  await settlePaid()
  expect(await runQueued()).toEqual([first])
  await earnCommission.run(services, { accountId: referredId, invoiceId: first }, run)
  expect(await own()).toMatchObject({
    commissionCount: 1,
    commissions: [{ name: 'r•••@p•••.test', state: 'PENDING', amount: 5.8, currency: 'USD', paidOutDate: null }],
    totals: [{ currency: 'USD', pending: 5.8, payable: 0, paid: 0 }],
  })
  expect(await payOut(services, email)).toEqual([])

  await pass(33)
  const [, second = ''] = await settlePaid()
  expect(await runQueued()).toEqual([second])
  expect((await own()).totals).toEqual([{ currency: 'USD', pending: 5.8, payable: 5.8, paid: 0 }])
  const payouts = await Promise.all([payOut(services, email), payOut(services, ` ${email.toUpperCase()}`)])
  expect(payouts.flat()).toEqual([{ currency: 'USD', amount: 580, commissions: 1 }])
  expect((await own()).totals).toEqual([{ currency: 'USD', pending: 5.8, payable: 0, paid: 5.8 }])

  // A part of it stays paid; all of it was already paid out, and is set off against the next payout.
  await refund(first, 100)
  await reverseReturned.run(services, {}, run)
  expect((await own()).commissions.map(one => one.state)).toEqual(['PENDING', 'PAID'])
  await refund(first)
  await reverseReturned.run(services, {}, run)
  expect(await own()).toMatchObject({
    commissions: [{ state: 'PENDING' }, { state: 'REVERSED' }],
    totals: [{ pending: 5.8, payable: -5.8 }],
  })
  await pass(62)
  const later = await settlePaid()
  await runQueued()
  expect(later).toHaveLength(4)
  // The second, payable and not yet checked this night, is refunded: a payout looks for itself.
  await refund(second)
  expect(await payOut(services, email)).toEqual([])
  expect((await own()).totals).toEqual([{ currency: 'USD', pending: 5.8, payable: 0, paid: 5.8 }])
  await pass(31)
  expect(await payOut(services, email)).toEqual([{ currency: 'USD', amount: 580, commissions: 2 }])
  expect((await own()).totals).toEqual([{ currency: 'USD', pending: 0, payable: 0, paid: 11.6 }])
  const rows = await system()
    .selectFrom('affiliate_commission')
    .select('invoice_id')
    .where('affiliate_account_id', '=', affiliateId)
    .execute()
  expect(rows).toHaveLength(4)
  await expect(payOut(services, 'nobody@people.test')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('what a lost job did not note is repaired at night: the referral since it was made, the commission once', async () => {
  const affiliateId = await addAccount(services, 'repaired@people.test')
  const ctx = await callerOf(services, affiliateId)
  const { code } = await getAffiliate(ctx)
  const referredId = await addAccount(services, 'lost@people.test')
  const sameMailbox = await addAccount(services, 'repaired+2@people.test')
  const registeredAt = new Date(services.clock.now().getTime() - 3 * 86_400_000)
  await sql`update account set affiliate_code = ${code}, created_at = ${registeredAt}
    where id in (${referredId}, ${sameMailbox})`.execute(system())
  const [invoice = ''] = await (await subscribe(referredId))()
  await sql`delete from jobs.job where name = 'earn-commission'`.execute(system())
  for (let night = 0; night < 2; night++) await repairAffiliates.run(services, {}, run)
  expect(await getAffiliate(ctx)).toMatchObject({
    referrals: [{ registeredDate: registeredAt.toISOString() }],
    commissions: [{ amount: 5.8, state: 'PENDING' }],
  })
  const rows = await system()
    .selectFrom('affiliate_commission')
    .select('invoice_id')
    .where('affiliate_account_id', '=', affiliateId)
    .execute()
  expect(rows).toEqual([{ invoice_id: invoice }])
})

test('only invoices of the plan earn, for twelve months from the first, in whichever order they come', async () => {
  const { affiliateId, referredId, own } = await addPair()
  const start = new Date('2026-01-31T10:00:00Z')
  const invoiceOf = async (id: string, accountId: number, paidAt: Date, more: object = {}) => {
    await system()
      .insertInto('invoice')
      .values({
        id,
        account_id: accountId,
        status: 'paid',
        kind: 'PLAN',
        currency: 'USD',
        total: 2999,
        amount_due: 2999,
        amount_paid: 2999,
        issued_at: paidAt,
        paid_at: paidAt,
        attempt_count: 1,
        lines: '[]',
        read_at: paidAt,
        ...more,
      })
      .execute()
    await earnCommission.run(services, { accountId, invoiceId: id }, run)
  }
  const end = earnsUntil(start)
  await invoiceOf('late', referredId, new Date(end.getTime() - 1))
  await invoiceOf('first', referredId, start)
  await invoiceOf('over', referredId, end)
  await invoiceOf('fee', referredId, start, { kind: 'AD_SPEND' })
  await invoiceOf('trial', referredId, start, { amount_paid: 0, total: 0 })
  await invoiceOf('owed', referredId, start, { status: 'open', paid_at: null })
  await invoiceOf('own', affiliateId, start)
  const earned = await system()
    .selectFrom('affiliate_commission')
    .select(['invoice_id', 'base_amount', 'amount'])
    .where('affiliate_account_id', '=', affiliateId)
    .orderBy('invoice_paid_at')
    .execute()
  expect(earned).toEqual([
    { invoice_id: 'first', base_amount: 2999, amount: 600 },
    { invoice_id: 'late', base_amount: 2999, amount: 600 },
  ])
  expect((await own()).referrals).toMatchObject([
    { firstPaidDate: start.toISOString(), earnsUntilDate: '2027-01-31T10:00:00.000Z' },
  ])
})
