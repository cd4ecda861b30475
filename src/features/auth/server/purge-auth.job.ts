import { z } from 'zod'
import { defineJob } from '#server/jobs/define-job.ts'
import { deleteExpired } from './sql/auth-tokens.ts'
import { deleteSessionsBefore } from './sql/sessions.ts'

const keptMs = 30 * 86_400_000

/** Forgets, every night, links and counters that ran out, and the sessions that ended more than 30 days ago. */
export const purgeAuthJob = defineJob({
  name: 'purge-auth',
  data: z.object({}),
  cron: '41 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const now = clock.now()
    await deleteExpired(db.system, now)
    const removed = await deleteSessionsBefore(db.system, new Date(now.getTime() - keptMs))
    log.info({ removed }, 'old sessions removed')
  },
})
