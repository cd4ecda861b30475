import { type RawBuilder, sql } from 'kysely'
import { membersOf, type MerchantTrial, merchantTrial } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { PlanLimits, StoredSubscription } from '../rules.ts'

export interface SubscriptionRow extends StoredSubscription, PlanLimits {
  accountId: number
  planId: number
  planName: string
  planSince: Date
}

/** Every plan, the cheapest first. */
export const allPlans = (db: Db) => db.selectFrom('plan').selectAll().orderBy('base_price_micros').execute()

/** True if the plan exists. */
export const planExists = async (db: Db, planId: number): Promise<boolean> =>
  (await db.selectFrom('plan').select('id').where('id', '=', planId).executeTakeFirst()) !== undefined

/** The subscriptions of accounts as stored, by account. Accounts that never had one are missing. */
export function subscriptionRows(db: Db, accountIds: readonly number[]): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('subscription as s')
    .innerJoin('plan as p', 'p.id', 's.plan_id')
    .select([
      's.status',
      's.trial_started_at as trialStartedAt',
      's.trial_ends_at as trialEndsAt',
      's.period_ends_at as periodEndsAt',
      's.cancel_at_period_end as cancelAtPeriodEnd',
      's.past_due_since as pastDueSince',
      's.account_id as accountId',
      's.plan_since as planSince',
      'p.id as planId',
      'p.name as planName',
      'p.max_merchants as maxMerchants',
      'p.max_profiles as maxProfiles',
      'p.max_spend_micros as maxSpendMicros',
    ])
    .where('s.account_id', '=', sql<number>`any(${[...accountIds]}::bigint[])`)
    .orderBy('s.account_id')
    .execute()
}

type SubscriptionJson = Omit<StoredSubscription, DateOf> & Record<DateOf, string | null> & { accountId: number }
export interface AccessColumns {
  subscriptions: SubscriptionJson[]
  /** The current merchant's trial; null if no merchant is selected. */
  merchantTrial: MerchantTrial | null
}
type DateOf = 'trialStartedAt' | 'trialEndsAt' | 'periodEndsAt' | 'pastDueSince'

/**
 * For a select list: the subscriptions of an account and of all members of a merchant, and that merchant's trial. Dates are
 * in ISO 8601.
 */
export function accessColumns(
  accountId: RawBuilder<unknown>,
  merchantId: RawBuilder<unknown>,
): RawBuilder<AccessColumns> {
  return sql<AccessColumns>`
  ${merchantTrial(merchantId)} as "merchantTrial",
  (select coalesce(jsonb_agg(jsonb_build_object('accountId', s.account_id, 'status', s.status, 'trialStartedAt', s.trial_started_at,
      'trialEndsAt', s.trial_ends_at, 'periodEndsAt', s.period_ends_at, 'cancelAtPeriodEnd', s.cancel_at_period_end,
      'pastDueSince', s.past_due_since)), '[]') from subscription s where s.account_id in (select ${accountId} union ${membersOf(merchantId)})) as subscriptions`
}

/** Records the trial with the account; false if the account had one before. */
export async function takeAccountTrial(db: Db, accountId: number, trial: { start: Date; end: Date }): Promise<boolean> {
  const result = await db
    .updateTable('account')
    .set({ has_used_trial: true, trial_started_at: trial.start, trial_ends_at: trial.end })
    .where('id', '=', accountId)
    .where('has_used_trial', '=', false)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Inserts a subscription on trial. */
export async function insertTrial(
  db: Db,
  accountId: number,
  planId: number,
  trial: { start: Date; end: Date },
): Promise<void> {
  await db
    .insertInto('subscription')
    .values({
      account_id: accountId,
      plan_id: planId,
      status: 'trialing',
      trial_started_at: trial.start,
      trial_ends_at: trial.end,
      period_ends_at: trial.end,
      canceled_at: null,
      past_due_since: null,
      plan_since: trial.start,
      created_at: trial.start,
      updated_at: trial.start,
    })
    .execute()
}

/** Changes the plan of a subscription; its limits count from now. */
export async function changePlan(db: Db, accountId: number, planId: number, now: Date): Promise<void> {
  await db
    .updateTable('subscription')
    .set({ plan_id: planId, plan_since: now, updated_at: now })
    .where('account_id', '=', accountId)
    .execute()
}

/** Lets the subscription end at the end of its period. */
export async function cancelAtPeriodEnd(db: Db, accountId: number, now: Date): Promise<void> {
  await db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true, updated_at: now })
    .where('account_id', '=', accountId)
    .execute()
}

/** Ends the subscription now. */
export async function cancelNow(db: Db, accountId: number, now: Date): Promise<void> {
  await db
    .updateTable('subscription')
    .set({ status: 'canceled', canceled_at: now, cancel_at_period_end: false, updated_at: now })
    .where('account_id', '=', accountId)
    .execute()
}
