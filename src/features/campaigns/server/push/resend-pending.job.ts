import { z } from 'zod'
import { defineJob } from '#server/jobs/define-job.ts'
import { longPending } from '../sql/pending.ts'
import { pushAdGroupJob, pushAdJob, pushCampaignJob, pushKey, pushTargetJob } from './push-jobs.ts'

const waitedMs = 15 * 60_000
const atOnce = 1000

/**
 * Every ten minutes: what waits for the marketplace although its job is long over (its process was killed in the last
 * try, for instance) is sent again, so that nothing waits for ever.
 */
export const resendPendingJob = defineJob<object>({
  name: 'resend-pending',
  data: z.object({}),
  policy: 'stately',
  cron: '*/10 * * * *',
  run: async services => {
    const before = new Date(services.clock.now().getTime() - waitedMs)
    for (const [table, job] of [
      ['campaign', pushCampaignJob],
      ['ad_group', pushAdGroupJob],
      ['product_ad', pushAdJob],
      ['target', pushTargetJob],
    ] as const)
      for (const row of await longPending(services.db.system, table, before, atOnce))
        await services.jobs.send(services.db.system, job, row, { key: pushKey(row) })
  },
})
