import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { accountsOf, profileById } from '#features/accounts/server/public.ts'
import { regionOf } from '#features/auth/server/public.ts'
import { lookOf } from '#features/branding/server/public.ts'
import { notify } from '#features/notifications/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { forReader } from '#server/for-reader.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { type MailAttachment, queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { dateText } from '#shared/region-format.ts'
import { type ReportKind, reportKinds } from '../contract.ts'
import { readFile, saveFile } from './files.ts'
import type { Progress } from './pdf/read-content.ts'
import { reportPdf } from './pdf/report-pdf.ts'
import { tableOfReport } from './report-tables.ts'

interface ReportKey {
  merchantId: number
  reportId: number
}
type ReportRow = Row<'performance_report'> & { dateFrom: string; dateTo: string }

// What a mail carries; a larger file is behind its link only.
const mostAttachedBytes = 2 * 2 ** 20

/**
 * Makes a report and saves its file in parts. A run that begins takes the row: one that was taken for dead can no longer
 * finish it, so a report becomes ready, is announced and is mailed once.
 */
export const makeReport: JobDefinition<ReportKey> = defineJob<ReportKey>({
  name: 'make-report',
  data: z.object({ merchantId: z.number(), reportId: z.number() }),
  retryLimit: 2,
  run: async (services, key, { signal }) => {
    const runId = randomUUID()
    const row = await takeReport(services, key, runId)
    if (!row) return
    const ctx = await readerOf(services, row)
    const progress = progressOf(services, row, runId)
    try {
      const file = await forReader(ctx.actor.region, () => fileOf(ctx, row, progress))
      const sizeBytes = await forReader(ctx.actor.region, () =>
        saveFile(services, { ...key, runId }, untilAborted(file.content, signal)),
      )
      const attachment = await attachmentOf(services, row, { ...key, runId }, file, sizeBytes)
      await services.db.transaction(tx => finish(services, tx, row, runId, { ...file, sizeBytes, attachment }))
    } catch (error) {
      // A rule of the product: another try says the same.
      if (!(error instanceof AppError) || error.code.startsWith('UPSTREAM')) throw error
      await fail(services, key, error.message)
    }
  },
  onFinalFailure: (services, key) =>
    fail(services, key, 'Something went wrong on our side while it was made. Try it again.'),
})

async function* untilAborted(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    signal.throwIfAborted()
    yield chunk
  }
}

/** Takes the report for this run and removes what another one left; null where nothing is to be made any more. */
async function takeReport({ db }: Services, { merchantId, reportId }: ReportKey, runId: string) {
  const row = await db.system
    .updateTable('performance_report')
    .set({ status: 'RUNNING', run_id: runId, progress: 0, step: 'Reading the figures' })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', reportId)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .where('deleted_at', 'is', null)
    .returningAll()
    .returning(['date_from as dateFrom', 'date_to as dateTo'])
    .executeTakeFirst()
  await db.system
    .deleteFrom('performance_report_part')
    .where('merchant_id', '=', merchantId)
    .where('report_id', '=', reportId)
    .where('run_id', 'is distinct from', row?.run_id ?? runId)
    .$if(!row, query => query.where(sql<boolean>`false`))
    .execute()
  return row ?? null
}

/**
 * The context in which the screens' own verbs read the report's figures: as the person who requested it, or for whom a campaign
 * manager did. The manager reads it, so it is in the manager's format.
 */
async function readerOf(services: Services, row: ReportRow): Promise<Ctx> {
  const { db } = services
  const { merchant_id: merchantId, account_id: accountId, marketplace_id: marketplaceId } = row
  if (!(await accountsOf(db.system, merchantId)).includes(accountId))
    throw new AppError('FORBIDDEN', 'The user of this report may no longer see the merchant.')
  const region = await regionOf(db.system, row.manager_id ?? accountId)
  return {
    ...services,
    requestId: `report-${row.id}`,
    ip: '',
    ifMatch: null,
    idempotencyKey: null,
    shop: null,
    client: { id: null, userAgent: 'report' },
    saveAnswer: () => Promise.reject(new Error('a report answers nobody')),
    actor: {
      accountId,
      sessionId: '',
      email: '',
      authorities: [],
      merchantId,
      // It only reads.
      merchantRole: 'VIEWER',
      marketplaceId,
      merchantIds: [merchantId],
      hasAccess: true,
      mayConnect: false,
      region,
    },
  }
}

const eventOf = (row: Pick<ReportRow, 'account_id' | 'manager_id' | 'id'>) =>
  [[row.manager_id ?? row.account_id], 'reports', { id: row.id }] as const

function progressOf({ db, events }: Services, row: ReportRow, runId: string): Progress {
  return (progress, step) =>
    db.transaction(async tx => {
      await tx
        .updateTable('performance_report')
        .set({ progress, step })
        .where('merchant_id', '=', row.merchant_id)
        .where('id', '=', row.id)
        .where('run_id', '=', runId)
        .execute()
      await events.publish(tx, ...eventOf(row))
    })
}

async function fileOf(ctx: Ctx, row: ReportRow, progress: Progress): Promise<FileAnswer> {
  const kind = row.kind as ReportKind
  const days = { dateFrom: row.dateFrom, dateTo: row.dateTo }
  if (row.format === 'PDF') {
    const { merchant_id: merchantId, profile_id: profileId } = row
    const profile = await ctx.db.reading(merchantId, tx => profileById(tx, merchantId, profileId))
    const look = await lookOf(ctx.db.system, row.account_id, row.branding_profile_id)
    return reportPdf(ctx, { kind, profile, look, asins: row.asins, ...days }, progress)
  }
  const file = await tableOfReport(ctx, kind, {
    format: row.format === 'CSV' ? 'csv' : 'xlsx',
    asins: row.asins,
    ...days,
  })
  await progress(20, 'Writing the rows')
  return file
}

/** What a scheduled report's mail carries: read before its transaction, because the embedded database has one connection. */
async function attachmentOf(
  services: Services,
  row: ReportRow,
  key: Parameters<typeof readFile>[1],
  { name, mediaType }: FileAnswer,
  sizeBytes: number,
): Promise<MailAttachment | null> {
  if (row.schedule_id === null || sizeBytes > mostAttachedBytes) return null
  const parts: Uint8Array[] = []
  for await (const part of readFile(services, key)) parts.push(part)
  return { name, mediaType, bytes: Buffer.concat(parts) }
}

interface MadeFile extends Omit<FileAnswer, 'content'> {
  sizeBytes: number
  attachment: MailAttachment | null
}

async function finish(
  services: Services,
  tx: Db,
  row: ReportRow,
  runId: string,
  { name, mediaType, sizeBytes, attachment }: MadeFile,
): Promise<void> {
  const { clock, events } = services
  const { numUpdatedRows } = await tx
    .updateTable('performance_report')
    .set({ status: 'READY', progress: 100, step: 'Ready', problem: null, finished_at: clock.now() })
    .set({ file_name: name, media_type: mediaType, size_bytes: sizeBytes })
    .where('merchant_id', '=', row.merchant_id)
    .where('id', '=', row.id)
    .where('run_id', '=', runId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) return
  await events.publish(tx, ...eventOf(row))
  await announce(services, tx, row, 'Report ready', '')
  if (row.schedule_id !== null) await mail(services, tx, row, attachment)
}

async function announce(services: Services, tx: Db, row: ReportRow, title: string, reason: string): Promise<void> {
  // The user did not request it, and the manager is no member of the merchant: the admin page shows what becomes of it.
  if (row.manager_id !== null) return
  await notify(services, tx, {
    accountId: row.account_id,
    merchantId: row.merchant_id,
    profileId: row.profile_id,
    kind: 'REPORT_READY',
    title,
    body: `${reportKinds[row.kind as ReportKind].label}, ${row.dateFrom} to ${row.dateTo} (${row.format}).${reason && ` ${reason}`}`,
    url: `/performance-reports?report=${row.id}`,
    cause: `report-${row.id}`,
    occasion: `${row.run_id}`,
  })
}

async function mail(services: Services, tx: Db, row: ReportRow, attachment: MailAttachment | null): Promise<void> {
  const account = await tx
    .selectFrom('account')
    .select(['email', 'first_name as firstName', 'locale'])
    .where('id', '=', row.account_id)
    .executeTakeFirst()
  if (!account) return
  const day = (text: string) => dateText(account.locale, { dateStyle: 'medium', timeZone: 'UTC' }, new Date(text))
  const days = `${day(row.dateFrom)} to ${day(row.dateTo)}`
  const { label } = reportKinds[row.kind as ReportKind]
  await queueMail(services, tx, {
    to: account.email,
    dedupeKey: `report:${row.merchant_id}:${row.id}`,
    attachment,
    ...renderMail({
      subject: `${label}: ${days}`,
      greeting: `Hello ${account.firstName},`,
      paragraphs: [
        `Your report “${label}” of ${days} is ready.`,
        attachment ? 'You find it attached.' : 'It is too large to attach; open it in Tideline.',
      ],
      action: {
        label: 'Open the report',
        url: new URL(`/performance-reports?report=${row.id}`, services.config.publicUrl).href,
      },
      closing: ['You get this because you scheduled it. Pause or delete the schedule under Reports.'],
    }),
  })
}

/** Notes why a report could not be made and notifies who requested it. */
async function fail(services: Services, { merchantId, reportId }: ReportKey, problem: string): Promise<void> {
  await services.db.transaction(async tx => {
    const row = await tx
      .updateTable('performance_report')
      .set({ status: 'FAILED', problem, step: '', finished_at: services.clock.now() })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', reportId)
      .where('status', 'in', ['QUEUED', 'RUNNING'])
      .where('deleted_at', 'is', null)
      .returningAll()
      .returning(['date_from as dateFrom', 'date_to as dateTo'])
      .executeTakeFirst()
    if (!row) return
    await services.events.publish(tx, ...eventOf(row))
    await announce(services, tx, row, 'A report could not be made', problem)
  })
}
