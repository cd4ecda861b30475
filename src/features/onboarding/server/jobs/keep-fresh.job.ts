import { z } from 'zod'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { dueRefreshes } from '../sql/refresh-state.ts'
import { refreshProfile } from './refresh-profile.job.ts'

const HOUR_MS = 3_600_000
// The marketplace recommends one or two imports a day of each kind. Days that may still change are imported once a day.
const WHOLE_EVERY_MS = 24 * HOUR_MS
const RECENT_EVERY_MS = 8 * HOUR_MS

/**
 * Regularly queues a refresh for each account with old data, even if the product was off for a while. Accounts of merchants
 * without a subscription are skipped, because nobody can see their data. They are refreshed once a plan is chosen.
 */
export const keepFresh: JobDefinition<Record<string, never>> = defineJob({
  name: 'keep-fresh',
  data: z.object({}),
  policy: 'stately',
  cron: '*/10 * * * *',
  scheduledData: {},
  run: async ({ db, jobs, clock }) => {
    const now = clock.now().getTime()
    const due = await dueRefreshes(db.system, {
      wholeBefore: new Date(now - WHOLE_EVERY_MS),
      recentBefore: new Date(now - RECENT_EVERY_MS),
    })
    const covered = await coveredMerchants(db.system, [...new Set(due.map(one => one.merchantId))], clock.now())
    await db.transaction(async tx => {
      for (const one of due.filter(({ merchantId }) => covered.has(merchantId)))
        await jobs.send(tx, refreshProfile, one, { key: `${one.profileId}` })
    })
  },
})
