import { type RawBuilder, sql } from 'kysely'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import { addDays } from '#shared/time.ts'
import type { FigureSums } from '#shared/metrics.ts'
import type { Micros } from '#shared/money.ts'
import { blockLengths, blocksOf, blockStart, startOfBlock } from './day-blocks.ts'
import { columnNames, columnSums, figuresOf, metricColumns } from './metric-columns.ts'

interface Account {
  merchantId: number
  profileId: number
  marketplaceId: number
}
interface Days {
  from: string
  to: string
}

/**
 * A subquery to join with (alias it): one row for each product and span of days, with `asin`, `span` (its place in
 * `spans`), the sum of every metric column over its ads, and `total_units` and `total_sales_micros` of all its sales,
 * advertised or not. Products without any are missing. Spans must not overlap. With `asins` only these products.
 */
export function productSums(
  { merchantId, profileId }: Account,
  spans: readonly Days[],
  asins?: readonly string[],
): RawBuilder<unknown> {
  const blocks = spans.flatMap((span, index) => blocksOf(span).map(block => ({ ...block, span: index })))
  const signed = (column: string) => `sum(b.sign * s.${column})`
  // Block by block and product by product: the planner would rather read all that there are.
  return sql`(select s.asin, b.span, ${sql.raw(summedColumns.map(column => `${signed(column)} as ${column}`).join(', '))}
    from unnest(${blocks.map(block => block.start)}::date[], ${blocks.map(block => block.days)}::int[],
      ${blocks.map(block => block.span)}::int[], ${blocks.map(block => block.sign)}::float8[]) as b(start, days, span, sign)
    ${asins ? sql`cross join (select distinct asin from unnest(${[...asins]}::text[]) as u(asin)) a` : sql``}
    cross join lateral (select * from product_sum p
      where p.merchant_id = ${merchantId} and p.profile_id = ${profileId} and p.days = b.days and p.start = b.start
        ${asins ? sql`and p.asin = a.asin` : sql``} offset 0) s
    group by s.asin, b.span having ${sql.raw(summedColumns.map(column => `${signed(column)} <> 0`).join(' or '))})`
}

const summedColumns = [...metricColumns.map(({ column }) => column), 'total_units', 'total_sales_micros']

/** The same with `total_units` and `total_sales_micros` only; products whose sales add up to nothing may be there or missing. */
export function productSales({ merchantId, profileId }: Account, spans: readonly Days[]): RawBuilder<unknown> {
  const blocks = spans.flatMap((span, index) => blocksOf(span).map(block => ({ ...block, span: index })))
  return sql`(select s.asin, b.span, sum(b.sign * total_units) as total_units,
      sum(b.sign * total_sales_micros) as total_sales_micros
    from unnest(${blocks.map(block => block.start)}::date[], ${blocks.map(block => block.days)}::int[],
      ${blocks.map(block => block.span)}::int[], ${blocks.map(block => block.sign)}::float8[]) as b(start, days, span, sign)
    cross join lateral (select asin, total_units::float8, total_sales_micros::float8 from product_sum p
      where p.merchant_id = ${merchantId} and p.profile_id = ${profileId} and p.days = b.days and p.start = b.start offset 0) s
    group by s.asin, b.span)`
}

/** What a product did and sold on a day. */
export interface ProductDay extends FigureSums {
  asin: string
  date: string
  totalUnits: number
  totalSalesMicros: Micros
}

/** The sums by day for some products; days on which nothing happened are missing. */
export async function productDays(
  tx: Db,
  { merchantId, profileId }: Account,
  asins: readonly string[],
  { from, to }: Days,
): Promise<ProductDay[]> {
  const { rows } = await sql<ProductDay>`select asin, start as date, ${figuresOf('s')},
      total_units::float8 as "totalUnits", total_sales_micros::float8 as "totalSalesMicros"
    from product_sum s where merchant_id = ${merchantId} and profile_id = ${profileId} and days = 1
      and asin = any(${[...asins]}::text[]) and start between ${from} and ${to}
    order by asin, start`.execute(tx)
  return rows
}

/** The days of the range whose sales by product were imported; of the others nothing is known but their totals. */
export async function tradeDaysByProduct(
  tx: Db,
  { merchantId, marketplaceId }: Account,
  { from, to }: Days,
): Promise<Set<string>> {
  const { rows } = await sql<{ date: string }>`select date from product_trade_pull
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and date between ${from} and ${to}`.execute(
    tx,
  )
  return new Set(rows.map(row => row.date))
}

/** How many these are; the caller compares that with the range. */
export async function importedTradeDays(tx: Db, { merchantId, marketplaceId }: Account, { from, to }: Days) {
  const { rows } = await sql<{ days: number }>`${prepared}select count(*)::float8 as days from product_trade_pull
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and date between ${from} and ${to}`.execute(
    tx,
  )
  return rows[0]?.days ?? 0
}

/** What products sold by ASIN and day, in all or through ads; days without any may be missing. */
export async function productTrends(
  tx: Db,
  { merchantId, profileId }: Account,
  asins: readonly string[],
  { from, to }: Days,
  sales: 'total_sales_micros' | 'sales_micros',
): Promise<Map<string, Record<string, Micros>>> {
  // As one value for each product: a row for each day would take longer to receive than to read. Not prepared: without the
  // values the planner would read the days of all products for each one.
  const { rows } = await sql<{ asin: string; days: Record<string, Micros> }>`
    select a.asin, (select coalesce(jsonb_object_agg(start, ${sql.ref(sales)}), '{}') from product_sum s
      where s.merchant_id = ${merchantId} and s.profile_id = ${profileId} and s.days = 1 and s.asin = a.asin
        and s.start between ${from} and ${to}) as days
    from unnest(${[...asins]}::text[]) as a(asin)`.execute(tx)
  return new Map(rows.map(({ asin, days }) => [asin, days]))
}

/**
 * Sums what the ads of each product did and what it sold for the blocks that the days touch, in the transaction that
 * replaced those days. Two at a time wait for each other.
 */
export async function rollUpProducts(tx: Db, account: Account, { from, to }: Days): Promise<void> {
  const { merchantId, profileId, marketplaceId } = account
  await sql`select pg_advisory_xact_lock(hashtextextended(${`metrics ${merchantId} ${profileId}`}, 0))`.execute(tx)
  const own = sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
  const [names, zeros] = [columnNames, sql.join(metricColumns.map(() => sql`0`))]
  for (const days of blockLengths.toReversed()) {
    const [first, last] = [startOfBlock(from, days), startOfBlock(to, days)]
    await sql`delete from product_sum where ${own} and days = ${days} and start between ${first} and ${last}`.execute(
      tx,
    )
    const source =
      days === 1
        ? sql`(
            select asin, date as start, ${names}, 0 as total_units, 0 as total_sales_micros from ad_day
            where ${own} and asin is not null and date between ${first} and ${last}
            union all
            select asin, date, ${zeros}, units, sales_micros from product_trade_day
            where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and date between ${first} and ${last})`
        : sql`(
            select asin, ${blockStart(sql`start`, days)} as start, ${names}, total_units, total_sales_micros
            from product_sum where ${own} and days = 1 and start between ${first} and ${addDays(last, days - 1)})`
    await sql`insert into product_sum (merchant_id, profile_id, days, asin, start, ${names}, total_units, total_sales_micros)
      select ${merchantId}::bigint, ${profileId}::bigint, ${days}::smallint, asin, start, ${columnSums}, sum(total_units), sum(total_sales_micros)
      from ${source} r group by asin, start`.execute(tx)
  }
}
