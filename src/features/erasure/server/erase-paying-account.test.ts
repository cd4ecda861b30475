import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { billingJobs } from '#features/billing/server/jobs.ts'
import { applyEvents } from '#features/billing/server/events/apply-events.job.ts'
import { storeEvent } from '#features/billing/server/events/receive-event.ts'
import { customerOf } from '#features/subscription/server/public.ts'
import { notificationsJobs } from '#features/notifications/server/jobs.ts'
import { mailJobs } from '#server/mail/outbox.ts'
import { addAccount } from '../../../../tests/support/people.ts'
import { billingScene } from '../../../../tests/support/billing-scene.ts'
import { eraseAccount, eraseAccounts } from './erase-accounts.job.ts'

const scene = billingScene({ jobs: [...billingJobs, ...notificationsJobs, ...mailJobs] })
const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const work = () => eraseAccounts.run(scene.services, {}, job)
const rowsOf = async <T>(statement: ReturnType<typeof sql<T>>) =>
  (await statement.execute(scene.services.db.system)).rows

const isDue = (accountId: number) =>
  rowsOf(sql`update account set erase_at = now() - interval '1 minute' where id = ${accountId}`)

/** A subscriber whose seven days are over, with an invoice that their card has not paid. */
async function leaver() {
  const subscriber = await scene.addSubscriber()
  const { customer, ctx } = subscriber
  const { accountId } = ctx.actor
  await scene
    .addMethod(customer, 'pm_card_chargeCustomerFail')
    .then(card =>
      scene.stripe(client => client.customers.update(customer, { invoice_settings: { default_payment_method: card } })),
    )
  const invoice = await scene.stripe(client => client.invoices.create({ customer, auto_advance: false }))
  await scene.stripe(client =>
    client.invoiceItems.create({ customer, invoice: invoice.id, amount: 500, currency: 'usd', description: 'Extra' }),
  )
  await scene.stripe(client => client.invoices.finalizeInvoice(invoice.id))
  await isDue(accountId)
  return { ...subscriber, accountId, invoiceId: invoice.id }
}
const hear = async (type: string, object: 'invoice' | 'customer' | 'subscription', id: string, customerId: string) => {
  const { services } = scene
  const event = { id: `evt_${type}_${id}`, type, livemode: false, happenedAt: new Date(), objectId: id, customerId }
  await services.db.transaction(tx => storeEvent(services, tx, event))
  await applyEvents.run(services, { object, id }, job)
  return rowsOf<{ failure: string | null; isApplied: boolean }>(
    sql`select failure, applied_at is not null as "isApplied" from payment_event where id = ${event.id}`,
  )
}
const mirrored = (accountId: number) => rowsOf(sql`select * from invoice where account_id = ${accountId} order by id`)
const accepted = [{ failure: null, isApplied: true }]

test('with the account its subscription and customer end at the provider, whose later events change nothing', async () => {
  const { accountId, customer, subscription, invoiceId } = await leaver()
  await hear('invoice.created', 'invoice', invoiceId, customer)
  const before = await mirrored(accountId)
  expect(before).toHaveLength(2)
  await eraseAccount(scene.services, accountId, job.signal)
  expect(await rowsOf(sql`select id from account where id = ${accountId}`)).toEqual([])
  expect(await scene.stripe(client => client.subscriptions.retrieve(subscription))).toMatchObject({
    status: 'canceled',
  })
  expect(await scene.stripe(client => client.customers.retrieve(customer))).toMatchObject({ deleted: true })
  // What is owed stays so, at the provider; here too, as it was last known.
  expect(await scene.stripe(client => client.invoices.retrieve(invoiceId))).toMatchObject({ status: 'open' })
  await scene.stripe(client => client.invoices.voidInvoice(invoiceId))
  expect(await hear('invoice.voided', 'invoice', invoiceId, customer)).toEqual(accepted)
  expect(await hear('customer.deleted', 'customer', customer, customer)).toEqual(accepted)
  expect(await hear('customer.subscription.deleted', 'subscription', subscription, customer)).toEqual(accepted)
  expect(await mirrored(accountId)).toEqual(before)
  expect(await rowsOf(sql`select id from notification where account_id = ${accountId}`)).toEqual([])
  expect(await rowsOf(sql`select account_id from subscription where account_id = ${accountId}`)).toEqual([])
})

test('an account whose provider cannot be reached waits, keeps no other waiting, and gets no new customer meanwhile', async () => {
  const { accountId, customer, subscription } = await leaver()
  const otherId = await addAccount(scene.services)
  await isDue(otherId)
  scene.sandbox.world.faults.add({
    match: { vendor: 'stripe', method: 'DELETE', path: `/v1/customers/${customer}` },
    kind: 'status',
    status: 503,
    times: 20,
  })
  await work()
  const left = () => rowsOf(sql`select id, status from account where id in (${accountId}, ${otherId})`)
  expect(await left()).toEqual([{ id: accountId, status: 'ERASED' }])
  expect(await hear('customer.subscription.deleted', 'subscription', subscription, customer)).toEqual(accepted)
  scene.sandbox.world.faults.clear()
  // Deleted in the provider's own pages, and heard of before the next run.
  await scene.stripe(client => client.customers.del(customer))
  expect(await hear('customer.deleted', 'customer', customer, customer)).toEqual(accepted)
  await work()
  expect(await left()).toEqual([])
  const { data } = await scene.stripe(client => client.customers.list({ limit: 100 }))
  expect(data.filter(one => one.metadata.accountId === String(accountId))).toEqual([])
  await expect(customerOf(scene.services, accountId)).rejects.toThrow()
})
