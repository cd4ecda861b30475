import { sql } from 'kysely'
import type { Micros } from '#shared/money.ts'
import type { Db } from '#server/db/tables.ts'

/** A span of time in which an account was on a plan. */
export interface Phase {
  planId: number
  planName: string
  /** Ad spend a month that the plan's price covers, in micros of USD. */
  minimumTaxablePriceMicros: Micros
  /** Percent of the ad spend above that. */
  adSpendPercentage: number
  /** False during a trial. */
  isPaid: boolean
  startsAt: Date
  /** Null while it lasts. */
  endsAt: Date | null
}

/**
 * The phases of an account that overlap the time from `from` (included) to `to` (excluded), the oldest first; they do not
 * overlap each other. A trial ends on its second, and a subscription that was canceled with its period, without being read.
 */
export async function phasesOf(db: Db, accountId: number, from: Date, to: Date): Promise<Phase[]> {
  const { rows } = await sql<Phase>`select * from (
      select p.id as "planId", p.name as "planName", p.minimum_taxable_price_micros as "minimumTaxablePriceMicros",
        p.ad_spend_percentage as "adSpendPercentage", f.is_paid as "isPaid", f.starts_at as "startsAt",
        least(f.ends_at, case when not f.is_paid then s.trial_ends_at
          when f.ends_at is null and s.cancel_at_period_end then s.period_ends_at end) as "endsAt"
      from subscription_phase f join plan p on p.id = f.plan_id
        left join subscription s on s.account_id = f.account_id
      where f.account_id = ${accountId}) as phase
    where "startsAt" < ${to} and coalesce("endsAt" > ${from} and "endsAt" > "startsAt", true) order by "startsAt"`.execute(
    db,
  )
  return rows
}

/** The phase that has not ended yet; undefined if there is none. */
export function openPhase(tx: Db, accountId: number) {
  return tx
    .selectFrom('subscription_phase')
    .select(['plan_id as planId', 'is_paid as isPaid', 'starts_at as startsAt'])
    .where('account_id', '=', accountId)
    .where('ends_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Lets the account be in this phase since a moment, and ends the previous one then; null: in none. A phase never begins
 * before the one that was noted last.
 */
export async function setPhase(
  tx: Db,
  accountId: number,
  phase: { planId: number; isPaid: boolean } | null,
  since: Date,
): Promise<void> {
  const open = await openPhase(tx, accountId)
  if (open && open.planId === phase?.planId && open.isPaid === phase.isPaid) return
  const isOpen = tx.updateTable('subscription_phase').where('account_id', '=', accountId).where('ends_at', 'is', null)
  if (open && since > open.startsAt) await isOpen.set({ ends_at: since }).execute()
  else if (open && phase) {
    await isOpen.set({ plan_id: phase.planId, is_paid: phase.isPaid }).execute()
    return
  } else if (open)
    await tx.deleteFrom('subscription_phase').where('account_id', '=', accountId).where('ends_at', 'is', null).execute()
  if (!phase) return
  await sql`insert into subscription_phase (account_id, starts_at, plan_id, is_paid)
    select ${accountId}, greatest(${since}::timestamptz, max(ends_at)), ${phase.planId}, ${phase.isPaid}
    from subscription_phase where account_id = ${accountId}`.execute(tx)
}

/** The accounts that had a paid plan at a moment or after it, by id. */
export async function accountsPaidSince(db: Db, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct account_id as id from subscription_phase
    where is_paid and coalesce(ends_at > ${since}, true) order by account_id`.execute(db)
  return rows.map(row => row.id)
}
