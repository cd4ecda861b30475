import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Services } from '../context.ts'
import { defineJob } from '../jobs/define-job.ts'
import { markUndeliverable, unsentMail, recordFailedAttempt, settleMail } from './outbox.ts'

/** What this room needs of a mail client. */
export interface OutgoingMail {
  send(message: {
    to: string
    subject: string
    text: string
    html: string
    messageId: string
  }): Promise<{ outcome: 'delivered' } | { outcome: 'permanent' | 'retry'; reason: string }>
}

// The platform must not import integrations; main registers the mail client under this name.
function mailerOf({ integrations }: Services): OutgoingMail {
  const { mailer } = integrations as { mailer?: OutgoingMail }
  if (!mailer) throw new Error('there is no mailer')
  return mailer
}

const domainOf = (config: Config): string => /@([^@\s>]+)>?\s*$/.exec(config.MAIL_FROM)?.[1] ?? 'localhost'

/**
 * Sends one mail. If the process dies in between, the mail is sent twice, with the same Message-ID. A mail that the server
 * rejects for good is not sent again; other failures are retried for a day.
 */
export const sendMailJob = defineJob({
  name: 'send-mail',
  data: z.object({ id: z.number() }),
  // Delays double up to 5 minutes: 9 attempts in the first 9 minutes, then 287 until a day has passed.
  retryLimit: 296,
  concurrency: 4,
  run: async (services, { id }) => {
    const { db, log, clock, config } = services
    const mail = await unsentMail(db.system, id)
    if (!mail) return
    const { to, subject, text, html } = mail
    const messageId = `<outbox-${id}@${domainOf(config)}>`
    const result = await mailerOf(services).send({ to, subject, text, html, messageId })
    if (result.outcome === 'retry') {
      await recordFailedAttempt(db.system, id, result.reason)
      throw new Error(`the mail server did not accept mail ${id}: ${result.reason}`)
    }
    const isRejected = result.outcome === 'permanent'
    if (isRejected) log.warn({ mailId: id, reason: result.reason }, 'a mail was rejected')
    await settleMail(db.system, id, {
      state: isRejected ? 'REFUSED' : 'DELIVERED',
      reason: isRejected ? result.reason : null,
      now: clock.now(),
    })
  },
  onFinalFailure: async ({ db, clock }, { id }) => markUndeliverable(db.system, id, clock.now()),
})
