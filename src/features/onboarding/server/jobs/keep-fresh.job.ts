import { z } from 'zod'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { dueRefreshes } from '../sql/refresh-state.ts'
import { refreshProfile } from './refresh-profile.job.ts'

const HOUR_MS = 3_600_000
// The marketplace asks for one or two pulls a day of a kind; what may still have changed is read once a day.
const WHOLE_EVERY_MS = 24 * HOUR_MS
const RECENT_EVERY_MS = 8 * HOUR_MS

/**
 * By the clock: sends a job for each account whose data has grown old, also after the product was off for a while. The
 * accounts of merchants without a subscription rest, so that nobody's quota is spent on what no one can see; their data is
 * brought up to date with the first run after a plan was chosen.
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
