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
  /** Newer figures of some of the days were saved meanwhile. What a broken pull left behind must not put older ones in their place. */
  isSuperseded: boolean
}

interface ReportDays {
  kind: string
  from: string
  to: string
}

/** The open requests of these reports in their order, created where there is none, so that a restart resumes the same ones. */
export async function openRequests(
  tx: Db,
  owner: Owner,
  reports: readonly ReportDays[],
  at: Date,
): Promise<ReportRequest[]> {
  const found = await findRequests(tx, owner, reports)
  const missing = reports.filter((_report, i) => !found[i])
  if (missing.length) {
    const rows = missing.map(
      ({ kind, from, to }) => sql`(${owner.merchantId}, ${owner.profileId}, ${kind}, ${from}, ${to}, ${at})`,
    )
    await sql`insert into report_request (merchant_id, profile_id, kind, start_date, end_date, requested_at)
      values ${sql.join(rows)}
      on conflict (merchant_id, profile_id, kind, start_date, end_date) where applied_at is null do nothing`.execute(tx)
  }
  const all = missing.length ? await findRequests(tx, owner, reports) : found
  return all.map(request => {
    if (!request) throw new Error('the report request is gone')
    return request
  })
}

/** The same of one report. */
export async function openRequest(tx: Db, owner: Owner, report: ReportDays, at: Date): Promise<ReportRequest> {
  const [request] = await openRequests(tx, owner, [report], at)
  return request as ReportRequest
}

async function findRequests(
  tx: Db,
  { merchantId, profileId }: Owner,
  reports: readonly ReportDays[],
): Promise<(ReportRequest | undefined)[]> {
  if (!reports.length) return []
  const named = reports.map(
    ({ kind, from, to }) => sql`r.kind = ${kind} and r.start_date = ${from} and r.end_date = ${to}`,
  )
  const { rows } = await sql<ReportRequest>`select id, kind, start_date as "from", end_date as "to",
      amazon_report_id as "amazonReportId", requested_at as "requestedAt",
      exists (select 1 from report_request n where n.merchant_id = ${merchantId} and n.profile_id = ${profileId}
        and n.kind = r.kind and n.start_date <= r.end_date and n.end_date >= r.start_date
        and n.applied_at is not null and n.requested_at > r.requested_at) as "isSuperseded"
    from report_request r where r.merchant_id = ${merchantId} and r.profile_id = ${profileId} and r.applied_at is null
      and (${sql.join(named, sql` or `)})`.execute(tx)
  return reports.map(report =>
    rows.find(({ kind, from, to }) => kind === report.kind && from === report.from && to === report.to),
  )
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

/** Saves the marketplace's ids of reports that were requested. */
export async function noteRequested(tx: Db, merchantId: number, requests: readonly ReportRequest[]): Promise<void> {
  await sql`update report_request r set amazon_report_id = u.report_id, failure = null, requested_at = u.at
    from unnest(${requests.map(one => one.id)}::bigint[], ${requests.map(one => one.amazonReportId)}::text[],
      ${requests.map(one => one.requestedAt)}::timestamptz[]) u(id, report_id, at)
    where r.merchant_id = ${merchantId} and r.id = u.id`.execute(tx)
}

/** Closes a request in the transaction that applied its rows. */
export async function closeRequest(tx: Db, merchantId: number, id: number, at: Date): Promise<void> {
  await sql`update report_request set applied_at = ${at} where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
}
