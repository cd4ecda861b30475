import { z } from 'zod'
import { defineJob } from '#server/jobs/define-job.ts'
import { receiveHours } from './import/stream-hours.ts'
import { forgetOldRecords } from './sql/add-hours.ts'
import { forgetUnplaced } from './sql/unplaced-hours.ts'

const runMs = 50_000
// The queue itself keeps a message for at most 14 days, so an older id cannot come again.
const rememberedMs = 15 * 86_400_000

/** Every minute: takes the hourly figures off the stream's queue. */
export const receiveHoursJob = defineJob({
  name: 'receive-hours',
  data: z.object({}),
  policy: 'stately',
  retryLimit: 0,
  cron: '* * * * *',
  scheduledData: {},
  run: async (services, _data, { signal }) => {
    await receiveHours(services, new Date(services.clock.now().getTime() + runMs), signal)
  },
})

/** Every night: forgets ids of deliveries that cannot come again, and hours of campaigns that nobody had for as long. */
export const forgetRecordsJob = defineJob({
  name: 'forget-stream-records',
  data: z.object({}),
  policy: 'stately',
  cron: '17 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const before = new Date(clock.now().getTime() - rememberedMs)
    await forgetOldRecords(db.system, before)
    const unplaced = await forgetUnplaced(db.system, before)
    if (unplaced) log.warn({ unplaced }, 'hourly figures of campaigns that were never mirrored are forgotten')
  },
})
