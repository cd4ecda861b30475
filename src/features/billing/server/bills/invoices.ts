import { sql } from 'kysely'
import { z } from 'zod'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { AmbiguousOutcome, toUpstreamProblem, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { AppError } from '#shared/errors.ts'
import { type Amount, currencyDigits, fromMicros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import type { Invoice, InvoiceDetail } from '../../contract.ts'
import { settleInvoice } from '../events/settle-invoice.ts'
import { payerOf } from './payer.ts'
import { isUnreachable, readCards } from './provider-cards.ts'

type InvoiceRow = Row<'invoice'>

/** Whole smallest units, as the provider counts, to the amount that answers carry. */
export const amountOf = (minor: number, currency: string): Amount => minor / 10 ** currencyDigits(currency)

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

function invoiceOf(row: InvoiceRow): Invoice {
  const currency = row.currency.toUpperCase()
  const isOwed = row.status === 'open' || row.status === 'uncollectible' || row.status === 'draft'
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    kind: row.kind,
    currency,
    total: amountOf(row.total, currency),
    amountRemaining: amountOf(isOwed ? row.amount_due - row.amount_paid : 0, currency),
    periodStart: iso(row.period_start),
    periodEnd: iso(row.period_end),
    issuedAt: row.issued_at.toISOString(),
    dueAt: iso(row.due_at),
    paidAt: iso(row.paid_at),
    attemptCount: row.attempt_count,
    nextAttemptAt: row.status === 'open' ? iso(row.next_attempt_at) : null,
  }
}

/** A page of the account's own invoices, the newest first. */
export async function listInvoices(ctx: Ctx, { page, size }: { page: number; size: number }) {
  const { accountId } = await payerOf(ctx)
  const own = ctx.db.system.selectFrom('invoice').where('account_id', '=', accountId)
  const [rows, counted] = await Promise.all([
    own
      .selectAll()
      .orderBy('issued_at', 'desc')
      .orderBy('id')
      .limit(size)
      .offset(page * size)
      .execute(),
    own.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { content: rows.map(invoiceOf), page: pageInfo(page, size, counted.count) }
}

/** The invoices of an account that can be paid now, the oldest first. */
export async function openInvoicesOf({ db }: Services, accountId: number): Promise<Invoice[]> {
  const rows = await db.system
    .selectFrom('invoice')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .where(sql<boolean>`amount_due > amount_paid`)
    .orderBy('issued_at')
    .orderBy('id')
    .limit(20)
    .execute()
  return rows.map(invoiceOf)
}

async function ownInvoice({ db }: Services, accountId: number, id: string): Promise<InvoiceRow> {
  const row = await db.system
    .selectFrom('invoice')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', 'There is no such invoice.')
  return row
}

// One that may still change is read again before it is shown, unless that was just done.
const mayBeOldMs = 60_000

/** An invoice of the account with its lines; its last known state while the provider cannot be reached. Throws NOT_FOUND. */
export async function getInvoice(ctx: Ctx, id: string): Promise<InvoiceDetail> {
  const { accountId } = await payerOf(ctx)
  const row = await ownInvoice(ctx, accountId, id)
  const mayChange = row.status === 'open' || row.status === 'draft'
  if (mayChange && ctx.clock.now().getTime() - row.read_at.getTime() > mayBeOldMs)
    await settleInvoice(ctx, id).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error
    })
  return detailOf(ctx, await ownInvoice(ctx, accountId, id))
}

// As the mirror stores them; the fee's own figures are in the metadata of its lines.
const storedLines = z.array(
  z.object({
    description: z.string().nullable(),
    amount: z.int(),
    quantity: z.number().nullable(),
    periodStart: z.iso.datetime().nullable(),
    periodEnd: z.iso.datetime().nullable(),
    metadata: z.record(z.string(), z.string()),
  }),
)

async function detailOf({ db }: Services, row: InvoiceRow): Promise<InvoiceDetail> {
  const invoice = invoiceOf(row)
  const lines = storedLines.parse(row.lines)
  const items = lines.flatMap(({ metadata }) => metadata.item ?? [])
  const fees =
    row.kind === 'AD_SPEND' ? await feesOfItems(db.system, row.account_id, items) : new Map<string, LineFee>()
  return {
    ...invoice,
    lines: lines.map(({ metadata, ...line }) => ({
      ...line,
      description: line.description ?? 'Item',
      amount: amountOf(line.amount, invoice.currency),
      fee: fees.get(metadata.item ?? '') ?? null,
    })),
    asOf: row.read_at.toISOString(),
  }
}

type LineFee = InvoiceDetail['lines'][number]['fee']

/** What the fees of these items of an account were worked out from, by item. Corrections and joined items have none. */
async function feesOfItems(db: Db, accountId: number, items: readonly string[]): Promise<Map<string, LineFee>> {
  const { rows } = await sql<{
    item: string
    name: string
    countryCode: string
    currency: string
    spendMicros: number
    basisPoints: number
    ownRate: number | null
    usdRate: number
  }>`select l.run_id || '-' || l.position as item, l.account_name as name, l.country_code as "countryCode", l.currency,
      l.spend_micros as "spendMicros", l.basis_points as "basisPoints", l.own_rate as "ownRate", l.usd_rate as "usdRate"
    from billing_line l join billing_run r on r.id = l.run_id
    where r.account_id = ${accountId} and l.run_id || '-' || l.position = any(${[...items]}::text[])`.execute(db)
  return new Map(
    rows.map(({ item, name, countryCode, currency, spendMicros, basisPoints, ownRate, usdRate }) => [
      item,
      {
        name,
        countryCode,
        currency,
        spend: fromMicros(spendMicros),
        percentage: basisPoints / 100,
        rate: currency === 'USD' || ownRate === null ? null : usdRate / ownRate,
      },
    ]),
  )
}

/** The provider's page that takes the payment. Throws NOT_FOUND, and CONFLICT when there is nothing to pay. */
export async function paymentUrl(ctx: Ctx, id: string): Promise<{ url: string }> {
  const { hosted_invoice_url: url } = payable(await readOwn(ctx, id))
  if (!url) throw notIssued()
  return { url }
}

/** Where the invoice is as a PDF. Throws NOT_FOUND, and CONFLICT for a draft. */
export async function pdfUrl(ctx: Ctx, id: string): Promise<{ url: string }> {
  const { invoice_pdf: url } = await readOwn(ctx, id)
  if (!url) throw notIssued()
  return { url }
}

const notIssued = () =>
  new AppError('CONFLICT', 'This invoice is still being prepared. Tideline notifies you as soon as it is issued.')

/** Throws CONFLICT unless something of the invoice can be paid. */
function payable(invoice: Stripe.Invoice): Stripe.Invoice {
  const { status } = invoice
  if (status === 'paid') throw new AppError('CONFLICT', 'This invoice is already paid.')
  if (status === 'void') throw new AppError('CONFLICT', 'This invoice was canceled. There is nothing to pay.')
  if (status === 'draft') throw notIssued()
  return invoice
}

/** The account's invoice as the provider has it now. What it says differently is taken over. Throws NOT_FOUND. */
async function readOwn(ctx: Ctx, id: string): Promise<Stripe.Invoice> {
  const { accountId } = await payerOf(ctx)
  // Not by its customer, who may have been deleted since: the mirror knows whose it is.
  const row = await ownInvoice(ctx, accountId, id)
  try {
    const invoice = await ctx.integrations.payments.read('read an invoice', stripe => stripe.invoices.retrieve(id))
    if (invoice.status !== row.status) await settleInvoice(ctx, id)
    return invoice
  } catch (error) {
    throw toUpstreamProblem(error)
  }
}

/**
 * Charges an open invoice to one of the account's cards. Throws CONFLICT when there is nothing to pay, RULE_VIOLATED when the card is
 * declined or its bank asks the owner to confirm, OUTCOME_UNKNOWN when it may have been paid.
 */
export async function payInvoice(ctx: Ctx, id: string, cardId: string): Promise<InvoiceDetail> {
  payable(await readOwn(ctx, id))
  const payer = await payerOf(ctx)
  const { accountId } = payer
  const { cards } = await readCards(ctx, payer).catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })
  if (!cards.some(card => card.id === cardId)) throw new AppError('NOT_FOUND', 'There is no such card.')
  try {
    // The owner is here, so a bank may ask for a confirmation, which its page takes.
    await ctx.integrations.payments.write('pay an invoice', `pay-${id}-${ctx.idempotencyKey}`, (stripe, once) =>
      stripe.invoices.pay(id, { payment_method: cardId, off_session: false }, once),
    )
  } catch (error) {
    await settleInvoice(ctx, id).catch(() => undefined)
    const { status } = await ownInvoice(ctx, accountId, id)
    if (status !== 'paid') throw paymentProblem(error)
  }
  await settleInvoice(ctx, id).catch((error: unknown) => {
    throw new AppError(
      'OUTCOME_UNKNOWN',
      'The payment was sent, but the payment provider has not confirmed it yet. Check the invoice in a minute before you pay again.',
      { cause: error },
    )
  })
  return detailOf(ctx, await ownInvoice(ctx, accountId, id))
}

const declines: Record<string, string> = {
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  invoice_payment_intent_requires_action: 'Your bank asks you to confirm this payment.',
  authentication_required: 'Your bank asks you to confirm this payment.',
}

function paymentProblem(error: unknown): unknown {
  if (error instanceof AmbiguousOutcome)
    return new AppError(
      'OUTCOME_UNKNOWN',
      'It is not known yet whether the invoice was paid. Check it in a minute before you pay again.',
      { cause: error },
    )
  if (!(error instanceof UpstreamRejected)) return toUpstreamProblem(error)
  const reason = declines[error.code ?? ''] ?? 'The card was declined.'
  return new AppError('RULE_VIOLATED', `${reason} Pay on the payment page, or choose another card.`, { cause: error })
}
