import { sql } from 'kysely'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'

interface Sold {
  date: string
  units: number
  salesMicros: Micros
  sessions: number
  pageViews: number
}
export type TradeDay = Sold & { orders: number }
export type ProductTradeDay = Sold & { asin: string }

interface Owner {
  merchantId: number
  marketplaceId: number
}
const ownedBy = ({ merchantId, marketplaceId }: Owner) =>
  sql`merchant_id = ${merchantId} and marketplace_id = ${marketplaceId}`

/** Replaces a seller's total sales of these days, in the caller's transaction. */
export async function replaceTradeDays(tx: Db, owner: Owner, days: readonly TradeDay[]): Promise<void> {
  if (!days.length) return
  await sql`insert into trade_day (merchant_id, marketplace_id, date, units, orders, sales_micros, sessions, page_views)
    select ${owner.merchantId}::bigint, ${owner.marketplaceId}::bigint, u.* from unnest(${days.map(d => d.date)}::date[], ${days.map(d => d.units)}::int[],
      ${days.map(d => d.orders)}::int[], ${days.map(d => d.salesMicros)}::bigint[], ${days.map(d => d.sessions)}::int[], ${days.map(d => d.pageViews)}::int[]) as u
    on conflict (merchant_id, marketplace_id, date) do update set units = excluded.units, orders = excluded.orders,
      sales_micros = excluded.sales_micros, sessions = excluded.sessions, page_views = excluded.page_views`.execute(tx)
}

/**
 * Saves the days of a report over a range. A day whose sales by product were imported stays unchanged, or the two would
 * disagree; where the report has other figures, the day is marked as stale, to be imported again.
 */
export async function mergeTradeDays(tx: Db, owner: Owner, days: readonly TradeDay[]): Promise<void> {
  const { rows } = await sql<{ date: string; salesMicros: Micros | null; units: number | null }>`
    select p.date, t.sales_micros as "salesMicros", t.units from product_trade_pull p
    left join trade_day t using (merchant_id, marketplace_id, date)
    where p.merchant_id = ${owner.merchantId} and p.marketplace_id = ${owner.marketplaceId}
      and p.date = any(${days.map(d => d.date)}::date[])`.execute(tx)
  const read = new Map(rows.map(row => [row.date, row]))
  const changed = days.filter(({ date, salesMicros, units }) => {
    const imported = read.get(date)
    return imported !== undefined && (imported.salesMicros !== salesMicros || imported.units !== units)
  })
  await sql`update product_trade_pull set stale = true where ${ownedBy(owner)} and date = any(${changed.map(d => d.date)}::date[])`.execute(
    tx,
  )
  await replaceTradeDays(
    tx,
    owner,
    days.filter(({ date }) => !read.has(date)),
  )
}

/** Replaces the sales by product of one day. */
export async function replaceProductTrade(
  tx: Db,
  owner: Owner,
  date: string,
  rows: readonly ProductTradeDay[],
): Promise<void> {
  await sql`delete from product_trade_day where ${ownedBy(owner)} and date = ${date}`.execute(tx)
  if (!rows.length) return
  await sql`insert into product_trade_day (merchant_id, marketplace_id, date, asin, units, sales_micros, sessions, page_views)
    select ${owner.merchantId}::bigint, ${owner.marketplaceId}::bigint, u.date, u.asin, sum(u.units), sum(u.sales), sum(u.sessions), sum(u.views)
    from unnest(${rows.map(r => r.date)}::date[], ${rows.map(r => r.asin)}::text[], ${rows.map(r => r.units)}::int[], ${rows.map(r => r.salesMicros)}::bigint[],
      ${rows.map(r => r.sessions)}::int[], ${rows.map(r => r.pageViews)}::int[]) as u(date, asin, units, sales, sessions, views)
    group by u.date, u.asin`.execute(tx)
}

/** The days of a range for which the seller's total sales were imported. */
export async function tradeDays(tx: Db, owner: Owner, from: string, to: string): Promise<TradeDay[]> {
  const { rows } =
    await sql<TradeDay>`${prepared}select date, units, orders, sales_micros as "salesMicros", sessions, page_views as "pageViews"
    from trade_day where ${ownedBy(owner)} and date between ${from} and ${to} order by date`.execute(tx)
  return rows
}

/** A seller's total sales of these days, as far as they were imported. */
export async function tradeSales(tx: Db, owner: Owner, from: string, to: string): Promise<Micros> {
  const { rows } = await sql<{ micros: Micros }>`${prepared}select coalesce(sum(sales_micros), 0)::float8 as micros
    from trade_day where ${ownedBy(owner)} and date between ${from} and ${to}`.execute(tx)
  return rows[0]?.micros ?? 0
}

/** Notes that a day's sales by product were read, in the transaction that replaced them. */
export async function noteProductTradePull(
  tx: Db,
  { merchantId, marketplaceId }: Owner,
  date: string,
  at: Date,
): Promise<void> {
  await sql`insert into product_trade_pull (merchant_id, marketplace_id, date, pulled_at)
    values (${merchantId}, ${marketplaceId}, ${date}, ${at})
    on conflict (merchant_id, marketplace_id, date) do update set pulled_at = excluded.pulled_at, stale = false`.execute(
    tx,
  )
}

/**
 * The newest day of a range whose sales by product must be imported: never imported, marked as changed since then, or
 * imported before `staleBefore` while the day could still change (within three days of its end). Null when none is missing.
 */
export async function missingTradeDay(
  tx: Db,
  { merchantId, marketplaceId }: Owner,
  { from, to, staleBefore }: { from: string; to: string; staleBefore: Date },
): Promise<string | null> {
  const { rows } = await sql<{ date: string }>`select d.date::date as date
    from generate_series(${from}::date, ${to}::date, interval '1 day') as d(date)
    left join product_trade_pull p on p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId} and p.date = d.date::date
    where p.date is null or p.stale or (p.pulled_at < d.date + interval '4 days' and p.pulled_at < ${staleBefore})
    order by d.date desc limit 1`.execute(tx)
  return rows[0]?.date ?? null
}
