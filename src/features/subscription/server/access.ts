import { type RawBuilder, sql } from 'kysely'
import { membersOf, type MerchantTrial, merchantTrial } from '#features/accounts/server/public.ts'
import type { Actor } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type StoredSubscription, standingOf } from '../rules.ts'

/** The rights that the server checks before each call. */
type Access = Pick<Actor, 'hasAccess' | 'mayConnect'>

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

/** The subscriptions that may give access, and the current merchant's trial. */
interface AccessTerms {
  subscriptions: (StoredSubscription & { accountId: number })[]
  merchantTrial: MerchantTrial | null
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** The columns with their dates. */
export const toAccessTerms = ({ subscriptions, merchantTrial }: AccessColumns): AccessTerms => ({
  merchantTrial,
  subscriptions: subscriptions.map(one => ({
    ...one,
    trialStartedAt: dateOf(one.trialStartedAt),
    trialEndsAt: dateOf(one.trialEndsAt),
    periodEndsAt: dateOf(one.periodEndsAt),
    pastDueSince: dateOf(one.pastDueSince),
  })),
})

/**
 * The access that these subscriptions give an account at a moment: through its own subscription or that of another member of
 * the current merchant, so that invited users need none.
 */
export function accessAt({ subscriptions, merchantTrial }: AccessTerms, accountId: number, now: Date): Access {
  const hasAccess = subscriptions.some(one => givesAccess(one, merchantTrial, now))
  const own = subscriptions.find(one => one.accountId === accountId)
  return { hasAccess, mayConnect: hasAccess || !own || givesAccess(own, null, now) }
}

/** Whether a subscription gives access to a merchant with this trial; null if no merchant is meant. */
export function givesAccess(
  stored: StoredSubscription & { accountId: number },
  trial: MerchantTrial | null,
  now: Date,
): boolean {
  const { hasAccess, isTrialActive } = standingOf(stored, now)
  return hasAccess && !(isTrialActive && isTrialOfOther(trial, stored.accountId))
}

/** Whether a merchant used its trial with another account, so that the trial of this account does not cover it. */
export const isTrialOfOther = (trial: MerchantTrial | null, accountId: number): boolean =>
  trial !== null && trial.isUsed && trial.accountId !== accountId

/** The merchants among these to which a member's subscription gives access at a moment. */
export async function coveredMerchants(db: Db, merchantIds: readonly number[], now: Date): Promise<Set<number>> {
  const { rows } = await sql<AccessColumns & { merchantId: number }>`
    select m.merchant_id as "merchantId", ${accessColumns(sql`null::bigint`, sql`m.merchant_id`)}
    from unnest(${[...merchantIds]}::bigint[]) as m(merchant_id)`.execute(db)
  return new Set(rows.filter(row => accessAt(toAccessTerms(row), 0, now).hasAccess).map(row => row.merchantId))
}
