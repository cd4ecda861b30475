import { accountOfCustomer, settleSubscription } from '#features/subscription/server/public.ts'
import { notify } from '#features/notifications/server/public.ts'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { invoiceIssued, invoicePaid } from '../signals.ts'
import { ofCents, settleDunning } from './dunning.ts'
import { text } from '#shared/reader-text.ts'

type Invoice = Stripe.Invoice
type Stored = Omit<Row<'invoice'>, 'version'>

const mostTries = 8

/**
 * Reads an invoice from the payment provider again and saves what it is now, with its lines; then the subscription that it is
 * of, and what its user has to be reminded of. Announces once each that it was issued and that it was paid. Safe to call at
 * the same time and in any order: a read that another one overtook is not saved but repeated. Invoices of customers who are
 * not ours, and drafts that were deleted, leave nothing. Rejects when the provider cannot be reached.
 */
export async function settleInvoice(services: Services, invoiceId: string): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    const before = await versionOf(services.db.system, invoiceId)
    const invoice = await readInvoice(services, invoiceId)
    if (!invoice) return deleteInvoiceDraft(services.db.system, invoiceId)
    const customer = idOf(invoice.customer) ?? ''
    // That of a customer who was deleted stays with its account.
    const accountId =
      (await accountOfCustomer(services.db.system, customer)) ?? (await accountOfInvoice(services.db.system, invoiceId))
    if (accountId === null)
      return services.log.warn({ invoice: invoiceId }, 'an invoice is of a customer who is not ours')
    const row = toRow(invoice, accountId, services.clock.now())
    if (!(await services.db.transaction(tx => save(services, tx, row, before)))) continue
    const subscriptionId = subscriptionOf(invoice)
    if (subscriptionId) await settleSubscription(services, subscriptionId)
    return settleDunning(services, accountId)
  }
  throw new Error(`The invoice ${invoiceId} is written more often than it can be read.`)
}

/** How often the invoice was written; 0 before the first time. */
async function versionOf(db: Db, id: string): Promise<number> {
  const row = await db.selectFrom('invoice').select('version').where('id', '=', id).executeTakeFirst()
  return row?.version ?? 0
}

async function accountOfInvoice(db: Db, id: string): Promise<number | null> {
  const row = await db
    .selectFrom('invoice as i')
    // The invoices of an erased account are kept as they were.
    .innerJoin('account as a', 'a.id', 'i.account_id')
    .select('a.id')
    .where('i.id', '=', id)
    .where('a.status', '<>', 'ERASED')
    .executeTakeFirst()
  return row?.id ?? null
}

/** The invoice with all of its lines; null if it was deleted. */
async function readInvoice({ integrations }: Services, id: string): Promise<Invoice | null> {
  try {
    return await integrations.payments.read('invoices.retrieve', async stripe => {
      const invoice = await stripe.invoices.retrieve(id)
      if (!invoice.lines.has_more) return invoice
      const lines = await stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 10_000 })
      return { ...invoice, lines: { ...invoice.lines, data: lines } }
    })
  } catch (error) {
    if (error instanceof UpstreamRejected && error.code === 'resource_missing') return null
    throw error
  }
}

// Only drafts can be deleted.
async function deleteInvoiceDraft(db: Db, id: string): Promise<void> {
  await db.deleteFrom('invoice').where('id', '=', id).where('status', '=', 'draft').execute()
}

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

const subscriptionOf = ({ parent }: Invoice): string | null => idOf(parent?.subscription_details?.subscription ?? null)

const date = (seconds: number): Date => new Date(seconds * 1000)
const dateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? date(seconds) : null)

function kindOf(invoice: Invoice): Stored['kind'] {
  if (invoice.metadata?.kind === 'AD_SPEND') return 'AD_SPEND'
  return subscriptionOf(invoice) ? 'PLAN' : 'OTHER'
}

function toRow(invoice: Invoice, accountId: number, now: Date): Stored {
  const { status_transitions: moments, lines, id } = invoice
  const starts = lines.data.map(({ period }) => period.start)
  const ends = lines.data.map(({ period }) => period.end)
  return {
    id,
    account_id: accountId,
    number: invoice.number,
    // The client's type leaves room for further ones.
    status: (invoice.status ?? 'draft') as Stored['status'],
    kind: kindOf(invoice),
    currency: invoice.currency.toUpperCase(),
    total: invoice.total,
    amount_due: invoice.amount_due,
    amount_paid: invoice.amount_paid,
    // The invoice's own period is the one before that of its lines.
    period_start: starts.length ? date(Math.min(...starts)) : null,
    period_end: ends.length ? date(Math.max(...ends)) : null,
    issued_at: date(moments.finalized_at ?? invoice.created),
    due_at: dateOrNull(invoice.due_date),
    paid_at: dateOrNull(moments.paid_at),
    attempt_count: invoice.attempt_count,
    next_attempt_at: dateOrNull(invoice.next_payment_attempt),
    lines: JSON.stringify(
      lines.data.map(({ description, amount, quantity, period, metadata }) => ({
        description,
        amount,
        quantity,
        periodStart: date(period.start).toISOString(),
        periodEnd: date(period.end).toISOString(),
        metadata,
      })),
    ),
    read_at: now,
  }
}

/** Saves a read of an invoice; false if it was written since `before` was counted. */
async function save(services: Services, tx: Db, row: Stored, before: number): Promise<boolean> {
  const previous = await tx
    .selectFrom('invoice')
    .select(['version', 'status'])
    .where('id', '=', row.id)
    .forUpdate()
    .executeTakeFirst()
  if ((previous?.version ?? 0) !== before) return false
  if (previous)
    await tx
      .updateTable('invoice')
      .set({ ...row, version: before + 1 })
      .where('id', '=', row.id)
      .execute()
  else {
    const { numInsertedOrUpdatedRows: inserted } = await tx
      .insertInto('invoice')
      .values(row)
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    if (!inserted) return false
  }
  await announce(services, tx, row, previous?.status ?? 'draft')
  return true
}

async function announce(services: Services, tx: Db, row: Stored, before: Stored['status']): Promise<void> {
  const { jobs, events } = services
  const news = { accountId: row.account_id, invoiceId: row.id }
  if (before === 'draft' && row.status !== 'draft') {
    await jobs.announce(tx, invoiceIssued, news)
    // A trial starts with an invoice over nothing.
    if (row.total !== 0) await notifyIssued(services, tx, row)
  }
  if (before !== 'paid' && row.status === 'paid') await jobs.announce(tx, invoicePaid, news)
  await events.publish(tx, [row.account_id], 'billing', {})
}

const purposes: Record<Stored['kind'], string> = {
  PLAN: 'your plan',
  AD_SPEND: 'the fee on your ad spend',
  OTHER: 'Tideline',
}

function paymentText({ status, attempt_count: attempts }: Stored): string {
  if (status === 'paid') return 'It is paid; you need not do anything.'
  return attempts > 0 ? 'It is not paid yet.' : 'It is charged to your card; you need not do anything.'
}

async function notifyIssued(services: Services, tx: Db, row: Stored): Promise<void> {
  const amount = ofCents(row.total, row.currency)
  await notify(services, tx, {
    accountId: row.account_id,
    merchantId: null,
    kind: 'INVOICE_READY',
    title: text`Invoice ${row.number ?? row.id}: ${amount}`,
    body: `Your invoice for ${purposes[row.kind]} is ready. ${paymentText(row)}`,
    url: `/subscription/invoices/${row.id}`,
    cause: `issued-${row.id.slice(-25)}`,
    occasion: 'issued',
    currency: row.currency,
  })
}
