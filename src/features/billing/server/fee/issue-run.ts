import { sql } from 'kysely'
import { customerOf } from '#features/subscription/server/public.ts'
import { findOrCreate, type Stripe } from '#integrations/stripe/index.ts'
import type { Services } from '#server/context.ts'
import { createLease, type Lease } from '#server/db/lease.ts'
import type { Db } from '#server/db/tables.ts'
import { addDays } from '#shared/time.ts'
import { settleInvoice } from '../events/settle-invoice.ts'
import { type FeeItem, itemsOfRun } from './invoice-items.ts'

const leaseSeconds = 90
/** How long an invoice may be paid that is collected by its page. */
const dueDays = 14
const daySeconds = 86_400

/**
 * Makes the invoice of a frozen run and finalizes it: at most one, whatever was lost and however often this is called. What
 * an earlier attempt made is looked for by the run's id, also after the provider forgot its idempotency keys. Answers the
 * invoice's id; null if another worker is making it, or it was made. Rejects with an upstream error if the provider cannot
 * be reached; a later call continues.
 */
export async function issueRun(services: Services, runId: number): Promise<string | null> {
  const { db, clock, log } = services
  const lease = createLease({
    table: 'billing_run',
    key: { id: runId },
    until: 'leased_until',
    holder: 'holder',
    seconds: leaseSeconds,
    transact: run => db.transaction(run),
  })
  if (!(await lease.take(sql`state = 'ISSUING'`))) return null
  try {
    const invoice = await makeInvoice(services, await readRun(services, lease, runId), lease)
    const values = {
      state: 'INVOICED' as const,
      invoice_id: invoice.id,
      invoiced_at: clock.now(),
      draft_differs: false,
    }
    await lease.write(tx => tx.updateTable('billing_run').set(values).where(lease.isHeld()).execute())
    // Its events say the same later.
    await settleInvoice(services, invoice.id).catch((error: unknown) =>
      log.warn({ err: error, invoice: invoice.id }, 'the invoice of a billing run was not read'),
    )
    return invoice.id
  } finally {
    await lease.release()
  }
}

/** How many drafts at the provider do not add up to their billing run, so that nobody is charged before an operator looks. */
export async function differingDrafts(system: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from billing_run
    where state = 'ISSUING' and draft_differs`.execute(system)
  return rows[0]?.count ?? 0
}

const lateHours = 3

/** How many frozen months should have had their invoice for three hours. */
export async function lateRuns(system: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from billing_run
    where state = 'ISSUING' and frozen_at < now() - make_interval(hours => ${lateHours})`.execute(system)
  return rows[0]?.count ?? 0
}

interface Run {
  id: number
  accountId: number
  customer: string
  period: string
  cents: number
  /** What the provider's idempotency keys begin with. The moment tells runs of other databases apart. */
  key: string
  items: FeeItem[]
}

/** The run, with the customer whom it charges: noted before the first call, so that the look for its invoice finds it. */
async function readRun(services: Services, lease: Lease, runId: number): Promise<Run> {
  const { db } = services
  const row = await db.system
    .selectFrom('billing_run')
    .select(['account_id as accountId', 'period', 'invoice_cents as cents', 'customer_id', 'frozen_at as frozenAt'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  // Another one only if the former was deleted.
  const customer = await customerOf(services, row.accountId)
  if (row.customer_id !== customer)
    await lease.write(tx =>
      tx.updateTable('billing_run').set({ customer_id: customer }).where(lease.isHeld()).execute(),
    )
  const { accountId, period, cents, frozenAt } = row
  const key = `billing-run-${runId}-${frozenAt.getTime()}-${customer}`
  return { id: runId, accountId, customer, period, cents: cents ?? 0, key, items: await itemsOfRun(db.system, runId) }
}

async function makeInvoice({ integrations, clock }: Services, run: Run, lease: Lease): Promise<Stripe.Invoice> {
  const { payments } = integrations
  const metadata = { kind: 'AD_SPEND', accountId: String(run.accountId), runId: String(run.id), period: run.period }
  const draft = await findOrCreate(payments, {
    operation: 'create ad spend invoice',
    key: `${run.key}-invoice`,
    find: async () => {
      const all = await payments.read('find ad spend invoice', stripe =>
        stripe.invoices.list({ customer: run.customer, limit: 100 }).autoPagingToArray({ limit: 10_000 }),
      )
      return all.find(one => one.metadata?.['runId'] === metadata.runId) ?? null
    },
    create: async (stripe, once) => {
      await lease.ensure()
      const invoice = { customer: run.customer, currency: 'usd', auto_advance: false, metadata }
      return stripe.invoices.create({ ...invoice, pending_invoice_items_behavior: 'exclude' }, once)
    },
  })
  if (draft.status !== 'draft') return draft
  await addItems({ integrations }, run, draft, lease)
  await chooseCollection({ integrations, clock }, run, draft, lease)
  const full = await payments.read('read ad spend invoice', stripe => stripe.invoices.retrieve(draft.id))
  if (full.status !== 'draft') return full
  if (full.total !== run.cents || full.currency !== 'usd') {
    await lease.write(tx => tx.updateTable('billing_run').set({ draft_differs: true }).where(lease.isHeld()).execute())
    throw new Error(`The draft ${draft.id} of billing run ${run.id} adds up to ${full.total} instead of ${run.cents}.`)
  }
  return findOrCreate(payments, {
    operation: 'finalize ad spend invoice',
    key: `${run.key}-finalize`,
    find: async () => {
      const invoice = await payments.read('read ad spend invoice', stripe => stripe.invoices.retrieve(draft.id))
      return invoice.status === 'draft' ? null : invoice
    },
    create: async (stripe, once) => {
      await lease.ensure()
      return stripe.invoices.finalizeInvoice(draft.id, { auto_advance: true }, once)
    },
  })
}

async function addItems(
  { integrations }: Pick<Services, 'integrations'>,
  run: Run,
  draft: Stripe.Invoice,
  lease: Lease,
) {
  const { payments } = integrations
  const list = () =>
    payments.read('find ad spend items', stripe =>
      stripe.invoiceItems.list({ invoice: draft.id, limit: 100 }).autoPagingToArray({ limit: 1000 }),
    )
  const isOf = (item: FeeItem) => (one: Stripe.InvoiceItem) => one.metadata?.['item'] === item.id
  const existing = await list()
  for (const item of run.items) {
    if (existing.some(isOf(item))) continue
    let isFirst = true
    await findOrCreate(payments, {
      operation: 'create ad spend item',
      key: `${run.key}-item-${item.id}`,
      // Listed once for all; again only after an unclear answer.
      find: async () => {
        if (!isFirst) return (await list()).find(isOf(item)) ?? null
        isFirst = false
        return null
      },
      create: async (stripe, once) => {
        await lease.ensure()
        const { from, to, cents, description, figures } = item
        return stripe.invoiceItems.create(
          {
            customer: run.customer,
            invoice: draft.id,
            currency: 'usd',
            amount: cents,
            description,
            period: { start: secondsOf(from), end: secondsOf(addDays(to, 1)) - 1 },
            metadata: {
              ...figures,
              kind: 'AD_SPEND',
              accountId: String(run.accountId),
              runId: String(run.id),
              item: item.id,
            },
          },
          once,
        )
      },
    })
  }
}

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

/** Charges the card of the subscription where the customer has no other; without any card the invoice is paid by its page. */
async function chooseCollection(
  { integrations, clock }: Pick<Services, 'integrations' | 'clock'>,
  run: Run,
  draft: Stripe.Invoice,
  lease: Lease,
): Promise<void> {
  const { payments } = integrations
  const customer = await payments.read('read customer', stripe => stripe.customers.retrieve(run.customer))
  if (!customer.deleted && customer.invoice_settings.default_payment_method) return
  const { data } = await payments.read('find subscriptions', stripe =>
    stripe.subscriptions.list({ customer: run.customer, limit: 100 }),
  )
  const method = data.map(one => idOf(one.default_payment_method)).find(id => id !== null)
  if (method ? idOf(draft.default_payment_method) === method : draft.collection_method === 'send_invoice') return
  const changes = method
    ? { default_payment_method: method }
    : {
        collection_method: 'send_invoice' as const,
        due_date: Math.floor(clock.now().getTime() / 1000) + dueDays * daySeconds,
      }
  await lease.ensure()
  // Sets the same whenever it is sent: a key for each attempt, as the due date differs.
  const key = `${run.key}-collection-${method ?? changes.due_date}`
  await payments.write('choose collection', key, (stripe, once) => stripe.invoices.update(draft.id, changes, once))
}

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)
