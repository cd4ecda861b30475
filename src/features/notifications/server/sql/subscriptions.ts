import { isSessionActive } from '#features/auth/server/public.ts'
import type { Db } from '#server/db/tables.ts'

export interface Subscription {
  accountId: number
  sessionId: string
  endpoint: string
  keysSealed: string
  keyId: string
}

/** Whose an endpoint is and its sealed keys, locked until the transaction ends; undefined when nobody's. */
export function holderOf(tx: Db, endpoint: string) {
  return tx
    .selectFrom('push_subscription')
    .select(['account_id as accountId', 'keys_sealed as keysSealed'])
    .where('endpoint', '=', endpoint)
    .forUpdate()
    .executeTakeFirst()
}

/** Binds an endpoint to an account and its log-in, whosever it was. */
export async function putSubscription(tx: Db, given: Subscription, now: Date): Promise<void> {
  const values = {
    account_id: given.accountId,
    session_id: given.sessionId,
    keys_sealed: given.keysSealed,
    key_id: given.keyId,
    seen_at: now,
  }
  await tx
    .insertInto('push_subscription')
    .values({ ...values, endpoint: given.endpoint, created_at: now })
    .onConflict(conflict => conflict.column('endpoint').doUpdateSet(values))
    .execute()
}

/** Keeps the browsers of an account that were seen last, at most `most`. */
export async function keepLatest(tx: Db, accountId: number, most: number): Promise<void> {
  await tx
    .deleteFrom('push_subscription')
    .where('id', 'in', from =>
      from
        .selectFrom('push_subscription')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(most),
    )
    .execute()
}

/** The browsers of an account whose log-in is in force. */
export async function subscriptionsInForce(db: Db, accountId: number, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('push_subscription')
    .select('id')
    .where('account_id', '=', accountId)
    .where(isSessionActive('push_subscription.session_id', now))
    .execute()
  return rows.map(row => row.id)
}

/** Removes an account's browser; nothing happens when it has no such. */
export async function deleteSubscription(db: Db, accountId: number, endpoint: string): Promise<void> {
  await db
    .deleteFrom('push_subscription')
    .where('account_id', '=', accountId)
    .where('endpoint', '=', endpoint)
    .execute()
}

/** Removes a browser that is gone. */
export async function deleteSubscriptionById(db: Db, id: number): Promise<void> {
  await db.deleteFrom('push_subscription').where('id', '=', id).execute()
}

/** Removes the browsers (of one account, or of all) whose log-in is over; returns how many. */
export async function deleteOrphans(db: Db, now: Date, accountId?: number): Promise<number> {
  let orphans = db
    .deleteFrom('push_subscription')
    .where(where => where.not(isSessionActive('push_subscription.session_id', now)))
  if (accountId !== undefined) orphans = orphans.where('account_id', '=', accountId)
  const result = await orphans.executeTakeFirst()
  return Number(result.numDeletedRows)
}
