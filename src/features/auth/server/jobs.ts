import { defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { accountMailJob } from './account-mails.ts'

const retentionMs = 30 * 86_400_000

/** Every night, deletes expired links and counters, and sessions that ended more than 30 days ago. */
export const purgeAuthJob = defineScheduledJob({
  name: 'purge-auth',
  cron: '41 3 * * *',
  run: async ({ db, clock, log }) => {
    const now = clock.now()
    const before = new Date(now.getTime() - retentionMs)
    await db.system.deleteFrom('auth_token').where('expires_at', '<', now).execute()
    await db.system.deleteFrom('auth_attempt').where('expire', '<', now.getTime()).execute()
    const { numDeletedRows } = await db.system
      .deleteFrom('session')
      .where(where => where.or([where('expires_at', '<', before), where('ended_at', '<', before)]))
      .executeTakeFirst()
    log.info({ removed: Number(numDeletedRows) }, 'old sessions removed')
  },
})

// Jobs with different data have no other common type.
export const authJobs = [accountMailJob, purgeAuthJob] as unknown as JobDefinition<never>[]
