import { type RawBuilder, sql } from 'kysely'
import { mirroredRows, type Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'
import { columnNames, metricColumns } from './metric-columns.ts'
import type { DailyTable } from './replace-days.ts'

// The rows of reports between their download and the daily tables.

/** A row of a report: the marketplace's id of what it is about, and its figures of a day. */
export interface ReportRow extends FigureSums {
  date: string
  amazonId: string
  searchTerm: string | null
  asin: string | null
  placement: string | null
}

/** The rows of one pull, and how many they are. Few of them stay in memory, more are in the database. */
export interface Staged {
  pull: string
  rows: number
  few: readonly ReportRow[] | null
}

/** Saves some rows of a pull. As the owner of the tables: no answer shows them, so that none is out of date. */
export async function saveReportRows(
  system: Db,
  { merchantId }: Owner,
  pull: string,
  at: Date,
  rows: readonly ReportRow[],
): Promise<void> {
  await sql`insert into report_row (merchant_id, pull, staged_at, date, amazon_id, search_term, asin, placement, ${columnNames})
    select ${merchantId}::bigint, ${pull}::uuid, ${at}::timestamptz, u.* from ${unnested(rows)} u`.execute(system)
}

/** The rows as a relation: the day, the keys and the metrics. */
function unnested(rows: readonly ReportRow[]): RawBuilder<unknown> {
  // Numbers and days need none of the quoting that costs the driver a tenth of a large report's time, and a column that a report
  // does not have takes none at all.
  const unquoted = (read: (row: ReportRow) => string | number) => `{${rows.map(read).join()}}`
  const texts = (read: (row: ReportRow) => string | null) =>
    sql`${rows.every(row => read(row) === null) ? null : rows.map(read)}::text[]`
  const metrics = metricColumns.map(({ field }) => sql`${unquoted(row => row[field])}::bigint[]`)
  return sql`unnest(${unquoted(row => row.date)}::date[], ${texts(row => row.amazonId)}, ${texts(row => row.searchTerm)},
      ${texts(row => row.asin)}, ${texts(row => row.placement)}, ${sql.join(metrics)})`
}

const ofPull = (merchantId: number, pull: string) => sql`r.merchant_id = ${merchantId} and r.pull = ${pull}::uuid`
/** The rows of a pull `r`, and the condition that they are of it. */
const rowsOf = (merchantId: number, { pull, few }: Staged) =>
  few
    ? { from: sql`${unnested(few)} r(date, amazon_id, search_term, asin, placement, ${columnNames})`, where: sql`true` }
    : { from: sql`report_row r`, where: ofPull(merchantId, pull) }

/** Throws when some rows of a pull are gone, as after a crash of the database. */
export async function requireComplete(
  tx: Db,
  { merchantId }: Owner,
  { pull, rows: expected, few }: Staged,
): Promise<void> {
  if (few) return
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from report_row r where ${ofPull(merchantId, pull)}`.execute(tx)
  const found = rows[0]?.n ?? 0
  if (found !== expected) throw new Error(`Of ${expected} rows of a report, ${found} are there.`)
}

/** The marketplace's ids in a pull of campaigns that are not mirrored. */
export async function unmirroredCampaigns(tx: Db, owner: Owner, staged: Staged): Promise<string[]> {
  const { from, where } = rowsOf(owner.merchantId, staged)
  const { rows } = await sql<{ id: string }>`select distinct amazon_id as id from ${from}
    where ${where} and amazon_id not in (select m.amazon_id from ${mirroredRows('campaign', owner)} m)`.execute(tx)
  return rows.map(row => row.id)
}

const keysOf: Record<DailyTable, RawBuilder<unknown>> = {
  campaign_day: sql`m.id as campaign_id`,
  target_day: sql`m.campaign_id, m.ad_group_id, m.id as target_id`,
  search_term_day: sql`m.campaign_id, m.ad_group_id, m.id as target_id, r.search_term`,
  ad_day: sql`m.campaign_id, m.ad_group_id, m.id as ad_id, r.asin`,
  placement_day: sql`m.id as campaign_id, r.placement`,
}
const entityOf = {
  campaign_day: 'campaign',
  target_day: 'target',
  search_term_day: 'target',
  ad_day: 'ad',
  placement_day: 'campaign',
} as const

/** The rows of a pull with the keys of a daily table; those of entities that are not mirrored are left out. */
export function dailyRowsOf(table: DailyTable, owner: Owner, staged: Staged): RawBuilder<unknown> {
  const { from, where } = rowsOf(owner.merchantId, staged)
  return sql`(select r.date, ${keysOf[table]}, ${columnNames} from ${from}
    join ${mirroredRows(entityOf[table], owner)} m on m.amazon_id = r.amazon_id where ${where})`
}

/** Deletes the rows of a pull. */
export async function deleteReportRows(tx: Db, { merchantId }: Owner, pull: string): Promise<void> {
  await sql`delete from report_row r where ${ofPull(merchantId, pull)}`.execute(tx)
}

/** Deletes what was saved of a pull that was used. */
export async function dropStaged(tx: Db, owner: Owner, { pull, few }: Staged): Promise<void> {
  if (!few) await deleteReportRows(tx, owner, pull)
}
