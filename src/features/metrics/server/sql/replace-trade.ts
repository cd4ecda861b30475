import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import { pulledDays } from './product-trade-pulls.ts'

export interface TradeDay {
  date: string
  units: number
  orders: number
  salesMicros: Micros
  sessions: number
  pageViews: number
}
export interface ProductTradeDay {
  date: string
  asin: string
  units: number
  salesMicros: Micros
  sessions: number
  pageViews: number
}

interface Owner {
  merchantId: number
  marketplaceId: number
}

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
  await sql`update product_trade_pull set stale = true where merchant_id = ${owner.merchantId}
    and marketplace_id = ${owner.marketplaceId} and date = any(${changed.map(d => d.date)}::date[])`.execute(tx)
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
  await sql`delete from product_trade_day where merchant_id = ${owner.merchantId} and marketplace_id = ${owner.marketplaceId} and date = ${date}`.execute(
    tx,
  )
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
    await sql<TradeDay>`select date, units, orders, sales_micros as "salesMicros", sessions, page_views as "pageViews"
    from trade_day where merchant_id = ${owner.merchantId} and marketplace_id = ${owner.marketplaceId} and date between ${from} and ${to} order by date`.execute(
      tx,
    )
  return rows
}

export interface ProductTrade {
  asin: string
  units: number
  salesMicros: Micros
}

/**
 * What each product sold in the range, and how many of its days were imported; the caller compares that with the range.
 */
export async function productTrade(
  tx: Db,
  owner: Owner,
  from: string,
  to: string,
): Promise<{ importedDays: number; products: ProductTrade[] }> {
  const { rows } =
    await sql<ProductTrade>`select asin, sum(units)::float8 as units, sum(sales_micros)::float8 as "salesMicros" from product_trade_day
    where merchant_id = ${owner.merchantId} and marketplace_id = ${owner.marketplaceId} and date between ${from} and ${to} group by asin`.execute(
      tx,
    )
  return { importedDays: await pulledDays(tx, owner, from, to), products: rows }
}
