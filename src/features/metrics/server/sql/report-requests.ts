import { sql } from 'kysely'
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

/**
 * The open request of this report, made when there is none: asked for again after a restart, the same row goes on.
 */
export const openRequest = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  report: { kind: string; from: string; to: string },
  at: Date,
): Promise<ReportRequest> => {
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

/** Remembers the marketplace's id of the report, or forgets one that came to nothing. */
export const setAmazonReport = async (
  tx: Db,
  merchantId: number,
  id: number,
  amazonReportId: string | null,
  failure: string | null,
  at: Date,
): Promise<void> => {
  await sql`update report_request set amazon_report_id = ${amazonReportId}, failure = ${failure}, requested_at = ${at}
    where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
}

/** Closes a request in the transaction that applied its rows. */
export const closeRequest = async (tx: Db, merchantId: number, id: number, at: Date): Promise<void> => {
  await sql`update report_request set applied_at = ${at} where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
}
