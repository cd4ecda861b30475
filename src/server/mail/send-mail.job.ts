import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Services } from '../context.ts'
import { defineJob } from '../jobs/define-job.ts'
import { markUndeliverable, unsentMail, recordFailedAttempt, settleMail } from './outbox.ts'

/** What this room asks of a door to a mail server. */
export interface OutgoingMail {
  send(message: {
    to: string
    subject: string
    text: string
    html: string
    messageId: string
  }): Promise<{ outcome: 'delivered' } | { outcome: 'permanent' | 'retry'; reason: string }>
}

// The platform may not know the doors; main opens this one under this name.
function mailerOf({ integrations }: Services): OutgoingMail {
  const { mailer } = integrations as { mailer?: OutgoingMail }
  if (!mailer) throw new Error('no mailer is open')
  return mailer
}

const domainOf = (config: Config): string => /@([^@\s>]+)>?\s*$/.exec(config.MAIL_FROM)?.[1] ?? 'localhost'

/**
 * Hands one mail to the mail server. A mail sent twice (the process died in between) bears the same Message-ID. What the
 * server refuses for good is noted and not repeated; what may go later is tried for a day.
 */
export const sendMailJob = defineJob({
  name: 'send-mail',
  data: z.object({ id: z.number() }),
  // Waits double up to 5 minutes: 9 tries in the first 9 minutes, 287 more make a day.
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
      throw new Error(`the mail server did not take mail ${id}: ${result.reason}`)
    }
    const refused = result.outcome === 'permanent'
    if (refused) log.warn({ mailId: id, reason: result.reason }, 'a mail was refused')
    await settleMail(db.system, id, {
      state: refused ? 'REFUSED' : 'DELIVERED',
      reason: refused ? result.reason : null,
      now: clock.now(),
    })
  },
  onFinalFailure: async ({ db, clock }, { id }) => markUndeliverable(db.system, id, clock.now()),
})
