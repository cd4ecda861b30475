import { type RawBuilder, sql } from 'kysely'
import { isOfAdType, type Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'
import type { Micros } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'
import { columnNames, columnTotals, figureSums, figuresOf } from './metric-columns.ts'
import type { DaySums } from './settling.ts'

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`

/** The sums of accounts: a row for every day of the range, zeros where nothing happened. */
export function profileDays(
  tx: Db,
  merchantId: number,
  profileIds: readonly number[],
  from: string,
  to: string,
): Promise<DaySums[]> {
  const accounts = sql`merchant_id = ${merchantId} and profile_id = any(${profileIds}::bigint[])`
  return everyDay(tx, 'campaign_day', accounts, from, to)
}

/** The same of some campaigns. */
export function campaignDays(tx: Db, owner: Owner, campaigns: RawBuilder<unknown>, from: string, to: string) {
  return everyDay(tx, 'campaign_day', sql`${ownedBy(owner)} and campaign_id in (${campaigns})`, from, to)
}

/** The same of some ad groups. */
export function adGroupDays(tx: Db, owner: Owner, adGroups: RawBuilder<unknown>, from: string, to: string) {
  return everyDay(tx, 'ad_group_day', sql`${ownedBy(owner)} and ad_group_id in (${adGroups})`, from, to)
}

async function everyDay(
  tx: Db,
  table: 'campaign_day' | 'ad_group_day',
  condition: RawBuilder<unknown>,
  from: string,
  to: string,
): Promise<DaySums[]> {
  // Summed within the range first and joined with its days after: the other way round every stored day is read.
  const { rows } = await sql<DaySums>`select d.date::date as date, ${figuresOf('f')}
    from generate_series(${from}::date, ${to}::date, interval '1 day') as d(date)
    left join (
      select date, ${columnTotals} from ${sql.table(table)}
      where ${condition} and date between ${from} and ${to} group by date
    ) f on f.date = d.date::date order by d.date`.execute(tx)
  return rows
}

/** A row for each account of some merchants that has figures in the range. */
export async function profileBreakdown(
  tx: Db,
  merchantIds: readonly number[],
  from: string,
  to: string,
): Promise<(FigureSums & { profileId: number })[]> {
  const { rows } = await sql<FigureSums & { profileId: number }>`select profile_id as "profileId", ${figureSums}
    from campaign_day where merchant_id = any(${merchantIds}::bigint[]) and date between ${from} and ${to} group by profile_id`.execute(
    tx,
  )
  return rows
}

/** By which column of a daily table rows are summed. */
const sources = {
  campaign: { table: 'campaign_day', key: 'campaign_id' },
  adGroup: { table: 'ad_group_day', key: 'ad_group_id' },
  target: { table: 'target_day', key: 'target_id' },
  ad: { table: 'ad_day', key: 'ad_id' },
} as const

/**
 * A subquery to join with (alias it): one row for each entity, `key` and the sum of every metric column over the days,
 * both included. Entities without figures are missing.
 */
export function figuresBy(what: keyof typeof sources, owner: Owner, from: string, to: string): RawBuilder<unknown> {
  const rows = what === 'target' ? targetRows(owner, from, to) : dayRows(what, owner, from, to)
  return sql`(select key, ${columnTotals} from (${rows}) as r group by key)`
}

function dayRows(what: keyof typeof sources, owner: Owner, from: string, to: string): RawBuilder<unknown> {
  const { table, key } = sources[what]
  return sql`select ${sql.ref(key)} as key, ${columnNames} from ${sql.table(table)}
    where ${ownedBy(owner)} and date between ${from} and ${to}`
}

// Targets are many: whole weeks are read as such, and only the days before and after them one by one.
function targetRows(owner: Owner, from: string, to: string): RawBuilder<unknown> {
  const firstWeek = addDays(from, (7 - weekdayOf(from)) % 7)
  const lastWeek = addDays(to, -((weekdayOf(to) + 1) % 7) - 6)
  if (firstWeek > lastWeek) return dayRows('target', owner, from, to)
  const end = addDays(lastWeek, 6)
  const parts = [
    sql`select target_id as key, ${columnNames} from target_week
      where ${ownedBy(owner)} and week between ${firstWeek} and ${lastWeek}`,
  ]
  if (from < firstWeek) parts.push(dayRows('target', owner, from, addDays(firstWeek, -1)))
  if (end < to) parts.push(dayRows('target', owner, addDays(end, 1), to))
  return sql.join(parts, sql` union all `)
}

/** 0 for Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7

/**
 * Clicks, orders and sales of the ads of products in Sponsored Products over days, both included; products without figures
 * are missing.
 */
export async function productFigures(tx: Db, owner: Owner, asins: readonly string[], from: string, to: string) {
  const { rows } = await sql<{ asin: string; clicks: number; orders: number; salesMicros: Micros }>`
    select asin, sum(clicks)::float8 as clicks, sum(orders)::float8 as orders, sum(sales_micros)::float8 as "salesMicros"
    from ad_day where ${ownedBy(owner)} and ${isOfAdType(owner, 'ad', sql.ref('ad_id'), 'SPONSORED_PRODUCTS')} and asin = any(${asins}::text[]) and date between ${from} and ${to}
    group by asin`.execute(tx)
  return rows
}
