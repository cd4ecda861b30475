import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { receiveHours } from './import/stream-hours.ts'
import { deleteOldUsage } from './sql/budget-usage.ts'
import { deleteOldRecords } from './sql/add-hours.ts'
import { deleteOldRequests } from './sql/report-requests.ts'
import { deleteOldReportRows } from './sql/report-rows.ts'
import { deleteOldOutcomes } from './sql/reconciliation.ts'
import { deleteOldRevisions } from './sql/revisions.ts'
import { deleteOldUnplaced } from './sql/unplaced-hours.ts'

const runMs = 50_000
// The queue itself keeps a message for at most 14 days, so an older id cannot come again.
const retentionMs = 15 * 86_400_000
/** Longer than any pull takes. */
const pullMs = 86_400_000
const outcomeRetentionMs = 120 * 86_400_000

/** Every minute: takes the hourly figures off the stream's queue. */
const receiveHoursJob = defineJob({
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

/**
 * Every night: deletes the ids of deliveries that cannot come again, unplaced hours, budget usage and requests of reports
 * of that age, what broken pulls left behind, and revisions of days that settled long ago.
 */
export const deleteOldRecordsJob = defineJob({
  name: 'forget-stream-records',
  data: z.object({}),
  policy: 'stately',
  cron: '17 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const before = new Date(clock.now().getTime() - retentionMs)
    await deleteOldRecords(db.system, before)
    await deleteOldUsage(db.system, before)
    await deleteOldRequests(db.system, before)
    await deleteOldReportRows(db.system, new Date(clock.now().getTime() - pullMs))
    await deleteOldRevisions(db.system, clock.now())
    await deleteOldOutcomes(db.system, new Date(clock.now().getTime() - outcomeRetentionMs))
    const unplaced = await deleteOldUnplaced(db.system, before)
    if (unplaced) log.warn({ unplaced }, 'deleted hourly figures of campaigns that were never mirrored')
  },
})

// A list of jobs with different data has no common type but this.
export const metricsJobs = [receiveHoursJob, deleteOldRecordsJob] as unknown as JobDefinition<never>[]
