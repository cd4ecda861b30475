import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { addDays } from '#shared/time.ts'
import { wholeWeeks } from '../whole-weeks.ts'

/** Sums over a range; money in micros. */
export interface FigureSums {
  impressions: number
  clicks: number
  costMicros: number
  salesMicros: number
  orders: number
  units: number
}

const sums = sql`coalesce(sum(impressions), 0)::float8 as impressions, coalesce(sum(clicks), 0)::float8 as clicks,
  coalesce(sum(cost_micros), 0)::float8 as "costMicros", coalesce(sum(sales_micros), 0)::float8 as "salesMicros",
  coalesce(sum(orders), 0)::float8 as orders, coalesce(sum(units), 0)::float8 as units`

// Summed within the range first and joined with its days after: the other way round every stored day is read.
const everyDay = (from: string, to: string, daily: RawBuilder<unknown>) => sql<FigureSums & { date: string }>`
  select d.date::date as date, coalesce(f.impressions, 0)::float8 as impressions, coalesce(f.clicks, 0)::float8 as clicks,
    coalesce(f."costMicros", 0)::float8 as "costMicros", coalesce(f."salesMicros", 0)::float8 as "salesMicros",
    coalesce(f.orders, 0)::float8 as orders, coalesce(f.units, 0)::float8 as units
  from generate_series(${from}::date, ${to}::date, interval '1 day') as d(date)
  left join (${daily}) f on f.date = d.date::date order by d.date`

/** Sums of accounts over days, both included. */
export const profileTotals = async (
  tx: Db,
  merchantId: number,
  profileIds: readonly number[],
  from: string,
  to: string,
): Promise<FigureSums> => {
  const { rows } = await sql<FigureSums>`select ${sums} from campaign_day
    where merchant_id = ${merchantId} and profile_id = any(${profileIds}::bigint[]) and date between ${from} and ${to}`.execute(
    tx,
  )
  return rows[0] ?? { impressions: 0, clicks: 0, costMicros: 0, salesMicros: 0, orders: 0, units: 0 }
}

/** A row for every day of the range, zeros where nothing happened. */
export const profileDays = async (
  tx: Db,
  merchantId: number,
  profileIds: readonly number[],
  from: string,
  to: string,
): Promise<(FigureSums & { date: string })[]> => {
  const daily = sql`select date, ${sums} from campaign_day
    where merchant_id = ${merchantId} and profile_id = any(${profileIds}::bigint[]) and date between ${from} and ${to} group by date`
  return (await everyDay(from, to, daily).execute(tx)).rows
}

/** A row for each account that has figures in the range. */
export const profileBreakdown = async (
  tx: Db,
  merchantId: number,
  from: string,
  to: string,
): Promise<(FigureSums & { profileId: number })[]> => {
  const { rows } = await sql<
    FigureSums & { profileId: number }
  >`select profile_id as "profileId", ${sums} from campaign_day
    where merchant_id = ${merchantId} and date between ${from} and ${to} group by profile_id`.execute(tx)
  return rows
}

/** By which column of a daily table rows are summed. */
const sources = {
  campaign: { table: 'campaign_day', key: 'campaign_id' },
  adGroup: { table: 'ad_group_day', key: 'ad_group_id' },
  target: { table: 'target_day', key: 'target_id' },
  ad: { table: 'ad_day', key: 'ad_id' },
} as const

interface Owner {
  merchantId: number
  profileId: number
}

/**
 * A subquery to join with (alias it): one row a thing, `key`, `impressions`, `clicks`, `cost`, `sales` (micros), `orders`
 * and `units` over the days, both included. Things without figures are missing.
 */
export const figuresBy = (what: keyof typeof sources, owner: Owner, from: string, to: string): RawBuilder<unknown> => {
  const rows = what === 'target' ? targetRows(owner, from, to) : dayRows(what, owner, from, to)
  // Micros are whole numbers below 2^53, which floats add exactly and faster than numerics.
  return sql`(select key, sum(impressions)::float8 as impressions, sum(clicks)::float8 as clicks, sum(cost_micros::float8) as cost,
      sum(sales_micros::float8) as sales, sum(orders)::float8 as orders, sum(units)::float8 as units
    from (${rows}) as r group by key)`
}

const summed = sql`impressions, clicks, cost_micros, sales_micros, orders, units`
const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`

const dayRows = (what: keyof typeof sources, owner: Owner, from: string, to: string): RawBuilder<unknown> => {
  const { table, key } = sources[what]
  return sql`select ${sql.ref(key)} as key, ${summed} from ${sql.table(table)}
    where ${ownedBy(owner)} and date between ${from} and ${to}`
}

// Targets are many: whole weeks are read as such, and only the days before and after them one by one.
const targetRows = (owner: Owner, from: string, to: string): RawBuilder<unknown> => {
  const weeks = wholeWeeks(from, to)
  if (!weeks) return dayRows('target', owner, from, to)
  const { first, last } = weeks
  const end = addDays(last, 6)
  const parts = [
    sql`select target_id as key, ${summed} from target_week where ${ownedBy(owner)} and week between ${first} and ${last}`,
  ]
  if (from < first) parts.push(dayRows('target', owner, from, addDays(first, -1)))
  if (end < to) parts.push(dayRows('target', owner, addDays(end, 1), to))
  return sql.join(parts, sql` union all `)
}

/** Figures of some campaigns, a row a day that has any. */
export const campaignDays = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  campaigns: RawBuilder<unknown>,
  from: string,
  to: string,
): Promise<(FigureSums & { date: string })[]> => {
  const daily = sql`select date, ${sums} from campaign_day
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and date between ${from} and ${to}
      and campaign_id in (${campaigns}) group by date`
  return (await everyDay(from, to, daily).execute(tx)).rows
}

/** The same of some ad groups. */
export const adGroupDays = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  adGroups: RawBuilder<unknown>,
  from: string,
  to: string,
): Promise<(FigureSums & { date: string })[]> => {
  const daily = sql`select date, ${sums} from ad_group_day
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and date between ${from} and ${to}
      and ad_group_id in (${adGroups}) group by date`
  return (await everyDay(from, to, daily).execute(tx)).rows
}
