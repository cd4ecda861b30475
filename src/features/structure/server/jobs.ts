import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import type { EditableEntity } from '../contract.ts'
import { pushJobs, pushKey } from './push/push-row.ts'
import { readLongPending } from './sql/pending-rows.ts'

const minWaitMs = 15 * 60_000
const maxRows = 1000

/**
 * Every ten minutes: edits that wait for the marketplace although their job is long over (its process was killed in the
 * last try, for instance) are sent again, so that none waits for ever.
 */
export const resendPendingJob = defineJob<object>({
  name: 'resend-pending',
  data: z.object({}),
  policy: 'stately',
  cron: '*/10 * * * *',
  run: async ({ clock, db, jobs }) => {
    const before = new Date(clock.now().getTime() - minWaitMs)
    for (const entity of Object.keys(pushJobs) as EditableEntity[])
      for (const row of await readLongPending(db.system, entity, before, maxRows))
        await jobs.send(db.system, pushJobs[entity], row, { key: pushKey(row) })
  },
})

// A list of jobs with different data has no other common type.
export const structureJobs = [...Object.values(pushJobs), resendPendingJob] as unknown as JobDefinition<never>[]
