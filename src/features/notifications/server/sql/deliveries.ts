import { isSessionActive } from '#features/auth/server/public.ts'
import type { Db, Row } from '#server/db/tables.ts'

/** A notification on its way to one browser. */
export interface DeliveryKey {
  notificationId: number
  subscriptionId: number
}

/** Inserts a delivery to each of these browsers. */
export async function insertDeliveries(tx: Db, notificationId: number, subscriptionIds: readonly number[]) {
  if (!subscriptionIds.length) return
  await tx
    .insertInto('push_delivery')
    .values(
      subscriptionIds.map(id => ({
        notification_id: notificationId,
        subscription_id: id,
        last_error: null,
        settled_at: null,
      })),
    )
    .execute()
}

/** A delivery that is still to be sent; undefined once it is settled or its browser is gone. */
export function deliveryToSend(db: Db, { notificationId, subscriptionId }: DeliveryKey, now: Date) {
  return db
    .selectFrom('push_delivery as d')
    .innerJoin('notification as n', 'n.id', 'd.notification_id')
    .innerJoin('push_subscription as s', 's.id', 'd.subscription_id')
    .select([
      'd.attempts',
      'n.kind',
      'n.cause',
      'n.title',
      'n.body',
      'n.url',
      'n.push_until as until',
      'n.account_id as recipientId',
      's.account_id as accountId',
      's.endpoint',
      's.keys_sealed as keysSealed',
      's.key_id as keyId',
      isSessionActive('s.session_id', now).as('isActive'),
    ])
    .where('d.notification_id', '=', notificationId)
    .where('d.subscription_id', '=', subscriptionId)
    .where('d.state', '=', 'PENDING')
    .executeTakeFirst()
}

/** Records an attempt that will be repeated. */
export async function recordAttempt(tx: Db, key: DeliveryKey, reason: string): Promise<void> {
  await tx
    .updateTable('push_delivery')
    .set(row => ({ attempts: row('attempts', '+', 1), last_error: reason }))
    .where('notification_id', '=', key.notificationId)
    .where('subscription_id', '=', key.subscriptionId)
    .execute()
}

/** Records the end of a delivery. */
export async function settleDelivery(
  db: Db,
  key: DeliveryKey,
  end: { state: Exclude<Row<'push_delivery'>['state'], 'PENDING'>; reason: string | null; now: Date },
): Promise<void> {
  await db
    .updateTable('push_delivery')
    .set(row => ({
      state: end.state,
      attempts: row('attempts', '+', 1),
      last_error: end.reason,
      settled_at: end.now,
    }))
    .where('notification_id', '=', key.notificationId)
    .where('subscription_id', '=', key.subscriptionId)
    .where('state', '=', 'PENDING')
    .execute()
}
