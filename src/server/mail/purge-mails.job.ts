import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'
import { deleteMailsBefore } from './outbox.ts'

const keptMs = 90 * 86_400_000

/** Forgets, every night, the mails of more than 90 days ago: whom we wrote to and about what. */
export const purgeMailsJob = defineJob({
  name: 'purge-mails',
  data: z.object({}),
  cron: '17 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const removed = await deleteMailsBefore(db.system, new Date(clock.now().getTime() - keptMs))
    log.info({ removed }, 'old mails removed')
  },
})
