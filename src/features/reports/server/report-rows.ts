import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'
import { requireMerchant } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { keptDays, type Report, reportKinds } from '../contract.ts'

const dayMs = 86_400_000

export const columns = [
  'id',
  'kind',
  'format',
  'marketplace_id',
  'asins',
  'schedule_id',
  'status',
  'progress',
  'step',
  'problem',
  'file_name',
  'size_bytes',
  'created_at',
  'finished_at',
] as const
// A day as it is written, whatever the time zone of the process.
export const days = [sql<string>`date_from::text`.as('dateFrom'), sql<string>`date_to::text`.as('dateTo')] as const
type Shown = Pick<Row<'performance_report'>, (typeof columns)[number]> & { dateFrom: string; dateTo: string }

export const present = (row: Shown): Report => ({
  id: row.id,
  kind: row.kind as Report['kind'],
  format: row.format as Report['format'],
  dateFrom: row.dateFrom,
  dateTo: row.dateTo,
  marketplaceId: row.marketplace_id,
  asins: row.asins,
  scheduleId: row.schedule_id,
  status: row.status as Report['status'],
  progress: row.progress,
  step: row.step,
  problem: row.problem,
  fileName: row.file_name,
  sizeBytes: row.size_bytes,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  expiresAt: new Date(row.created_at.getTime() + keptDays * dayMs).toISOString(),
})

// Without what campaign managers requested for themselves.
const ofMerchant = (tx: Db, merchantId: number) =>
  tx
    .selectFrom('performance_report')
    .where('merchant_id', '=', merchantId)
    .where('manager_id', 'is', null)
    .where('deleted_at', 'is', null)

const missing = () => new AppError('NOT_FOUND', 'There is no such report, or it was deleted.')

/** A page of the current merchant's reports, newest first; with a text, those whose kind, format, days or name contain it. */
export function listReports(ctx: Ctx, { page, size, query = '' }: { page: number; size: number; query?: string }) {
  const merchantId = requireMerchant(ctx)
  const pattern = `%${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const kinds = Object.entries(reportKinds).flatMap(([name, { label }]) =>
    label.toLowerCase().includes(query.toLowerCase()) ? [name] : [],
  )
  return ctx.db.reading(merchantId, async tx => {
    const matching = ofMerchant(tx, merchantId).$if(query !== '', q =>
      q.where(
        sql<boolean>`(kind = any(${kinds}::text[])
          or lower(concat_ws(' ', format, date_from, date_to, file_name)) like ${pattern})`,
      ),
    )
    const rows = await matching
      .select(columns)
      .select(days)
      .orderBy('id', 'desc')
      .limit(size)
      .offset(page * size)
      .execute()
    const { total } = await matching.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return { content: rows.map(present), page: pageInfo(page, size, Number(total)) }
  })
}

/** One report. Throws NOT_FOUND for another merchant's and for a deleted one. */
export function getReport(ctx: Ctx, id: number): Promise<Report> {
  const merchantId = requireMerchant(ctx)
  return ctx.db.reading(merchantId, async tx => {
    const row = await ofMerchant(tx, merchantId).select(columns).select(days).where('id', '=', id).executeTakeFirst()
    if (!row) throw missing()
    return present(row)
  })
}

/** Deletes a report; the next night takes its file. */
export const removeReport = async (ctx: Ctx, id: number): Promise<null> => {
  await change(ctx, id, { deleted_at: ctx.clock.now() }, sql`deleted_at is null`)
  return null
}

/** Brings back a report that was deleted and not taken by the night yet. */
export async function restoreReport(ctx: Ctx, id: number): Promise<Report> {
  await change(ctx, id, { deleted_at: null }, sql`deleted_at is not null`)
  return getReport(ctx, id)
}

async function change(ctx: Ctx, id: number, values: Partial<Row<'performance_report'>>, only: ReturnType<typeof sql>) {
  const merchantId = requireMerchant(ctx)
  const { numUpdatedRows } = await ctx.db.tenant(merchantId, tx =>
    tx
      .updateTable('performance_report')
      .set(values)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .where('manager_id', 'is', null)
      .where(sql<boolean>`${only}`)
      .executeTakeFirst(),
  )
  if (!numUpdatedRows) throw missing()
}
