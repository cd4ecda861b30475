import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'
import { daysOf } from '#shared/time.ts'
import { figureSums } from './metric-columns.ts'

/** Since when an account's hourly figures are received, and up to when they are complete; null while there are none. */
export async function hourlyState(tx: Db, owner: Owner): Promise<{ since: Date | null; asOf: Date | null }> {
  const { rows } = await sql<{ since: Date | null; asOf: Date | null }>`
    select hourly_from as since, hourly_as_of as "asOf" from metrics_state
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId}`.execute(tx)
  return rows[0] ?? { since: null, asOf: null }
}

/** Days on end, both included. */
export interface HourRange {
  from: string
  to: string
}

export interface WeekHour extends FigureSums {
  /** The place of its range in the list. */
  range: number
  /** 0 for Monday. */
  weekday: number
  hour: number
}

/**
 * The sums of an account, or of one of its campaigns, by hour of the week (in the account's time zone), apart for each of
 * the ranges, which follow one another without a gap. Hours without figures are missing.
 */
export async function readHours(
  tx: Db,
  { merchantId, profileId }: Owner,
  ranges: readonly HourRange[],
  campaignId?: number,
): Promise<WeekHour[]> {
  const [from, to] = [ranges[0]?.from, ranges.at(-1)?.to]
  if (!from || !to) return []
  const starts = ranges.map(range => range.from)
  const own = sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
  // The primary key leads to a campaign's hours of each day; for one campaign alone the table has no index. Day by day, in a
  // part of its own: else the server reads every campaign's hours of these months.
  const source =
    campaignId === undefined
      ? sql`profile_hour where ${own} and date between ${from} and ${to}`
      : sql`unnest(${daysOf(from, to)}::date[]) as one(day) cross join lateral (select * from campaign_hour
          where ${own} and campaign_id = ${campaignId} and date = one.day and date between ${from} and ${to} offset 0) as h`
  const { rows } = await sql<WeekHour>`select width_bucket(date, ${starts}::date[]) - 1 as range,
      (extract(isodow from date) - 1)::int as weekday, hour, ${figureSums}
    from ${source} group by 1, 2, 3`.execute(tx)
  return rows
}
