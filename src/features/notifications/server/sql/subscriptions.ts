import { isSessionActive } from '#features/auth/server/public.ts'
import type { Db } from '#server/db/tables.ts'

export interface Subscription {
  accountId: number
  sessionId: string
  endpoint: string
  keysSealed: string
  keyId: string
}

/** The owner and sealed keys of an endpoint, locked until the transaction ends; undefined if it has none. */
export function subscriptionByEndpoint(tx: Db, endpoint: string) {
  return tx
    .selectFrom('push_subscription')
    .select(['account_id as accountId', 'keys_sealed as keysSealed'])
    .where('endpoint', '=', endpoint)
    .forUpdate()
    .executeTakeFirst()
}

/** Assigns an endpoint to an account and session, also one that another account had. */
export async function upsertSubscription(tx: Db, subscription: Subscription, now: Date): Promise<void> {
  const values = {
    account_id: subscription.accountId,
    session_id: subscription.sessionId,
    keys_sealed: subscription.keysSealed,
    key_id: subscription.keyId,
    seen_at: now,
  }
  await tx
    .insertInto('push_subscription')
    .values({ ...values, endpoint: subscription.endpoint, created_at: now })
    .onConflict(conflict => conflict.column('endpoint').doUpdateSet(values))
    .execute()
}

/** Deletes all browsers of an account except the `count` seen last. */
export async function deleteAllButLatest(tx: Db, accountId: number, count: number): Promise<void> {
  await tx
    .deleteFrom('push_subscription')
    .where('id', 'in', from =>
      from
        .selectFrom('push_subscription')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(count),
    )
    .execute()
}

/** The browsers of an account whose session is active. */
export async function activeSubscriptions(db: Db, accountId: number, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('push_subscription')
    .select('id')
    .where('account_id', '=', accountId)
    .where(isSessionActive('push_subscription.session_id', now))
    .execute()
  return rows.map(row => row.id)
}

/** Deletes one of an account's browsers, if it has it. */
export async function deleteSubscription(db: Db, accountId: number, endpoint: string): Promise<void> {
  await db
    .deleteFrom('push_subscription')
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .execute()
}

/** Deletes a browser that is gone. */
export async function deleteSubscriptionById(db: Db, id: number): Promise<void> {
  await db.deleteFrom('push_subscription').where('id', '=', id).execute()
}

/** Deletes the browsers, of one account or of all, whose session has ended; returns how many. */
export async function deleteExpiredSubscriptions(db: Db, now: Date, accountId?: number): Promise<number> {
  let expired = db
    .deleteFrom('push_subscription')
    .where(where => where.not(isSessionActive('push_subscription.session_id', now)))
  if (accountId !== undefined) expired = expired.where('account_id', '=', accountId)
  const result = await expired.executeTakeFirst()
  return Number(result.numDeletedRows)
}
