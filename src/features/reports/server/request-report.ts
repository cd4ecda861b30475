import { sql } from 'kysely'
import { currentProfile, profileById } from '#features/accounts/server/public.ts'
import { profileForReport } from '#features/branding/server/public.ts'
import { profileFreshness } from '#features/metrics/server/public.ts'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import { type Ctx, requireMerchant, type Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { type Frequency, keptDays, type Report, type reportEndpoints, type Schedule } from '../contract.ts'
import { dueAfter, periodBefore } from '../periods.ts'
import { makeReport } from './make-report.job.ts'
import { getReport } from './report-rows.ts'

const mostQueued = 20
const mostSchedules = 20

interface NewRow
  extends Pick<
    Row<'performance_report'>,
    'merchant_id' | 'profile_id' | 'marketplace_id' | 'account_id' | 'kind' | 'format' | 'asins' | 'branding_profile_id'
  > {
  from: string
  to: string
  scheduleId: number | null
  /** The campaign manager who requests it for the account. */
  manager_id?: number
}

/** Adds a report and its job in one transaction; null where its schedule has one of the period already. */
export async function addReport({ clock, jobs }: Services, tx: Db, { from, to, scheduleId, ...row }: NewRow) {
  const added = await tx
    .insertInto('performance_report')
    .values({ ...row, date_from: from, date_to: to, schedule_id: scheduleId, created_at: clock.now() })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return null
  await jobs.send(tx, makeReport, { merchantId: row.merchant_id, reportId: added.id })
  return added.id
}

/**
 * Requests a report of the current marketplace, with a schedule where one is wanted. Throws NOT_FOUND for a branding profile
 * that is not the account's, RULE_VIOLATED where too many wait already.
 */
export async function requestReport(
  ctx: Ctx,
  {
    kind,
    format,
    dateFrom,
    dateTo,
    asins,
    brandingProfileId,
    schedule,
  }: EndpointParsed<typeof reportEndpoints.create>['body'],
): Promise<{ id: number; scheduleId: number | null }> {
  const { merchantId, profileId, marketplaceId, timezone } = await currentProfile(ctx)
  const { accountId } = ctx.actor
  const owner = { merchant_id: merchantId, profile_id: profileId, marketplace_id: marketplaceId, account_id: accountId }
  return ctx.db.transaction(async tx => {
    const branding = await profileForReport(tx, accountId, brandingProfileId)
    const row = { ...owner, kind, format, asins: asins ?? null, branding_profile_id: branding }
    await requireRoom(tx, merchantId, schedule !== undefined)
    const scheduleId = schedule
      ? (
          await tx
            .insertInto('report_schedule')
            .values({
              ...row,
              frequency: schedule.frequency,
              next_at: dueAfter(schedule.frequency, ctx.clock.now(), timezone),
              created_at: ctx.clock.now(),
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id
      : null
    const id = await addReport(ctx, tx, { ...row, from: dateFrom, to: dateTo, scheduleId: null })
    if (id === null) throw new Error('a report without a schedule has no other of its kind')
    const answer = { id, scheduleId }
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

/** Throws RULE_VIOLATED where so many reports wait already that another one must not. */
export function requireQueueRoom(queued: number): void {
  if (queued >= mostQueued)
    throw new AppError('RULE_VIOLATED', `${mostQueued} reports are being made already. Wait until some are ready.`)
}

async function requireRoom(tx: Db, merchantId: number, isScheduled: boolean): Promise<void> {
  const { rows } = await sql<{ queued: number; schedules: number }>`select
    (select count(*)::int from performance_report where merchant_id = ${merchantId} and status in ('QUEUED', 'RUNNING')
      and manager_id is null and deleted_at is null) as queued,
    (select count(*)::int from report_schedule where merchant_id = ${merchantId}) as schedules`.execute(tx)
  const { queued = 0, schedules = 0 } = rows[0] ?? {}
  requireQueueRoom(queued)
  if (isScheduled && schedules >= mostSchedules)
    throw new AppError('RULE_VIOLATED', `You can have at most ${mostSchedules} schedules. Delete one first.`)
}

/** Makes a failed report again. Throws RULE_VIOLATED for one that did not fail. */
export async function retryReport(ctx: Ctx, id: number): Promise<Report> {
  const merchantId = requireMerchant(ctx)
  const { status } = await getReport(ctx, id)
  if (status !== 'FAILED') throw new AppError('RULE_VIOLATED', 'Only a report that failed can be made again.')
  await ctx.db.transaction(async tx => {
    const { numUpdatedRows } = await tx
      .updateTable('performance_report')
      .set({ status: 'QUEUED', problem: null, progress: 0, step: '', finished_at: null })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .where('status', '=', 'FAILED')
      .executeTakeFirst()
    if (numUpdatedRows) await ctx.jobs.send(tx, makeReport, { merchantId, reportId: id })
  })
  return getReport(ctx, id)
}

const ofMerchant = (db: Db, merchantId: number) =>
  db
    .selectFrom('report_schedule as s')
    .innerJoin('ads_profile as p', join =>
      join.onRef('p.merchant_id', '=', 's.merchant_id').onRef('p.id', '=', 's.profile_id'),
    )
    .selectAll('s')
    .select('p.timezone')
    .where('s.merchant_id', '=', merchantId)

type ScheduleRow = Row<'report_schedule'> & { timezone: string }

function present(row: ScheduleRow): Schedule {
  const frequency = row.frequency as Frequency
  const { from, to } = periodBefore(frequency, row.next_at, row.timezone)
  return {
    id: row.id,
    kind: row.kind as Schedule['kind'],
    format: row.format as Schedule['format'],
    frequency,
    marketplaceId: row.marketplace_id,
    asins: row.asins,
    brandingProfileId: row.branding_profile_id,
    isPaused: row.is_paused,
    nextAt: row.next_at.toISOString(),
    nextFrom: from,
    nextTo: to,
  }
}

/** The current merchant's schedules, the next due one first. */
export function listSchedules(ctx: Ctx): Promise<{ content: Schedule[] }> {
  const merchantId = requireMerchant(ctx)
  return ctx.db.reading(merchantId, async tx => {
    const rows = await ofMerchant(tx, merchantId).orderBy('s.next_at').orderBy('s.id').execute()
    return { content: rows.map(present) }
  })
}

const noSchedule = () => new AppError('NOT_FOUND', 'There is no such schedule.')

/** Pauses or resumes a schedule. What became due while it was paused is not made up for. */
export function pauseSchedule(ctx: Ctx, id: number, isPaused: boolean): Promise<Schedule> {
  const merchantId = requireMerchant(ctx)
  return ctx.db.tenant(merchantId, async tx => {
    const row = await ofMerchant(tx, merchantId).where('s.id', '=', id).executeTakeFirst()
    if (!row) throw noSchedule()
    const next_at = dueAfter(row.frequency as Frequency, ctx.clock.now(), row.timezone)
    const changes = { is_paused: isPaused, ...(row.is_paused && !isPaused && { next_at }) }
    await tx
      .updateTable('report_schedule')
      .set(changes)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .execute()
    return present({ ...row, ...changes })
  })
}

/** Deletes a schedule; the reports that it made stay. */
export async function removeSchedule(ctx: Ctx, id: number): Promise<null> {
  const merchantId = requireMerchant(ctx)
  const { numDeletedRows } = await ctx.db.tenant(merchantId, tx =>
    tx.deleteFrom('report_schedule').where('merchant_id', '=', merchantId).where('id', '=', id).executeTakeFirst(),
  )
  if (!numDeletedRows) throw noSchedule()
  return null
}

const dayMs = 86_400_000

/**
 * Every ten minutes: the reports of schedules that are due. The report and the next date are one transaction, and a period has
 * one report: killed or run twice, it makes each once. Waits up to a day for the figures of the period's last day. Without a
 * subscription nothing is made, nor made up for later.
 */
export const makeDueReports = defineScheduledJob({
  name: 'make-due-reports',
  cron: '*/10 * * * *',
  atStart: true,
  run: async services => {
    const { db, clock } = services
    const due = await db.system
      .selectFrom('report_schedule')
      .select(['merchant_id as merchantId', 'id'])
      .where('is_paused', '=', false)
      .where('next_at', '<=', clock.now())
      .orderBy('next_at')
      .limit(1000)
      .execute()
    const merchantIds = [...new Set(due.map(({ merchantId }) => merchantId))]
    const covered = await coveredMerchants(db.system, merchantIds, clock.now())
    for (const { merchantId, id } of due)
      await db.transaction(tx => makeDue(services, tx, { merchantId, id, hasAccess: covered.has(merchantId) }))
  },
})

interface DueSchedule {
  merchantId: number
  id: number
  hasAccess: boolean
}

const endOf = (day: string, timeZone: string): Date => startOfDayIn(addDays(day, 1), timeZone)

async function makeDue(services: Services, tx: Db, { merchantId, id, hasAccess }: DueSchedule): Promise<void> {
  const now = services.clock.now()
  const { rows } = await sql<Row<'report_schedule'>>`select * from report_schedule where merchant_id = ${merchantId}
    and id = ${id} and not is_paused and next_at <= ${now} for update`.execute(tx)
  const [row] = rows
  if (!row) return
  const profile = await profileById(tx, merchantId, row.profile_id)
  const frequency = row.frequency as Frequency
  if (hasAccess) {
    const { from, to } = periodBefore(frequency, row.next_at, profile.timezone)
    const { importedTo, asOf } = await profileFreshness(tx, profile)
    // Of a day that was imported while it ran, only its beginning is in.
    const hasLastDay = importedTo !== null && importedTo >= to && asOf !== null && asOf >= endOf(to, profile.timezone)
    const isLate = now.getTime() - row.next_at.getTime() > dayMs
    if (!isLate && !hasLastDay) return
    const { merchant_id, profile_id, marketplace_id, account_id, kind, format, asins, branding_profile_id } = row
    const owner = { merchant_id, profile_id, marketplace_id, account_id, kind, format, asins, branding_profile_id }
    await addReport(services, tx, { ...owner, from, to, scheduleId: id })
  }
  await tx
    .updateTable('report_schedule')
    .set({ next_at: dueAfter(frequency, now, profile.timezone) })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute()
}

/** Every night, deletes reports that were deleted a day ago or are older than they are kept, with their files. */
const purgeReports = defineScheduledJob({
  name: 'purge-reports',
  cron: '29 3 * * *',
  run: async ({ db, clock, log }) => {
    const now = clock.now().getTime()
    const [deletedBefore, keptFrom] = [new Date(now - dayMs), new Date(now - keptDays * dayMs)]
    // In one statement: no file stays without its report.
    const { rows } = await sql<{ id: number }>`with gone as (delete from performance_report
        where deleted_at < ${deletedBefore} or created_at < ${keptFrom} returning merchant_id, id),
      parts as (delete from performance_report_part p using gone g
        where p.merchant_id = g.merchant_id and p.report_id = g.id)
      select id from gone`.execute(db.system)
    log.info({ removed: rows.length }, 'old reports removed')
  },
})

// Jobs with different data have no other common type.
export const reportJobs = [makeReport, makeDueReports, purgeReports] as unknown as JobDefinition<never>[]
