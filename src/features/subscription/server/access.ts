import { sql } from 'kysely'
import type { MerchantTrial } from '#features/accounts/server/public.ts'
import type { Actor } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type StoredSubscription, standingOf } from '../rules.ts'
import { type AccessColumns, accessColumns } from './sql.ts'

/** The rights that the server checks before each call. */
export type Access = Pick<Actor, 'hasAccess' | 'mayConnect'>

/**
 * The access that these subscriptions give an account at a moment: through its own subscription or that of another member of
 * the current merchant, so that invited users need none.
 */
export function accessAt({ subscriptions, merchantTrial }: AccessColumns, accountId: number, now: Date): Access {
  const stored = subscriptions.map(one => ({
    ...one,
    trialStartedAt: dateOf(one.trialStartedAt),
    trialEndsAt: dateOf(one.trialEndsAt),
    periodEndsAt: dateOf(one.periodEndsAt),
    pastDueSince: dateOf(one.pastDueSince),
  }))
  const hasAccess = stored.some(one => givesAccess(one, merchantTrial, now))
  const own = stored.find(one => one.accountId === accountId)
  return { hasAccess, mayConnect: hasAccess || !own || givesAccess(own, null, now) }
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

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

/** The access of an account to a merchant (null if none is selected) at a moment. */
export async function accessOf(db: Db, accountId: number, merchantId: number | null, now: Date): Promise<Access> {
  const columns = accessColumns(sql`${accountId}::bigint`, sql`${merchantId}::bigint`)
  const { rows } = await sql<AccessColumns>`select ${columns}`.execute(db)
  return accessAt(rows[0] ?? { subscriptions: [], merchantTrial: null }, accountId, now)
}

/** The merchants among these to which a member's subscription gives access at a moment. */
export async function coveredMerchants(db: Db, merchantIds: readonly number[], now: Date): Promise<Set<number>> {
  const { rows } = await sql<AccessColumns & { merchantId: number }>`
    select m.merchant_id as "merchantId", ${accessColumns(sql`null::bigint`, sql`m.merchant_id`)}
    from unnest(${[...merchantIds]}::bigint[]) as m(merchant_id)`.execute(db)
  return new Set(rows.filter(row => accessAt(row, 0, now).hasAccess).map(row => row.merchantId))
}
