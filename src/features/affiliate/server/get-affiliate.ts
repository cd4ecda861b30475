import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { currencyDigits } from '#shared/money.ts'
import type { Affiliate, Commission, Referral } from '../contract.ts'
import { commissionPercent, earningMonths, earnsUntil, holdDays, stateAt } from '../rules.ts'
import { ownCode } from './referrals.ts'

const newest = 100

/** The caller's code and link, the newest referrals and commissions, and what all of them earned. */
export async function getAffiliate(ctx: Ctx): Promise<Affiliate> {
  const { accountId } = ctx.actor
  const now = ctx.clock.now()
  return ctx.db.transaction(async tx => {
    const code = await ownCode(tx, accountId, now)
    const { referralCount, commissionCount } = await countOf(tx, accountId)
    return {
      code,
      link: `${ctx.config.publicUrl}/register?affiliate=${code}`,
      terms: { percent: commissionPercent, months: earningMonths, holdDays },
      referralCount,
      commissionCount,
      referrals: await referralsOf(tx, accountId),
      commissions: await commissionsOf(tx, accountId, now),
      totals: await totalsOf(tx, accountId, now),
    }
  })
}

async function countOf(tx: Db, accountId: number) {
  const { rows } = await sql<{ referralCount: number; commissionCount: number }>`select
    (select count(*) from affiliate_referral where affiliate_account_id = ${accountId})::int as "referralCount",
    (select count(*) from affiliate_commission where affiliate_account_id = ${accountId})::int as "commissionCount"`.execute(
    tx,
  )
  return rows[0] ?? { referralCount: 0, commissionCount: 0 }
}

async function referralsOf(tx: Db, accountId: number): Promise<Referral[]> {
  const rows = await tx
    .selectFrom('affiliate_referral')
    .select(['label', 'registered_at', 'first_paid_at'])
    .where('affiliate_account_id', '=', accountId)
    .orderBy('registered_at', 'desc')
    .orderBy('referred_account_id', 'desc')
    .limit(newest)
    .execute()
  return rows.map(row => ({
    name: row.label,
    registeredDate: row.registered_at.toISOString(),
    firstPaidDate: row.first_paid_at?.toISOString() ?? null,
    earnsUntilDate: row.first_paid_at ? earnsUntil(row.first_paid_at).toISOString() : null,
  }))
}

async function commissionsOf(tx: Db, accountId: number, now: Date): Promise<Commission[]> {
  const rows = await tx
    .selectFrom('affiliate_commission as c')
    .innerJoin('affiliate_referral as r', 'r.referred_account_id', 'c.referred_account_id')
    .select(['r.label', 'c.amount', 'c.currency', 'c.invoice_paid_at', 'c.payable_at'])
    .select(['c.paid_out_at', 'c.reversed_at'])
    .where('c.affiliate_account_id', '=', accountId)
    .orderBy('c.invoice_paid_at', 'desc')
    .orderBy('c.invoice_id')
    .limit(newest)
    .execute()
  return rows.map(row => ({
    name: row.label,
    state: stateAt({ payableAt: row.payable_at, paidOutAt: row.paid_out_at, reversedAt: row.reversed_at }, now),
    amount: toAmount(row.amount, row.currency),
    currency: row.currency,
    invoicePaidDate: row.invoice_paid_at.toISOString(),
    payableDate: row.payable_at.toISOString(),
    paidOutDate: row.paid_out_at?.toISOString() ?? null,
  }))
}

/** From the smallest unit of a currency to the decimals that JSON carries. */
const toAmount = (units: number, currency: string): number => units / 10 ** currencyDigits(currency)

async function totalsOf(tx: Db, accountId: number, now: Date): Promise<Affiliate['totals']> {
  const { rows } = await sql<{ currency: string; pending: number; payable: number; paid: number }>`
    select currency,
      coalesce(sum(amount) filter (where reversed_at is null and paid_out_at is null and payable_at > ${now}), 0)::bigint as pending,
      (coalesce(sum(amount) filter (where reversed_at is null and paid_out_at is null and payable_at <= ${now}), 0)
        - coalesce(sum(amount) filter (where reversed_at is not null and paid_out_at is not null and recovered_at is null), 0))::bigint as payable,
      coalesce(sum(amount) filter (where paid_out_at is not null and recovered_at is null), 0)::bigint as paid
    from affiliate_commission where affiliate_account_id = ${accountId} group by currency order by currency`.execute(tx)
  return rows.map(({ currency, ...sums }) => ({
    currency,
    pending: toAmount(sums.pending, currency),
    payable: toAmount(sums.payable, currency),
    paid: toAmount(sums.paid, currency),
  }))
}
