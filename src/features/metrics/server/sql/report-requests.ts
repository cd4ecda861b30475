import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'

export interface ReportRequest {
  id: number
  kind: string
  from: string
  to: string
  amazonReportId: string | null
  requestedAt: Date
}

const columns = sql`id, kind, start_date as "from", end_date as "to", amazon_report_id as "amazonReportId", requested_at as "requestedAt"`

/** The open request of this report, created when there is none, so that a restart resumes the same one. */
export async function openRequest(
  tx: Db,
  owner: Owner,
  report: { kind: string; from: string; to: string },
  at: Date,
): Promise<ReportRequest> {
  await sql`insert into report_request (merchant_id, profile_id, kind, start_date, end_date, requested_at)
    values (${owner.merchantId}, ${owner.profileId}, ${report.kind}, ${report.from}, ${report.to}, ${at})
    on conflict (merchant_id, profile_id, kind, start_date, end_date) where applied_at is null do nothing`.execute(tx)
  const { rows } = await sql<ReportRequest>`select ${columns} from report_request
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and kind = ${report.kind}
      and start_date = ${report.from} and end_date = ${report.to} and applied_at is null`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the report request is gone')
  return row
}

/** Saves the marketplace's id of the report, or null and the reason when the report failed. */
export async function setAmazonReport(
  tx: Db,
  merchantId: number,
  id: number,
  amazonReportId: string | null,
  failure: string | null,
  at: Date,
): Promise<void> {
  await sql`update report_request set amazon_report_id = ${amazonReportId}, failure = ${failure}, requested_at = ${at}
    where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
}

/**
 * Whether newer figures of some of the days were saved meanwhile. What a broken pull left behind must not put older figures
 * in their place.
 */
export async function isSuperseded(
  tx: Db,
  owner: Owner,
  { kind, from, to, requestedAt }: ReportRequest,
): Promise<boolean> {
  const { rows } = await sql<{ newer: boolean }>`select exists (select 1 from report_request
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and kind = ${kind}
      and start_date <= ${to} and end_date >= ${from} and applied_at is not null and requested_at > ${requestedAt}) as newer`.execute(
    tx,
  )
  return rows[0]?.newer ?? false
}

/** Closes a request in the transaction that applied its rows. */
export async function closeRequest(tx: Db, merchantId: number, id: number, at: Date): Promise<void> {
  await sql`update report_request set applied_at = ${at} where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
}
