import { z } from 'zod'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { sessionsEndedEvent } from '#server/events/events.ts'
import { defineSignal } from '#server/jobs/define-job.ts'

/** Sessions of an account have ended early, so data that belongs to them must be cleaned up. */
export const sessionsEnded = defineSignal({ name: 'auth.sessions-ended', data: z.object({ accountId: z.number() }) })

/** Somebody registered with an affiliate code that exists. */
export const registeredByCode = defineSignal({
  name: 'auth.registered-by-code',
  data: z.object({ accountId: z.number(), affiliateCode: z.string() }),
})

/** Announces it to other features, and ends the account's event streams once the transaction commits. */
export async function announceSessionsEnded(
  { jobs, events }: Pick<Services, 'jobs' | 'events'>,
  tx: Db,
  accountId: number,
): Promise<void> {
  await jobs.announce(tx, sessionsEnded, { accountId })
  await events.publish(tx, [accountId], sessionsEndedEvent, {})
}
