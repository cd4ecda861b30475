import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { accountMailJob } from './mails/account-mail.job.ts'
import { deleteExpired } from './sql/auth-tokens.ts'
import { deleteSessionsBefore } from './sql/sessions.ts'

const retentionMs = 30 * 86_400_000

/** Every night, deletes expired links and counters, and sessions that ended more than 30 days ago. */
export const purgeAuthJob = defineJob({
  name: 'purge-auth',
  data: z.object({}),
  cron: '41 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const now = clock.now()
    await deleteExpired(db.system, now)
    const removed = await deleteSessionsBefore(db.system, new Date(now.getTime() - retentionMs))
    log.info({ removed }, 'old sessions removed')
  },
})

// Jobs with different data have no other common type.
export const authJobs = [accountMailJob, purgeAuthJob] as unknown as JobDefinition<never>[]
