import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import type { SubscriptionState } from '../contract.ts'
import type { StoredSubscription } from '../rules.ts'

/** The subscriptions of accounts as stored, by account. Accounts that never had one are missing. Prices are a month, in USD. */
export function subscriptionRows(db: Db, accountIds: readonly number[]) {
  return db
    .selectFrom('subscription as s')
    .innerJoin('plan as p', 'p.id', 's.plan_id')
    .select(['s.status', 's.trial_started_at as trialStartedAt', 's.trial_ends_at as trialEndsAt'])
    .select(['s.period_started_at as periodStartedAt', 's.period_ends_at as periodEndsAt'])
    .select(['s.cancel_at_period_end as cancelAtPeriodEnd', 's.past_due_since as pastDueSince'])
    .select(['s.account_id as accountId', 's.plan_since as planSince', 's.read_at as readAt'])
    .select(['s.stripe_subscription_id as stripeSubscriptionId', 's.stripe_item_id as stripeItemId'])
    .select(['s.open_invoice_id as openInvoiceId', 's.payment_error as paymentError', 's.has_card as hasCard'])
    .select(['p.id as planId', 'p.name as planName', 'p.type as planType', 'p.max_merchants as maxMerchants'])
    .select(['p.max_profiles as maxProfiles', 'p.max_spend_micros as maxSpendMicros'])
    .select(['p.base_price_micros as basePriceMicros', 'p.stripe_price_id as stripePriceId'])
    .select(['p.minimum_taxable_price_micros as minimumTaxablePriceMicros'])
    .select(['p.ad_spend_percentage as adSpendPercentage'])
    .where('s.account_id', '=', sql<number>`any(${[...accountIds]}::bigint[])`)
    .orderBy('s.account_id')
    .execute()
}

export type SubscriptionRow = Awaited<ReturnType<typeof subscriptionRows>>[number]

/**
 * An account's subscription as stored, with its plan, the provider's ids and the current period; null if it never had one.
 * Without `stripeSubscriptionId` it is a trial that nobody pays. `standingOf` of the rules says what it means at a moment.
 */
export async function storedSubscription(db: Db, accountId: number): Promise<SubscriptionRow | null> {
  return (await subscriptionRows(db, [accountId]))[0] ?? null
}

const billed: readonly SubscriptionRow['status'][] = ['trialing', 'active', 'past_due', 'unpaid']

/** Whether the payment provider bills it, or will: an account may have one such subscription only. */
export const isBilled = (row: Pick<SubscriptionRow, 'stripeSubscriptionId' | 'status'>): boolean =>
  row.stripeSubscriptionId !== null && billed.includes(row.status)

type StandingRow = Pick<
  Row<'subscription'>,
  'status' | 'trial_started_at' | 'trial_ends_at' | 'period_ends_at' | 'cancel_at_period_end' | 'past_due_since'
>

/** What the rules read of a row. */
export const standingColumns = (row: StandingRow): StoredSubscription => ({
  status: row.status,
  trialStartedAt: row.trial_started_at,
  trialEndsAt: row.trial_ends_at,
  periodEndsAt: row.period_ends_at,
  cancelAtPeriodEnd: row.cancel_at_period_end,
  pastDueSince: row.past_due_since,
})

/** For a select list: how an account `a` stands with its own subscription; LATE is one whose payment failed. */
export const subscriptionState = (now: Date): RawBuilder<SubscriptionState> =>
  sql<SubscriptionState>`coalesce((select case
      when s.status = 'trialing' and s.trial_ends_at > ${now} then 'TRIAL'
      when s.status = 'active' and not (s.cancel_at_period_end and coalesce(s.period_ends_at <= ${now}, false)) then 'ACTIVE'
      when s.status in ('past_due', 'unpaid', 'incomplete') then 'LATE'
      else 'ENDED' end from subscription s where s.account_id = a.id), 'NONE')`
