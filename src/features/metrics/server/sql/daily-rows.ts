import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import type { AdType } from '#shared/campaign-rules.ts'

// Figures day by day, for what decides on each of many entities at once. Days without anything are missing.

export interface DayRow {
  day: string
  clicks: number
  costMicros: Micros
  orders: number
  salesMicros: Micros
}

interface Days {
  from: string
  to: string
}

type Packed = [day: string, clicks: number, cost: number, orders: number, sales: number]
const packed = sql`jsonb_agg(jsonb_build_array(d.date, d.clicks, d.cost_micros, d.orders, d.sales_micros) order by d.date)`
const unpacked = (days: readonly Packed[]): DayRow[] =>
  days.map(([day, clicks, costMicros, orders, salesMicros]) => ({ day, clicks, costMicros, orders, salesMicros }))
const isAny = sql`(d.clicks <> 0 or d.cost_micros <> 0 or d.orders <> 0)`

const daysBy =
  (table: 'target_day' | 'campaign_day', key: 'target_id' | 'campaign_id') =>
  async (
    tx: Db,
    { merchantId, profileId }: Owner,
    campaignIds: readonly number[],
    { from, to }: Days,
  ): Promise<Map<number, DayRow[]>> => {
    const { rows } = await sql<{ id: number; days: Packed[] }>`select ${sql.ref(`d.${key}`)} as id, ${packed} as days
      from ${sql.table(table)} d
      where d.merchant_id = ${merchantId} and d.profile_id = ${profileId} and d.date between ${from} and ${to}
        and d.campaign_id = any(${campaignIds}::bigint[]) and ${isAny} group by 1`.execute(tx)
    return new Map(rows.map(({ id, days }) => [id, unpacked(days)]))
  }
/** The days of the targets of campaigns, by target. */
export const daysOfTargets = daysBy('target_day', 'target_id')
/** How often the ads of the targets of campaigns were shown on these days together, by target. */
export async function impressionsOfTargets(
  tx: Db,
  { merchantId, profileId }: Owner,
  campaignIds: readonly number[],
  { from, to }: Days,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; impressions: number }>`
    select d.target_id as id, sum(d.impressions)::float8 as impressions from target_day d
    where d.merchant_id = ${merchantId} and d.profile_id = ${profileId} and d.date between ${from} and ${to}
      and d.campaign_id = any(${campaignIds}::bigint[]) group by 1`.execute(tx)
  return new Map(rows.map(({ id, impressions }) => [id, impressions]))
}
/** The days of campaigns, by campaign. */
export const daysOfCampaigns = daysBy('campaign_day', 'campaign_id')

/** The days of the two places of a search. */
export interface SearchPlaceDays {
  top: DayRow[]
  other: DayRow[]
}

/** The days of campaigns in the places of searches, by campaign; those that no report has places of are missing. */
export async function daysOfPlaces(
  tx: Db,
  { merchantId, profileId }: Owner,
  campaignIds: readonly number[],
  { from, to }: Days,
): Promise<Map<number, SearchPlaceDays>> {
  const { rows } = await sql<{ id: number; top: Packed[] | null; other: Packed[] | null }>`
    select d.campaign_id as id, ${packed} filter (where d.placement = 'TOP_OF_SEARCH' and ${isAny}) as top,
      ${packed} filter (where d.placement = 'REST_OF_SEARCH' and ${isAny}) as other
    from placement_day d where d.merchant_id = ${merchantId} and d.profile_id = ${profileId}
      and d.date between ${from} and ${to} and d.campaign_id = any(${campaignIds}::bigint[]) group by d.campaign_id`.execute(
    tx,
  )
  return new Map(rows.map(({ id, top, other }) => [id, { top: unpacked(top ?? []), other: unpacked(other ?? []) }]))
}

export interface TermRow {
  term: string
  targetId: number
  campaignId: number
  adGroupId: number
  days: DayRow[]
}

/** The days of the searches that brought clicks to campaigns, the dearest first, at most `limit`, by their target. */
export async function daysOfTerms(
  tx: Db,
  { merchantId, profileId }: Owner,
  campaignIds: readonly number[],
  { from, to }: Days,
  limit: number,
): Promise<TermRow[]> {
  const { rows } = await sql<Omit<TermRow, 'days'> & { days: Packed[] }>`
    select d.search_term as term, d.target_id as "targetId", min(d.campaign_id) as "campaignId",
      min(d.ad_group_id) as "adGroupId", ${packed} as days
    from search_term_day d
    where d.merchant_id = ${merchantId} and d.profile_id = ${profileId} and d.date between ${from} and ${to}
      and d.campaign_id = any(${campaignIds}::bigint[]) and d.clicks > 0
    group by d.target_id, d.search_term order by sum(d.cost_micros) desc, d.target_id, d.search_term limit ${limit}`.execute(
    tx,
  )
  return rows.map(row => ({ ...row, days: unpacked(row.days) }))
}

/** All of an account's campaigns of an ad type, by day. */
export async function daysOfAdType(
  tx: Db,
  { merchantId, profileId }: Owner,
  adType: AdType,
  { from, to }: Days,
): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`select d.date as day, sum(d.clicks)::float8 as clicks,
      sum(d.cost_micros)::float8 as "costMicros", sum(d.orders)::float8 as orders, sum(d.sales_micros)::float8 as "salesMicros"
    from campaign_day d join campaign c on c.merchant_id = d.merchant_id and c.id = d.campaign_id and c.ad_type = ${adType}
    where d.merchant_id = ${merchantId} and d.profile_id = ${profileId} and d.date between ${from} and ${to}
    group by d.date order by d.date`.execute(tx)
  return rows
}

/** What campaigns have spent on a day so far, by its hours, by campaign; those without hours are missing. */
export async function spentOn(
  tx: Db,
  { merchantId }: Owner,
  campaignIds: readonly number[],
  day: string,
): Promise<Map<number, Micros>> {
  const { rows } = await sql<{ id: number; costMicros: Micros }>`select campaign_id as id,
      sum(cost_micros)::float8 as "costMicros" from campaign_hour
    where merchant_id = ${merchantId} and date = ${day} and campaign_id = any(${campaignIds}::bigint[])
    group by campaign_id`.execute(tx)
  return new Map(rows.map(({ id, costMicros }) => [id, costMicros]))
}

/** What an hour of the week brought over some days; weekday 1 for Monday. */
export interface WeekHourRow {
  weekday: number
  hour: number
  clicks: number
  orders: number
  salesMicros: Micros
}

/** The hours of the week of campaigns, summed over the days of a range that have hours, and how many those are. */
export async function weekHoursOf(
  tx: Db,
  { merchantId }: Owner,
  campaignIds: readonly number[],
  { from, to }: Days,
): Promise<{ days: number; cells: WeekHourRow[] }> {
  const { rows } = await sql<WeekHourRow & { dates: string[] }>`select extract(isodow from date)::int as weekday, hour,
      sum(clicks)::float8 as clicks, sum(orders)::float8 as orders, sum(sales_micros)::float8 as "salesMicros",
      array_agg(distinct date::text) as dates
    from campaign_hour where merchant_id = ${merchantId} and date between ${from} and ${to}
      and campaign_id = any(${campaignIds}::bigint[]) group by 1, 2 order by 1, 2`.execute(tx)
  const days = new Set(rows.flatMap(row => row.dates)).size
  return { days, cells: rows.map(({ dates: _dates, ...cell }) => cell) }
}
