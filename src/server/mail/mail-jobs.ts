import { z } from 'zod'
import type { JobDefinition } from '../context.ts'
import { defineJob } from '../jobs/define-job.ts'
import { deleteMailsBefore } from './outbox.ts'
import { sendMailJob } from './send-mail.job.ts'

const retentionMs = 90 * 86_400_000

/** Every night, deletes the records of mails that are older than 90 days. */
export const purgeMailsJob = defineJob({
  name: 'purge-mails',
  data: z.object({}),
  cron: '17 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const removed = await deleteMailsBefore(db.system, new Date(clock.now().getTime() - retentionMs))
    log.info({ removed }, 'old mails removed')
  },
})

// Jobs with different data have no other common type.
export const mailJobs = [sendMailJob, purgeMailsJob] as unknown as JobDefinition<never>[]
