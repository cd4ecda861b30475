import type { Db, Row } from '../db/tables.ts'

/** PENDING waits, also for another try; REFUSED will never go; GIVEN_UP was tried for a day. */
export type MailState = Row<'mail_outbox'>['state']

export interface MailContent {
  subject: string
  text: string
  html: string
}

export interface Mail extends MailContent {
  /** One address. */
  to: string
  /** Identifies the reason for the mail: no second mail with the same key is written. */
  dedupeKey: string
}

/** Inserts a mail. Returns its id, or null if there is one with this dedupe key already. */
export async function insertMail(db: Db, mail: Mail, now: Date): Promise<number | null> {
  const row = await db
    .insertInto('mail_outbox')
    .values({
      to_address: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      dedupe_key: mail.dedupeKey,
      last_error: null,
      created_at: now,
      settled_at: null,
    })
    .onConflict(conflict => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** True if there is a mail with this dedupe key, sent or not. */
export const isMailQueued = async (db: Db, dedupeKey: string): Promise<boolean> =>
  (await db.selectFrom('mail_outbox').select('id').where('dedupe_key', '=', dedupeKey).executeTakeFirst()) !== undefined

/** A mail that is still to be sent; undefined once it is delivered or rejected. */
export async function unsentMail(db: Db, id: number) {
  const row = await db
    .selectFrom('mail_outbox')
    .select(['id', 'to_address as to', 'subject', 'text', 'html'])
    .where('id', '=', id)
    .where('state', 'in', ['PENDING', 'GIVEN_UP'])
    .executeTakeFirst()
  return row && row.text !== null && row.html !== null ? { ...row, text: row.text, html: row.html } : undefined
}

/** Records an attempt that failed and will be repeated. */
export async function recordFailedAttempt(db: Db, id: number, reason: string): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set(row => ({ attempts: row('attempts', '+', 1), last_error: reason, state: 'PENDING' as const }))
    .where('id', '=', id)
    .execute()
}

/** Records that a mail was delivered or rejected, and deletes its text, which contains links. */
export async function settleMail(
  db: Db,
  id: number,
  end: { state: 'DELIVERED' | 'REFUSED'; reason: string | null; now: Date },
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set(row => ({
      state: end.state,
      attempts: row('attempts', '+', 1),
      last_error: end.reason,
      settled_at: end.now,
      text: null,
      html: null,
    }))
    .where('id', '=', id)
    .execute()
}

/** Records that the last attempt has failed. The text stays, because an operator may retry the job. */
export async function markUndeliverable(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ state: 'GIVEN_UP', settled_at: now })
    .where('id', '=', id)
    .where('state', '=', 'PENDING')
    .execute()
}

/** Deletes the mails written before a moment; returns how many. */
export async function deleteMailsBefore(db: Db, before: Date): Promise<number> {
  const result = await db.deleteFrom('mail_outbox').where('created_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
