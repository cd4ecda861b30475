import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob, defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { analyzePartitioned } from '#server/db/keep-statistics.ts'
import { dayIn } from '#shared/time.ts'
import { receiveFor } from './import/receive-hours.ts'
import { turnMonths } from './sql/fact-months.ts'
import { deleteOldRevisions } from './sql/revisions.ts'
import { deleteOldUnplaced } from './sql/unplaced-hours.ts'

/** Longer than the schedule's step: the next one is queued by then, and follows at once. */
const runMs = 70_000
const DAY_MS = 86_400_000
const streamDays = 15
/** What is deleted after so many days, by the column that says how old a row is. */
const retained = [
  // The queue itself keeps a message for at most 14 days, so an older id cannot come again.
  { table: 'stream_record', since: 'received_at', days: streamDays },
  // No screen shows the usage of earlier days.
  { table: 'campaign_budget_usage', since: 'at', days: 15 },
  // Applied or not: the marketplace has deleted those reports, and no open request is left that they could supersede.
  { table: 'report_request', since: 'requested_at', days: 15 },
  // What a pull that died has left behind; none takes as long.
  { table: 'report_row', since: 'staged_at', days: 1 },
  // These days are not checked any more.
  { table: 'reconciliation', since: 'checked_at', days: 120 },
] as const

/**
 * Takes the hourly figures off the stream's queue all the time. One worker of all processes does, since the queue of jobs lets
 * only one run; the next is queued each minute and follows it at once, here or in another process.
 */
const receiveHoursJob = defineJob({
  name: 'receive-hours',
  data: z.object({}),
  policy: 'stately',
  retryLimit: 0,
  cron: '* * * * *',
  scheduledData: {},
  atStart: true,
  run: async (services, _data, { signal, stopping }) => {
    await receiveFor(services, runMs, AbortSignal.any([signal, ...(stopping ? [stopping] : [])]))
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
    const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
    for (const { table, since, days } of retained)
      await sql`delete from ${sql.table(table)} where ${sql.ref(since)} < ${ago(days)}`.execute(db.system)
    await deleteOldRevisions(db.system, clock.now())
    const unplaced = await deleteOldUnplaced(db.system, ago(streamDays))
    if (unplaced) log.warn({ unplaced }, 'deleted hourly figures of campaigns that were never mirrored')
  },
})

/** Every night, and when a process starts: adds the months of facts that come next and drops those that are too old. */
const turnMonthsJob = defineScheduledJob({
  name: 'turn-fact-months',
  policy: 'stately',
  cron: '43 3 * * *',
  atStart: true,
  run: async ({ db, clock, log }, _data, { signal }) => {
    const dropped = await turnMonths(db.system, dayIn(clock.now(), 'UTC'), signal)
    if (dropped.length) log.info({ dropped }, 'dropped months of facts that are too old')
    // The embedded database does so every minute.
    if (db.kind === 'server') await analyzePartitioned(db.system)
  },
})

// A list of jobs with different data has no common type but this.
export const metricsJobs = [receiveHoursJob, deleteOldRecordsJob, turnMonthsJob] as unknown as JobDefinition<never>[]
