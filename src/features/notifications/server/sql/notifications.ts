import type { Db } from '#server/db/tables.ts'
import type { NewsText, NotificationKind } from '../../rules.ts'

export interface News extends NewsText {
  accountId: number
  /** Null where it is about the account itself. */
  merchantId: number | null
  kind: NotificationKind
  /** What it is about, at most 32 characters of base64url; see the migration. */
  cause: string
  /** Names this one event of the cause. */
  occasion: string
}

/** Writes a notification; its id, or null when the occasion was told already. */
export async function insertNotification(db: Db, news: News, now: Date, pushUntil: Date): Promise<number | null> {
  const row = await db
    .insertInto('notification')
    .values({
      account_id: news.accountId,
      merchant_id: news.merchantId,
      kind: news.kind,
      cause: news.cause,
      occasion: news.occasion,
      title: news.title,
      body: news.body,
      url: news.url,
      created_at: now,
      read_at: null,
      push_until: pushUntil,
    })
    .onConflict(conflict => conflict.columns(['account_id', 'cause', 'occasion']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Removes what was told before a moment; returns how many. */
export async function deleteNotificationsBefore(db: Db, before: Date): Promise<number> {
  const result = await db.deleteFrom('notification').where('created_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
