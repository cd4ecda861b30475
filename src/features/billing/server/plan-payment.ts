import { sql } from 'kysely'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'

export interface PlanPayment {
  accountId: number
  /** What was charged, in the smallest unit of the currency; more than 0. Credit that paid a part is not in it. */
  amount: number
  currency: string
  paidAt: Date
}

/** What was paid for a plan's price by an invoice; null when it is for something else, not paid, or over nothing. */
export async function planPayment(db: Db, invoiceId: string): Promise<PlanPayment | null> {
  const row = await db
    .selectFrom('invoice')
    .select(['account_id', 'amount_paid', 'currency', 'paid_at'])
    .where('id', '=', invoiceId)
    .where('kind', '=', 'PLAN')
    .where('status', '=', 'paid')
    .where('amount_paid', '>', 0)
    .executeTakeFirst()
  return row?.paid_at
    ? { accountId: row.account_id, amount: row.amount_paid, currency: row.currency, paidAt: row.paid_at }
    : null
}

/** The invoices for plans that these accounts have paid something for since a moment, the oldest first. */
export async function paidPlanInvoices(db: Db, accountIds: readonly number[], since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from invoice
    where account_id = any(${[...accountIds]}::bigint[]) and kind = 'PLAN' and status = 'paid' and amount_paid > 0
      and paid_at >= ${since}
    order by paid_at`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Whether what an invoice was paid with went back since: all of it was refunded, or the buyer's bank disputes it. Asks the
 * payment provider, because a refund leaves the invoice as it is. Rejects when the provider cannot be reached.
 */
export function isPaymentReturned(
  { integrations }: Pick<Services, 'integrations'>,
  invoiceId: string,
): Promise<boolean> {
  return integrations.payments.read('invoicePayments.list', async stripe => {
    const { data: payments } = await stripe.invoicePayments.list({ invoice: invoiceId, limit: 100 })
    const intents = payments.flatMap(({ payment: { payment_intent: intent } }) => intent ?? [])
    for (const intent of intents) {
      const payment_intent = typeof intent === 'string' ? intent : intent.id
      const { data: charges } = await stripe.charges.list({ payment_intent, limit: 100 })
      if (charges.some(charge => charge.refunded || charge.disputed)) return true
    }
    return false
  })
}
