import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { customerOf, storedSubscription } from '#features/subscription/server/public.ts'
import { notificationsJobs } from '#features/notifications/server/jobs.ts'
import { mailJobs } from '#server/mail/outbox.ts'
import { billingScene } from '../../../../../tests/support/billing-scene.ts'
import { addCard, listCards } from '../bills/cards.ts'
import { getInvoice, listInvoices, pdfUrl } from '../bills/invoices.ts'
import { billingJobs } from '../jobs.ts'
import { applyEvents } from './apply-events.job.ts'
import { waitingDisputes } from './disputes.ts'
import { rereadPayments } from './fetch-missed.job.ts'

const scene = billingScene({ jobs: [...billingJobs, ...notificationsJobs, ...mailJobs] })
beforeAll(() => {
  scene.services.config = { ...scene.services.config, OPERATOR_MAIL: 'operator@tideline.test' }
})

const run = { id: 'test', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const apply = (object: 'customer' | 'dispute', id: string) => applyEvents.run(scene.services, { object, id }, run)

test('a customer who was deleted at the provider is made again, without the subscription and the cards', async () => {
  const { ctx, customer, subscription } = await scene.addSubscriber()
  const { system } = scene.services.db
  await scene.stripe(client => client.customers.del(customer))
  // Before the event arrives, too.
  expect(await listCards(ctx)).toMatchObject({ cards: [], isCardNeeded: false })
  await apply('customer', customer)
  await apply('customer', customer)
  const stored = await storedSubscription(system, ctx.actor.accountId)
  expect(stored).toMatchObject({ status: 'canceled', stripeSubscriptionId: subscription })
  const fresh = await customerOf(scene.services, ctx.actor.accountId)
  const { data } = await scene.stripe(client => client.customers.list({ limit: 100 }))
  const own = data.filter(one => one.metadata.accountId === String(ctx.actor.accountId))
  expect([fresh === customer, own.map(({ id }) => id)]).toEqual([false, [fresh]])
  expect((await addCard(ctx)).url).toContain('/stripe/checkout/')
  // What was paid before stays the account's.
  const [paid] = (await listInvoices(ctx, { page: 0, size: 10 })).content
  expect(await getInvoice(ctx, paid?.id ?? '')).toMatchObject({ status: 'paid', total: 99 })
  expect((await pdfUrl(ctx, paid?.id ?? '')).url).toMatch(/\/pdf$/)
})

test('a disputed payment is noted, its owner is notified once, and operators see it until the bank has decided', async () => {
  const { ctx, customer } = await scene.addSubscriber('pm_card_createDispute')
  const { system } = scene.services.db
  const [dispute] = (await scene.stripe(client => client.disputes.list({}))).data
  const id = dispute?.id ?? ''
  const notifications = async () =>
    (
      await sql<{ title: string; isSettled: boolean }>`select title, settled_at is not null as "isSettled"
        from notification where account_id = ${ctx.actor.accountId} and kind = 'PAYMENT_PROBLEM'`.execute(system)
    ).rows
  await Promise.all([apply('dispute', id), apply('dispute', id)])
  const title = 'Your bank disputes your payment of $99.00'
  expect(await notifications()).toEqual([{ title, isSettled: false }])
  const [invoice] = (await scene.stripe(client => client.invoices.list({ customer }))).data
  const noted = () => system.selectFrom('payment_dispute').selectAll().where('id', '=', id).execute()
  expect(await noted()).toMatchObject([{ invoice_id: invoice?.id, status: 'needs_response', closed_at: null }])
  expect(await waitingDisputes(system)).toBe(1)
  await scene.stripe(client => client.disputes.close(id))
  await apply('dispute', id)
  expect(await notifications()).toEqual([{ title, isSettled: true }])
  expect(await noted()).toMatchObject([{ status: 'lost', closed_at: expect.any(Date) }])
  expect(await waitingDisputes(system)).toBe(0)
  const mails = await system
    .selectFrom('mail_outbox')
    .select('subject')
    .where('to_address', '=', 'operator@tideline.test')
    .orderBy('id')
    .execute()
  const account = ctx.actor.accountId
  expect(mails.map(({ subject }) => subject)).toEqual([
    `Dispute of $99.00 by account ${account}: needs_response`,
    `Dispute of $99.00 by account ${account}: lost`,
  ])
})

test('events are deleted after 90 days, unless they could not be applied', async () => {
  const { system } = scene.services.db
  await sql`insert into payment_event (id, type, object_id, happened_at, received_at, applied_at)
    select name, 'invoice.paid', 'in_old', now() - make_interval(days => happened), now() - make_interval(days => received),
      case when is_applied then now() end
    from (values ('old', 91, 91, true), ('waiting', 91, 91, false), ('young', 89, 89, true), ('late', 91, 1, true))
      as e (name, happened, received, is_applied)`.execute(system)
  await rereadPayments.run(scene.services, {}, run)
  const rows = await system.selectFrom('payment_event').select('id').where('object_id', '=', 'in_old').execute()
  expect(rows.map(({ id }) => id).sort()).toEqual(['late', 'waiting', 'young'])
})
