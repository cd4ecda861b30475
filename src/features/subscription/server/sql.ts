import { type Generated, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Plan, Subscription } from '../contract.ts'
import type { StoredSubscription } from '../rules.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    plan: {
      id: number
      name: string
      type: Plan['type']
      base_price_micros: number
      minimum_taxable_price_micros: number
      ad_spend_percentage: number
      stripe_price_id: string | null
    }
    subscription: {
      id: GeneratedAlways<number>
      account_id: number
      plan_id: number
      status: Subscription['status']
      trial_started_at: Date | null
      trial_ends_at: Date | null
      period_ends_at: Date | null
      cancel_at_period_end: Generated<boolean>
      canceled_at: Date | null
      past_due_since: Date | null
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
  }
}

export interface SubscriptionRow extends StoredSubscription {
  planId: number
  planName: string
}

/** Every plan, the cheapest first. */
export const allPlans = (db: Db) => db.selectFrom('plan').selectAll().orderBy('base_price_micros').execute()

/** True when there is such a plan. */
export const planExists = async (db: Db, planId: number): Promise<boolean> =>
  (await db.selectFrom('plan').select('id').where('id', '=', planId).executeTakeFirst()) !== undefined

/** An account's subscription as stored; undefined when it never had one. */
export const subscriptionRow = (db: Db, accountId: number): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('subscription as s')
    .innerJoin('plan as p', 'p.id', 's.plan_id')
    .select([
      's.status',
      's.trial_started_at as trialStartedAt',
      's.trial_ends_at as trialEndsAt',
      's.period_ends_at as periodEndsAt',
      's.cancel_at_period_end as cancelAtPeriodEnd',
      's.past_due_since as pastDueSince',
      'p.id as planId',
      'p.name as planName',
    ])
    .where('s.account_id', '=', accountId)
    .executeTakeFirst()

export interface AccessColumns {
  subscriptions: (Omit<StoredSubscription, DateOf> & Record<DateOf, string | null>)[]
}
type DateOf = 'trialStartedAt' | 'trialEndsAt' | 'periodEndsAt' | 'pastDueSince'

/** The subscriptions of these accounts in one column, for a select list; dates in ISO 8601. */
export const accessColumns = (accounts: RawBuilder<unknown>): RawBuilder<AccessColumns> => sql<AccessColumns>`
  (select coalesce(jsonb_agg(jsonb_build_object('status', s.status, 'trialStartedAt', s.trial_started_at,
      'trialEndsAt', s.trial_ends_at, 'periodEndsAt', s.period_ends_at, 'cancelAtPeriodEnd', s.cancel_at_period_end,
      'pastDueSince', s.past_due_since)), '[]') from subscription s where s.account_id in (${accounts})) as subscriptions`

/** Notes the trial with the account; false when the account had one before. */
export const useAccountTrial = async (
  db: Db,
  accountId: number,
  trial: { start: Date; end: Date },
): Promise<boolean> => {
  const result = await db
    .updateTable('account')
    .set({ has_used_trial: true, trial_started_at: trial.start, trial_ends_at: trial.end })
    .where('id', '=', accountId)
    .where('has_used_trial', '=', false)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Adds a subscription on trial. */
export const insertTrial = async (
  db: Db,
  accountId: number,
  planId: number,
  trial: { start: Date; end: Date },
): Promise<void> => {
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
      created_at: trial.start,
      updated_at: trial.start,
    })
    .execute()
}

/** Lets the subscription end with its period. */
export const cancelAtPeriodEnd = async (db: Db, accountId: number, now: Date): Promise<void> => {
  await db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true, updated_at: now })
    .where('account_id', '=', accountId)
    .execute()
}

/** Ends the subscription now. */
export const cancelNow = async (db: Db, accountId: number, now: Date): Promise<void> => {
  await db
    .updateTable('subscription')
    .set({ status: 'canceled', canceled_at: now, cancel_at_period_end: false, updated_at: now })
    .where('account_id', '=', accountId)
    .execute()
}
