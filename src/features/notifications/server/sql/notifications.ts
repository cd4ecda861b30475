import type { Db } from '#server/db/tables.ts'
import type { NotificationText, NotificationKind } from '../../rules.ts'

export interface NewNotification extends NotificationText {
  accountId: number
  /** Null if it is about the account itself. */
  merchantId: number | null
  kind: NotificationKind
  /** What it is about, at most 32 characters of base64url: the topic of the push. */
  cause: string
  /** Identifies one event of the cause. */
  occasion: string
}

/** Inserts a notification. Returns its id, or null if there is one for the same occasion already. */
export async function insertNotification(
  db: Db,
  notification: NewNotification,
  now: Date,
  pushUntil: Date,
): Promise<number | null> {
  const row = await db
    .insertInto('notification')
    .values({
      account_id: notification.accountId,
      merchant_id: notification.merchantId,
      kind: notification.kind,
      cause: notification.cause,
      occasion: notification.occasion,
      title: notification.title,
      body: notification.body,
      url: notification.url,
      created_at: now,
      read_at: null,
      push_until: pushUntil,
    })
    .onConflict(conflict => conflict.columns(['account_id', 'cause', 'occasion']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Deletes the notifications from before a moment; returns how many. */
export async function deleteNotificationsBefore(db: Db, before: Date): Promise<number> {
  const result = await db.deleteFrom('notification').where('created_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
