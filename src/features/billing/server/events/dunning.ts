import { sql } from 'kysely'
import { graceEnd, payingTrials, storedSubscription } from '#features/subscription/server/public.ts'
import { notify, settleOthers } from '#features/notifications/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'
import type { PaymentProblem } from '../../webhook-contract.ts'
import { text } from '#shared/reader-text.ts'

/** An amount in cents in a text. */
export const ofCents = (cents: number, currency: string) => ({ micros: cents * 10_000, currency })

interface OpenInvoice {
  id: string
  number: string | null
  kind: 'PLAN' | 'AD_SPEND' | 'OTHER'
  /** In cents. */
  amountDue: number
  currency: string
  /** Null if access does not depend on it. */
  accessUntil: Date | null
}

/**
 * The invoices of an account whose payment failed and that are still open, the oldest first. A plan's invoice counts while the
 * subscription waits for it: before that the user is still choosing how to pay, and after a cancellation it brings nothing back.
 */
async function failedInvoices(db: Db, accountId: number): Promise<OpenInvoice[]> {
  const subscription = await storedSubscription(db, accountId)
  const isLate = subscription?.status === 'past_due' || subscription?.status === 'unpaid'
  const rows = await db
    .selectFrom('invoice')
    .select(['id', 'number', 'kind', 'amount_due as amountDue', 'currency'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .where('attempt_count', '>', 0)
    .orderBy('issued_at')
    .orderBy('id')
    .execute()
  return rows
    .filter(({ kind }) => kind !== 'PLAN' || isLate)
    .map(row => ({
      ...row,
      accessUntil: row.kind === 'PLAN' && subscription?.pastDueSince ? graceEnd(subscription.pastDueSince) : null,
    }))
}

/** The oldest failed payment of the user, for the banner in the frame. */
export async function paymentProblem({ db, actor }: Ctx): Promise<{ problem: PaymentProblem | null }> {
  const [first] = await failedInvoices(db.system, actor.accountId)
  if (!first) return { problem: null }
  const { id, number, amountDue, currency, accessUntil } = first
  return {
    problem: {
      invoiceId: id,
      number,
      amountDue: amountDue / 100,
      currency,
      accessUntil: accessUntil?.toISOString() ?? null,
    },
  }
}

/**
 * Notifies the account of each failed payment, once per invoice, and of each dispute of its bank, and settles those that no
 * longer wait for money. Called after every write of an invoice, a subscription or a dispute: whichever comes last sees them
 * all, because the account is locked.
 */
export async function settleDunning(services: Services, accountId: number): Promise<void> {
  const { db, clock } = services
  await db.transaction(async tx => {
    await sql`select from account where id = ${accountId} for no key update`.execute(tx)
    const failed = await failedInvoices(tx, accountId)
    for (const invoice of failed) await notifyFailure(services, tx, accountId, invoice)
    const disputed = await openDisputes(tx, accountId)
    for (const dispute of disputed) await notifyDispute(services, tx, accountId, dispute)
    const exceptCauses = [...failed, ...disputed].map(({ id }) => causeOf(id))
    await settleOthers(services, tx, { accountId, kind: 'PAYMENT_PROBLEM', exceptCauses }, clock.now())
  })
}

// The topic of a push is at most 32 characters.
const causeOf = (invoiceId: string): string => invoiceId.slice(-32)

async function notifyFailure(services: Services, tx: Db, accountId: number, invoice: OpenInvoice): Promise<void> {
  const { id, number, amountDue, currency, accessUntil } = invoice
  const amount = ofCents(amountDue, currency)
  await notify(services, tx, {
    accountId,
    merchantId: null,
    kind: 'PAYMENT_PROBLEM',
    title: text`Your payment of ${amount} failed`,
    body: accessUntil
      ? text`Pay invoice ${number ?? id} or choose another card by ${{ day: accessUntil.toISOString() }} to keep your access. Your campaigns keep running on the marketplace.`
      : `Pay invoice ${number ?? id} or choose another card.`,
    url: '/subscription/billing',
    cause: causeOf(id),
    occasion: 'failed',
    evidence: [{ label: 'Amount due', format: 'money', value: amountDue / 100 }],
    currency,
  })
}

/** The disputes of an account that its bank has not decided. Amounts in the smallest unit of the currency. */
const openDisputes = (db: Db, accountId: number) =>
  db
    .selectFrom('payment_dispute as d')
    .leftJoin('invoice as i', 'i.id', 'd.invoice_id')
    .select(['d.id', 'd.amount', 'd.currency', 'd.invoice_id as invoiceId', 'i.number'])
    .where('d.account_id', '=', accountId)
    .where('d.closed_at', 'is', null)
    .orderBy('d.opened_at')
    .execute()

type Dispute = Awaited<ReturnType<typeof openDisputes>>[number]

async function notifyDispute(services: Services, tx: Db, accountId: number, dispute: Dispute): Promise<void> {
  const { id, amount, currency, invoiceId, number } = dispute
  await notify(services, tx, {
    accountId,
    merchantId: null,
    kind: 'PAYMENT_PROBLEM',
    title: text`Your bank disputes your payment of ${ofCents(amount, currency)}`,
    body: `It has reclaimed what you paid${number === null ? '' : ` for invoice ${number}`}. If you did not ask for that, tell your bank that the payment is yours.`,
    url: invoiceId === null ? '/subscription/billing' : `/subscription/invoices/${invoiceId}`,
    cause: causeOf(id),
    occasion: 'disputed',
    evidence: [{ label: 'Amount disputed', format: 'money', value: amount / 100 }],
    currency,
  })
}

const warnBeforeMs = 3 * 86_400_000

/** Every hour, notifies who will be charged within three days for the first time: what, when, and that it can be canceled. */
export const announceFirstCharges = defineScheduledJob({
  name: 'announce-first-charges',
  cron: '41 * * * *',
  run: async services => {
    const now = services.clock.now()
    const until = new Date(now.getTime() + warnBeforeMs)
    for (const { accountId, endsAt, planName, basePriceMicros, hasCard } of await payingTrials(
      services.db.system,
      now,
      until,
    )) {
      const day = { day: endsAt.toISOString() }
      const price = { micros: basePriceMicros, currency: 'USD' }
      await services.db.transaction(tx =>
        notify(services, tx, {
          accountId,
          merchantId: null,
          kind: 'TRIAL_ENDING',
          title: text`Your trial ends on ${day}`,
          body: hasCard
            ? text`Then ${planName} costs ${price} a month, charged to your card. If you do not want to continue, cancel before that day.`
            : text`Then ${planName} costs ${price} a month. Add a card before that day to keep your access.`,
          url: hasCard ? '/subscription' : '/subscription/billing',
          cause: `first-charge-${accountId}`,
          occasion: endsAt.toISOString().slice(0, 10),
          currency: 'USD',
        }),
      )
    }
  },
})
