import { z } from 'zod'
import type { JobDefinition, Services } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { defineJob, defineScheduledJob } from '../jobs/define-job.ts'

export interface MailContent {
  subject: string
  text: string
  html: string
}

/** A file that a mail carries; small, because it is in the database until the mail is sent. */
export interface MailAttachment {
  name: string
  mediaType: string
  bytes: Buffer
}

interface Mail extends MailContent {
  to: string
  /** Identifies the reason for the mail: no second mail with the same key is written. */
  dedupeKey: string
  attachment?: MailAttachment | null
  /** For mails that come regularly: a POST to it ends them, without a log-in. */
  unsubscribeUrl?: string
}

/** Queues a mail within the transaction. Returns its id, or null if there is one with the same `dedupeKey` already. */
export async function queueMail(
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
  tx: Db,
  { to, dedupeKey, subject, text, html, attachment, unsubscribeUrl }: Mail,
): Promise<number | null> {
  const row = { to_address: to, subject, text, html, dedupe_key: dedupeKey, created_at: clock.now() }
  const inserted = await tx
    .insertInto('mail_outbox')
    .values({
      ...row,
      last_error: null,
      settled_at: null,
      attachment: attachment?.bytes ?? null,
      attachment_name: attachment?.name ?? null,
      attachment_type: attachment?.mediaType ?? null,
      unsubscribe_url: unsubscribeUrl ?? null,
    })
    .onConflict(conflict => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return null
  await jobs.send(tx, sendMailJob, inserted)
  return inserted.id
}

/** True if there is a mail with this dedupe key, sent or not. */
export const isMailQueued = async (db: Db, dedupeKey: string): Promise<boolean> =>
  (await db.selectFrom('mail_outbox').select('id').where('dedupe_key', '=', dedupeKey).executeTakeFirst()) !== undefined

/** What this room needs of a mail client. */
interface OutgoingMail {
  send(
    message: MailContent & {
      to: string
      messageId: string
      attachment?: MailAttachment | null
      unsubscribeUrl?: string | null
    },
  ): Promise<{ outcome: 'delivered' } | { outcome: 'permanent' | 'retry'; reason: string }>
}

// The platform must not import integrations; main registers the mail client under this name.
function mailerOf({ integrations }: Services): OutgoingMail {
  const { mailer } = integrations as { mailer?: OutgoingMail }
  if (!mailer) throw new Error('there is no mailer')
  return mailer
}

/**
 * Sends one mail. If the process dies in between, the mail is sent twice, with the same Message-ID. A mail that the server
 * rejects for good is not sent again; other failures are retried for a day. Once it is settled its text is deleted, because
 * it contains links; after the last attempt it stays, because an operator may retry the job.
 */
export const sendMailJob = defineJob({
  name: 'send-mail',
  data: z.object({ id: z.number() }),
  // Delays double up to 5 minutes: 9 attempts in the first 9 minutes, then 287 until a day has passed.
  retryLimit: 296,
  concurrency: 4,
  run: async (services, { id }) => {
    const { db, log, clock, config } = services
    const mail = await db.system
      .selectFrom('mail_outbox')
      .select(['to_address as to', 'subject', 'text', 'html'])
      .select(['attachment as bytes', 'attachment_name as name', 'attachment_type as mediaType'])
      .select('unsubscribe_url as unsubscribeUrl')
      .where('id', '=', id)
      .where('state', 'in', ['PENDING', 'GIVEN_UP'])
      .executeTakeFirst()
    if (!mail || mail.text === null || mail.html === null) return
    const domain = /@([^@\s>]+)>?\s*$/.exec(config.MAIL_FROM)?.[1] ?? 'localhost'
    const { to, subject, text, html, bytes, name, mediaType, unsubscribeUrl } = mail
    // The embedded database answers plain bytes.
    const attachment = bytes && name && mediaType ? { bytes: Buffer.from(bytes), name, mediaType } : null
    const message = { to, subject, text, html, attachment, unsubscribeUrl, messageId: `<outbox-${id}@${domain}>` }
    const result = await mailerOf(services).send(message)
    const reason = result.outcome === 'delivered' ? null : result.reason
    const isDone = result.outcome !== 'retry'
    await db.system
      .updateTable('mail_outbox')
      .set(row => ({
        attempts: row('attempts', '+', 1),
        last_error: reason,
        state: isDone ? (reason === null ? 'DELIVERED' : 'REFUSED') : 'PENDING',
        ...(isDone && { settled_at: clock.now(), text: null, html: null, attachment: null, unsubscribe_url: null }),
      }))
      .where('id', '=', id)
      .execute()
    if (!isDone) throw new Error(`the mail server did not accept mail ${id}: ${reason}`)
    if (reason !== null) log.warn({ mailId: id, reason }, 'a mail was rejected')
  },
  onFinalFailure: async ({ db, clock }, { id }) => {
    const changes = { state: 'GIVEN_UP' as const, settled_at: clock.now() }
    await db.system
      .updateTable('mail_outbox')
      .set(changes)
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .execute()
  },
})

const retentionMs = 90 * 86_400_000

/** Every night, deletes the records of mails that are older than 90 days. */
export const purgeMailsJob = defineScheduledJob({
  name: 'purge-mails',
  cron: '17 3 * * *',
  run: async ({ db, clock, log }) => {
    const before = new Date(clock.now().getTime() - retentionMs)
    const { numDeletedRows } = await db.system
      .deleteFrom('mail_outbox')
      .where('created_at', '<', before)
      .executeTakeFirst()
    log.info({ removed: Number(numDeletedRows) }, 'old mails removed')
  },
})

// Jobs with different data have no other common type.
export const mailJobs = [sendMailJob, purgeMailsJob] as unknown as JobDefinition<never>[]
