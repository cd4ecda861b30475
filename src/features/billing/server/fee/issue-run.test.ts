import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { billingJobs } from '../jobs.ts'
import { type Subscriber, billingScene } from '../../../../../tests/support/billing-scene.ts'
import { differingDrafts, issueRun, lateRuns } from './issue-run.ts'

const scene = billingScene({ jobs: billingJobs })

/** A frozen month of 12.34 dollars, in one line; its invoice has to add up to `invoiceCents`. */
async function freeze({ ctx }: Subscriber, invoiceCents = 1234): Promise<number> {
  const { system } = scene.services.db
  const { rows } = await sql<{ id: number }>`insert into billing_run (account_id, period, revision, state,
      included_micro_days, fee_cents, invoice_cents, frozen_at)
    values (${ctx.actor.accountId}, '2026-10-01', 0, 'ISSUING', 0, 1234, ${invoiceCents}, now() - interval '4 hours')
    returning id`.execute(system)
  const id = rows[0]?.id ?? 0
  await sql`insert into billing_line (run_id, position, of_merchant, profile_id, account_name, country_code, currency,
      from_day, to_day, plan_id, minimum_taxable_micros, basis_points, spend_micros, rate_day, own_rate, usd_rate, fee_cents)
    values (${id}, 1, 1, 1, 'Harbour', 'US', 'USD', '2026-10-01', '2026-10-31', 2, 0, 250, 493600000, '2026-11-04',
      100000000, 100000000, 1234)`.execute(system)
  return id
}
const invoiceOf = async (id: string | null) => scene.stripe(client => client.invoices.retrieve(id ?? ''))

test('the fee is charged to the card of the subscription where the customer has none of its own', async () => {
  const subscriber = await scene.addSubscriber()
  const customer = await scene.stripe(client => client.customers.retrieve(subscriber.customer))
  expect(customer).toMatchObject({ invoice_settings: { default_payment_method: null } })
  const id = await issueRun(scene.services, await freeze(subscriber))
  expect(await invoiceOf(id)).toMatchObject({ default_payment_method: subscriber.card, total: 1234 })
  expect((await scene.sandbox.control('POST', 'clock', { advance: 'PT2H' })).ok).toBe(true)
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amount_paid: 1234 })
})

test('the fee goes to the card that the customer pays everything else with', async () => {
  const subscriber = await scene.addSubscriber()
  const other = await scene.addMethod(subscriber.customer, 'pm_card_mastercard')
  await scene.stripe(client =>
    client.customers.update(subscriber.customer, { invoice_settings: { default_payment_method: other } }),
  )
  const id = await issueRun(scene.services, await freeze(subscriber))
  await scene.sandbox.control('POST', 'clock', { advance: 'PT2H' })
  const { data } = await scene.stripe(client => client.charges.list({ customer: subscriber.customer }))
  expect(data.find(({ amount }) => amount === 1234)).toMatchObject({ payment_method: other, paid: true })
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid' })
})

test('a customer who was deleted meanwhile is made again, and gets the invoice to pay by its page', async () => {
  const subscriber = await scene.addSubscriber()
  const run = await freeze(subscriber)
  await sql`update billing_run set customer_id = ${subscriber.customer} where id = ${run}`.execute(
    scene.services.db.system,
  )
  await scene.stripe(client => client.customers.del(subscriber.customer))
  const invoice = await invoiceOf(await issueRun(scene.services, run))
  expect(invoice).toMatchObject({ status: 'open', total: 1234, collection_method: 'send_invoice' })
  expect(invoice.customer).not.toBe(subscriber.customer)
})

test('a draft that does not add up is not finalized, and operators see it', async () => {
  const { system } = scene.services.db
  const subscriber = await scene.addSubscriber()
  expect([await differingDrafts(system), await lateRuns(system)]).toEqual([0, 0])
  const run = await freeze(subscriber, 1300)
  await expect(issueRun(scene.services, run)).rejects.toThrow('adds up to 1234 instead of 1300')
  expect([await differingDrafts(system), await lateRuns(system)]).toEqual([1, 1])
  const [draft] = (await scene.stripe(client => client.invoices.list({ customer: subscriber.customer }))).data
  expect(draft).toMatchObject({ status: 'draft', total: 1234 })
  // An operator has put the run right.
  await sql`update billing_run set invoice_cents = 1234 where id = ${run}`.execute(system)
  expect(await issueRun(scene.services, run)).toBe(draft?.id)
  expect([await differingDrafts(system), await lateRuns(system)]).toEqual([0, 0])
})
