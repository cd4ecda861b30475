import { sql } from 'kysely'
import { z } from 'zod'
import { isPaymentReturned, paidPlanInvoices, planPayment } from '#features/billing/server/public.ts'
import { accountByEmail } from '#features/auth/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, defineScheduledJob } from '#server/jobs/define-job.ts'
import { AppError } from '#shared/errors.ts'
import { addMissedReferrals } from './referrals.ts'
import { commissionOf, earnsUntil, payableFrom } from '../rules.ts'

const dayMs = 86_400_000
/** Until when a buyer's bank may dispute a payment. */
const disputeDays = 120

/** Credits the affiliate of an account for what it paid for its plan; each invoice once. */
export const earnCommission = defineJob({
  name: 'earn-commission',
  data: z.object({ accountId: z.number(), invoiceId: z.string() }),
  run: (services, { invoiceId }) => credit(services, invoiceId),
})

async function credit({ db }: Services, invoiceId: string): Promise<void> {
  await db.transaction(async tx => {
    const payment = await planPayment(tx, invoiceId)
    const referral = payment && (await lockReferral(tx, payment.accountId))
    if (!referral) return
    const { amount, currency, paidAt } = payment
    // The invoices' signals come in any order.
    const firstPaidAt = referral.firstPaidAt && referral.firstPaidAt < paidAt ? referral.firstPaidAt : paidAt
    await tx
      .updateTable('affiliate_referral')
      .set({ first_paid_at: firstPaidAt })
      .where('referred_account_id', '=', payment.accountId)
      .execute()
    if (paidAt >= earnsUntil(firstPaidAt)) return
    await tx
      .insertInto('affiliate_commission')
      .values({
        invoice_id: invoiceId,
        affiliate_account_id: referral.affiliateId,
        referred_account_id: payment.accountId,
        currency,
        base_amount: amount,
        amount: Number(commissionOf(BigInt(amount))),
        invoice_paid_at: paidAt,
        payable_at: payableFrom(paidAt),
      })
      .onConflict(conflict => conflict.column('invoice_id').doNothing())
      .execute()
  })
}

/** For so long back, what was missed is looked for. */
const repairDays = 60

/** Every night, notes the referrals and credits the commissions whose jobs were lost. */
export const repairAffiliates = defineScheduledJob({
  name: 'repair-affiliates',
  cron: '31 3 * * *',
  run: async (services, _data, { signal }) => {
    const { system } = services.db
    const since = new Date(services.clock.now().getTime() - repairDays * dayMs)
    await addMissedReferrals(services, since)
    const referrals = await system.selectFrom('affiliate_referral').select('referred_account_id as id').execute()
    const paid = await paidPlanInvoices(
      system,
      referrals.map(({ id }) => id),
      since,
    )
    const { rows } = await sql<{ invoiceId: string }>`select invoice_id as "invoiceId" from affiliate_commission
      where invoice_id = any(${paid}::text[])`.execute(system)
    const credited = new Set(rows.map(({ invoiceId }) => invoiceId))
    for (const invoiceId of paid) {
      signal.throwIfAborted()
      if (!credited.has(invoiceId)) await credit(services, invoiceId)
    }
  },
})

function lockReferral(tx: Db, accountId: number) {
  return tx
    .selectFrom('affiliate_referral')
    .select(['affiliate_account_id as affiliateId', 'first_paid_at as firstPaidAt'])
    .where('referred_account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

/** Every night, reverses the commissions whose invoices were refunded or disputed. */
export const reverseReturned = defineScheduledJob({
  name: 'reverse-returned-commissions',
  cron: '47 3 * * *',
  run: async (services, _data, { signal }) => {
    if (!services.integrations.payments.isOn) return
    const since = new Date(services.clock.now().getTime() - disputeDays * dayMs)
    const rows = await services.db.system
      .selectFrom('affiliate_commission')
      .select('invoice_id as invoiceId')
      .where('reversed_at', 'is', null)
      .where(eb => eb.or([eb('paid_out_at', 'is', null), eb('invoice_paid_at', '>', since)]))
      .execute()
    for (const { invoiceId } of rows) {
      signal.throwIfAborted()
      await reverseIfReturned(services, invoiceId)
    }
  },
})

async function reverseIfReturned(services: Services, invoiceId: string): Promise<void> {
  if (!(await isPaymentReturned(services, invoiceId))) return
  const { numUpdatedRows } = await services.db.system
    .updateTable('affiliate_commission')
    .set({ reversed_at: services.clock.now() })
    .where('invoice_id', '=', invoiceId)
    .where('reversed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows) services.log.info({ invoice: invoiceId }, 'a commission was reversed')
}

export interface Payout {
  currency: string
  /** In the smallest unit of the currency. */
  amount: number
  commissions: number
}

/**
 * Marks what is payable to an affiliate as paid out, after it asked the payment provider whether any of it was returned. What
 * was paid out before its reversal is set off; a currency in which nothing remains stays unchanged. For operators, who then
 * transfer the sums. Throws NOT_FOUND for an unknown address.
 */
export async function payOut(services: Services, email: string): Promise<Payout[]> {
  const { db, clock } = services
  const affiliate = await accountByEmail(db.system, email.trim().toLowerCase())
  if (!affiliate) throw new AppError('NOT_FOUND', `Nobody has registered with ${email}.`)
  const now = clock.now()
  for (const { invoiceId } of await payableOf(db.system, affiliate.id, now))
    await reverseIfReturned(services, invoiceId)
  return db.transaction(async tx => {
    // One payout at a time.
    await tx.selectFrom('affiliate').select('code').where('account_id', '=', affiliate.id).forUpdate().execute()
    const payable = await payableOf(tx, affiliate.id, now)
    const returned = await returnedOf(tx, affiliate.id)
    const payouts: Payout[] = []
    for (const [currency, rows] of Map.groupBy(payable, row => row.currency)) {
      const setOff = returned.filter(row => row.currency === currency)
      const amount = sumOf(rows) - sumOf(setOff)
      if (amount <= 0) continue
      await stamp(tx, rows, 'paid_out_at', now)
      await stamp(tx, setOff, 'recovered_at', now)
      payouts.push({ currency, amount, commissions: rows.length })
    }
    return payouts
  })
}

interface Line {
  invoiceId: string
  currency: string
  amount: number
}
const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, { amount }) => sum + amount, 0)

const linesOf = (db: Db, affiliateId: number) =>
  db
    .selectFrom('affiliate_commission')
    .select(['invoice_id as invoiceId', 'currency', 'amount'])
    .where('affiliate_account_id', '=', affiliateId)

const payableOf = (db: Db, affiliateId: number, now: Date): Promise<Line[]> =>
  linesOf(db, affiliateId)
    .where('reversed_at', 'is', null)
    .where('paid_out_at', 'is', null)
    .where('payable_at', '<=', now)
    .execute()

const returnedOf = (db: Db, affiliateId: number): Promise<Line[]> =>
  linesOf(db, affiliateId)
    .where('reversed_at', 'is not', null)
    .where('paid_out_at', 'is not', null)
    .where('recovered_at', 'is', null)
    .execute()

async function stamp(tx: Db, lines: readonly Line[], column: 'paid_out_at' | 'recovered_at', now: Date): Promise<void> {
  await sql`update affiliate_commission set ${sql.ref(column)} = ${now}
    where invoice_id = any(${lines.map(line => line.invoiceId)}::text[])`.execute(tx)
}
