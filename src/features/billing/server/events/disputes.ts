import { sql } from 'kysely'
import { accountOfCustomer } from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { text, writeText } from '#shared/reader-text.ts'
import { defaultRegion } from '#shared/region-format.ts'
import { ofCents, settleDunning } from './dunning.ts'

// Before a dispute, a bank may only ask: that takes nothing back.
const isDecided = (status: string): boolean => ['won', 'lost', 'warning_closed', 'prevented'].includes(status)

/**
 * Reads a dispute of a payment from the payment provider again and saves what it is now. Its owner is notified while the bank
 * decides, and operators by the log and by /metrics. One of a customer who is not ours leaves nothing.
 */
export async function settleDispute(services: Services, id: string): Promise<void> {
  const { db, clock, log, integrations } = services
  const dispute = await integrations.payments.read('read dispute', stripe =>
    stripe.disputes.retrieve(id, { expand: ['charge'] }),
  )
  const { charge, amount, currency, reason, status, created } = dispute
  const customer = typeof charge === 'string' ? null : charge.customer
  const customerId = typeof customer === 'string' ? customer : (customer?.id ?? null)
  const accountId = customerId && (await accountOfCustomer(db.system, customerId))
  if (!accountId) return log.warn({ dispute: id }, 'a dispute is of a customer who is not ours')
  const invoiceId = await invoiceOf(services, dispute.payment_intent)
  const state = { invoice_id: invoiceId, status, closed_at: isDecided(status) ? clock.now() : null }
  const row = {
    account_id: accountId,
    currency: currency.toUpperCase(),
    amount,
    reason,
    opened_at: new Date(created * 1000),
  }
  await db.transaction(async tx => {
    const changed = await tx
      .insertInto('payment_dispute')
      .values({ id, ...row, ...state })
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet(state).where('payment_dispute.status', 'is distinct from', status),
      )
      .returning('id')
      .executeTakeFirst()
    if (!changed) return
    log.error({ dispute: id, invoiceId, status, ...row }, 'a payment is disputed')
    await mailOperator(services, tx, {
      id,
      accountId,
      amount: writeText(text`${ofCents(amount, currency)}`, defaultRegion),
      status,
    })
  })
  await settleDunning(services, accountId)
}

interface Dispute {
  id: string
  accountId: number
  amount: string
  status: string
}

async function mailOperator(services: Services, tx: Db, { id, accountId, amount, status }: Dispute): Promise<void> {
  const { OPERATOR_MAIL: to } = services.config
  if (!to) return
  const mail = renderMail({
    subject: `Dispute of ${amount} by account ${accountId}: ${status}`,
    greeting: 'A payment is disputed',
    paragraphs: [
      `The bank of account ${accountId} disputes a payment of ${amount}. The dispute ${id} is now in the state ${status}.`,
      'The payment provider’s dashboard says until when evidence can be given.',
    ],
  })
  await queueMail(services, tx, { to, dedupeKey: `dispute:${id}:${status}`, ...mail })
}

async function invoiceOf({ integrations }: Services, intent: string | { id: string } | null): Promise<string | null> {
  if (intent === null) return null
  const payment_intent = typeof intent === 'string' ? intent : intent.id
  const { data } = await integrations.payments.read('find invoice of payment', stripe =>
    stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent }, limit: 1 }),
  )
  const invoice = data[0]?.invoice ?? null
  return typeof invoice === 'string' ? invoice : (invoice?.id ?? null)
}

/** How many payments are disputed and wait for the operator's evidence. */
export async function waitingDisputes(system: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from payment_dispute
    where status in ('needs_response', 'warning_needs_response')`.execute(system)
  return rows[0]?.count ?? 0
}
