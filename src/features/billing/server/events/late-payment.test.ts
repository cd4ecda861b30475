import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notificationsJobs } from '#features/notifications/server/jobs.ts'
import { mailJobs } from '#server/mail/outbox.ts'
import { accessOf, addAccount, callerOf } from '../../../../../tests/support/people.ts'
import { receivePaymentEvents, servicesWithOutside } from '../../../../../tests/support/outside.ts'
import { payingCustomer, stripeOf } from '../../../../../tests/support/paid-life.ts'
import { billingJobs } from '../jobs.ts'
import { billingRoutes } from '../routes.ts'
import { announceFirstCharges, paymentProblem } from './dunning.ts'
import { fetchMissedEvents, rereadPayments } from './fetch-missed.job.ts'

// With the provider's own deliveries over HTTP, and with its faults: one is lost, one comes twice, one is signed by a stranger.

const patient = { timeout: 60_000, interval: 200 }
const dayMs = 86_400_000
let outside: Awaited<ReturnType<typeof servicesWithOutside>>
let receiver: Awaited<ReturnType<typeof receivePaymentEvents>>
let accountId = 0

beforeAll(async () => {
  outside = await servicesWithOutside({
    startsAt: new Date('2026-03-01T12:00:00Z'),
    followClock: true,
    jobs: [...billingJobs, ...notificationsJobs, ...mailJobs],
  })
  accountId = await addAccount(outside.services)
  await outside.services.jobs.work(outside.services)
  receiver = await receivePaymentEvents(outside, billingRoutes)
})
afterAll(async () => {
  await receiver.close()
  await outside.services.close()
})

async function control(path: string, body: object): Promise<void> {
  const answer = await outside.sandbox.control('POST', path, body)
  if (!answer.ok) throw new Error(await answer.text())
}
const advance = (duration: string) => control('clock', { advance: duration })
const fault = (type: string, kind: string) =>
  control('faults', { match: { vendor: 'stripe-webhooks', path: `/${type}` }, kind, times: 1 })

async function notifications(kind: string) {
  const { rows } = await sql<{ title: string; isSettled: boolean; isMailed: boolean }>`
    select title, settled_at is not null as "isSettled", mail_at is null as "isMailed" from notification
    where account_id = ${accountId} and merchant_id is null and kind = ${kind} order by id`.execute(
    outside.services.db.system,
  )
  return rows
}
/** Of all mails so far; those that are due together are one. */
const mailCount = async (): Promise<number> => {
  const mails = await outside.services.db.system.selectFrom('mail_outbox').select('id').execute()
  return mails.length
}
const access = async (later = 0) => {
  const { db, clock } = outside.services
  return (await accessOf(db.system, accountId, null, new Date(clock.now().getTime() + later))).hasAccess
}
const problem = async () => (await paymentProblem(await callerOf(outside.services, accountId))).problem

test('a failed payment reminds once, leaves seven days, and the payment ends it all', async () => {
  const { services, sandbox } = outside
  const stripe = stripeOf(sandbox.url)
  const { system } = services.db
  const { price, customer, metadata, useCard } = await payingCustomer(services, stripe, accountId)
  await useCard('pm_card_visa')
  await stripe.subscriptions.create({ customer, items: [{ price }], trial_period_days: 7, metadata })
  await expect.poll(() => access(), patient).toBe(true)
  expect(await notifications('TRIAL_ENDING')).toEqual([])
  await advance('P5D')
  await services.jobs.send(system, announceFirstCharges, {})
  await services.jobs.send(system, announceFirstCharges, {})
  const ending = { title: 'Your trial ends on March 8', isSettled: false, isMailed: true }
  await expect.poll(() => notifications('TRIAL_ENDING'), patient).toEqual([ending])
  expect(await mailCount()).toBe(1)
  await advance('P2D')
  await advance('PT2H')
  await expect.poll(() => notifications('INVOICE_READY'), patient).toHaveLength(1)
  expect(await problem()).toBeNull()

  await useCard('pm_card_chargeCustomerFail')
  await fault('invoice.payment_failed', 'duplicate-delivery')
  await fault('customer.subscription.updated', 'drop-before')
  await fault('invoice.finalized', 'bad-signature')
  await advance('P31D')
  await advance('PT2H')
  await expect.poll(() => problem(), patient).toMatchObject({ amountDue: 99, accessUntil: expect.any(String) })
  await expect
    .poll(() => notifications('PAYMENT_PROBLEM'), patient)
    .toEqual([{ title: 'Your payment of $99.00 failed', isSettled: false, isMailed: true }])
  const isMailed = async () => (await notifications('INVOICE_READY')).map(one => one.isMailed)
  await expect.poll(isMailed, patient).toEqual([true, true])
  const mails = await mailCount()
  expect([await access(), await access(6.5 * dayMs), await access(8 * dayMs)]).toEqual([true, true, false])
  // A retry fails too, and everything is listed again: that is no new reason to write.
  await advance('P3DT1H')
  await services.jobs.send(system, fetchMissedEvents, {})
  const retried = async () => (await stripe.invoices.list({ customer, status: 'open' })).data[0]?.attempt_count
  const mirroredAttempts = async () => {
    const open = system.selectFrom('invoice').select('attempt_count as count').where('status', '=', 'open')
    return (await open.executeTakeFirst())?.count
  }
  expect(await retried()).toBe(2)
  await expect.poll(mirroredAttempts, patient).toBe(2)
  expect(await notifications('PAYMENT_PROBLEM')).toHaveLength(1)
  expect(await mailCount()).toBe(mails)

  await useCard('pm_card_visa')
  const [open] = (await stripe.invoices.list({ customer, status: 'open' })).data
  await stripe.invoices.pay(open?.id ?? '')
  await expect.poll(() => problem(), patient).toBeNull()
  await expect.poll(() => notifications('PAYMENT_PROBLEM'), patient).toMatchObject([{ isSettled: true }])
  await expect.poll(() => access(8 * dayMs), patient).toBe(true)

  // Every night what is live is read again, whatever became of its events.
  await system.updateTable('subscription').set({ status: 'unpaid' }).where('account_id', '=', accountId).execute()
  expect(await access()).toBe(false)
  await services.jobs.send(system, rereadPayments, {})
  await expect.poll(() => access(), patient).toBe(true)

  // What was lost or signed by a stranger was fetched or sent again, and everything was applied.
  await services.jobs.send(system, fetchMissedEvents, {})
  const listed = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1000 })
  const applied = () => system.selectFrom('payment_event').select('id').where('applied_at', 'is not', null).execute()
  const unapplied = async () => {
    const done = new Set((await applied()).map(({ id }) => id))
    return listed.filter(({ id }) => !done.has(id)).map(({ type }) => type)
  }
  await expect.poll(unapplied, patient).toEqual([])
  const mirrored = await system.selectFrom('invoice').select('status').where('account_id', '=', accountId).execute()
  expect(mirrored).toEqual([{ status: 'paid' }, { status: 'paid' }, { status: 'paid' }])
})
