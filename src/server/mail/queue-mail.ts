import type { Services } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { insertMail, type Mail } from './outbox.ts'
import { sendMailJob } from './send-mail.job.ts'

/**
 * Queues a mail within the caller's transaction: it is sent only if that commits. Returns the mail's id, or null if there is
 * one with the same `dedupeKey` already.
 */
export async function queueMail(
  services: Pick<Services, 'jobs' | 'clock'>,
  tx: Db,
  mail: Mail,
): Promise<number | null> {
  const id = await insertMail(tx, mail, services.clock.now())
  if (id !== null) await services.jobs.send(tx, sendMailJob, { id })
  return id
}
