import { type RawBuilder, sql } from 'kysely'
import { isOfAdType, type Owner } from '#features/structure/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'
import type { Micros } from '#shared/money.ts'
import { columnTotals, figuresOf } from './metric-columns.ts'
import { type Summed, summedDays, summedRange } from './running-sums.ts'
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
  return everyDay(tx, summedDays('profile', merchantId, profileIds, from, to), from, to, true)
}

/** The same of some campaigns; of all when null. */
export function campaignDays(tx: Db, owner: Owner, campaigns: RawBuilder<unknown> | null, from: string, to: string) {
  if (!campaigns) return profileDays(tx, owner.merchantId, [owner.profileId], from, to)
  const of = sql`${ownedBy(owner)} and campaign_id in (${campaigns})`
  return everyDay(tx, daysOf('campaign_day', of, from, to), from, to)
}

/** The same of some ad groups; of all when null. */
export function adGroupDays(tx: Db, owner: Owner, adGroups: RawBuilder<unknown> | null, from: string, to: string) {
  if (!adGroups)
    return everyDay(tx, summedDays('profileAdGroups', owner.merchantId, [owner.profileId], from, to), from, to)
  const of = sql`${ownedBy(owner)} and ad_group_id in (${adGroups})`
  return everyDay(tx, daysOf('ad_group_day', of, from, to), from, to)
}

const daysOf = (table: 'campaign_day' | 'ad_group_day', condition: RawBuilder<unknown>, from: string, to: string) =>
  sql`(select date, ${columnTotals} from ${sql.table(table)}
    where ${condition} and date between ${from} and ${to} group by date)`

async function everyDay(
  tx: Db,
  days: RawBuilder<unknown>,
  from: string,
  to: string,
  isPrepared = false,
): Promise<DaySums[]> {
  // Summed within the range first and joined with its days after: the other way round every stored day is read.
  const { rows } = await sql<DaySums>`${isPrepared ? prepared : sql``}select d.date::date as date, ${figuresOf('f')}
    from generate_series(${from}::date, ${to}::date, interval '1 day') as d(date)
    left join ${days} f on f.date = d.date::date order by d.date`.execute(tx)
  return rows
}

/** A row for each account of some merchants that has figures in the range. */
export async function profileBreakdown(
  tx: Db,
  merchantIds: readonly number[],
  from: string,
  to: string,
): Promise<(FigureSums & { profileId: number })[]> {
  const account = { merchantId: sql.ref('s.merchant_id'), profileId: sql.ref('s.profile_id') }
  const sums = summedRange(['profile'], account, { from, to })
  const { rows } = await sql<FigureSums & { profileId: number }>`select f.key as "profileId", ${figuresOf('f')}
    from metrics_state s cross join lateral ${sums} f where s.merchant_id = any(${merchantIds}::bigint[])`.execute(tx)
  return rows
}

const summed = {
  profile: ['profile'],
  profileAdGroups: ['profileAdGroups'],
  campaign: ['campaign'],
  adGroup: ['adGroup'],
  target: ['keyword', 'target'],
  keyword: ['keyword'],
  otherTarget: ['target'],
  ad: ['ad'],
} as const satisfies Record<string, readonly Summed[]>

/**
 * A subquery to join with (alias it): one row for each entity, `key` and the sum of every metric column over the days,
 * both included. Entities without figures are missing. Targets are keywords and all others. Of few entities pass their
 * `keys` as an array: a condition on the subquery's rows is met only after all were summed.
 */
export const figuresBy = (
  what: keyof typeof summed,
  owner: Owner,
  from: string,
  to: string,
  keys?: RawBuilder<unknown>,
): RawBuilder<unknown> => summedRange(summed[what], owner, { from, to, ...(keys && { keys }) })

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
