import { sql } from 'kysely'
import { fromMicros } from '#shared/money.ts'
import type { Db } from '#server/db/tables.ts'
import type { Shop } from './costs/cost-rows.ts'

/** Something that happened to a product, seen by comparing the snapshots of two days. */
export interface ProductEvent {
  date: string
  asin: string
  title: string | null
  kind: 'OUT_OF_STOCK' | 'BACK_IN_STOCK' | 'PRICE_CHANGED'
  /** Pieces of stock, or a price in decimals of the marketplace's currency. */
  before: number | null
  after: number | null
}

/** What happened to a merchant's products in one marketplace over days, both included, in order. */
export async function productEvents(
  tx: Db,
  merchantId: number,
  marketplaceId: number,
  from: string,
  to: string,
): Promise<ProductEvent[]> {
  const { rows } = await sql<ProductEvent>`
    select e.date, p.asin, p.title, e.kind, e.before_value as before, e.after_value as after
    from product_event e join product p on p.merchant_id = e.merchant_id and p.id = e.product_id
    where e.merchant_id = ${merchantId} and e.marketplace_id = ${marketplaceId} and p.merchant_id = ${merchantId}
      and e.date between ${from} and ${to} and p.asin is not null
    order by e.date, lower(p.title), e.product_id, e.kind`.execute(tx)
  const amount = (micros: number | null) => (micros === null ? null : fromMicros(micros))
  return rows.map(event =>
    event.kind === 'PRICE_CHANGED' ? { ...event, before: amount(event.before), after: amount(event.after) } : event,
  )
}

/**
 * Compares the snapshot of a day with the one before it, product by product, and replaces the day's events. Stock is that
 * of all skus of an ASIN, since shoppers can buy while one of them has some; a price is that of a sku. What was unknown
 * before or is now makes no event.
 */
export async function replaceEvents(tx: Db, { merchantId, marketplaceId }: Shop, date: string): Promise<void> {
  await sql`delete from product_event
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and date = ${date}`.execute(tx)
  await sql`
    with pair as (
      select p.id, coalesce(p.asin, p.sku) as asin, d.available, d.price_micros,
        b.available as available_before, b.price_micros as price_before
      from product p
      join product_day d on d.merchant_id = p.merchant_id and d.product_id = p.id and d.date = ${date}
      join lateral (
        select * from product_day x
        where x.merchant_id = ${merchantId} and x.product_id = p.id and x.date < ${date}
        order by x.date desc limit 1) as b on true
      where p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId} and d.merchant_id = ${merchantId}
    ), stock as (
      select min(id) as id, sum(available) as now, sum(available_before) as before from pair group by asin
      having bool_and(available is not null and available_before is not null)
    ), event as (
      select id, case when now <= 0 then 'OUT_OF_STOCK' else 'BACK_IN_STOCK' end as kind, before, now as after
      from stock where (now <= 0) <> (before <= 0)
      union all
      select id, 'PRICE_CHANGED', price_before, price_micros from pair where price_before <> price_micros
    )
    insert into product_event (merchant_id, marketplace_id, date, product_id, kind, before_value, after_value)
    select ${merchantId}::bigint, ${marketplaceId}::int, ${date}::date, id, kind, before, after from event`.execute(tx)
}

/**
 * Adds when products ran out of stock that had none in their first snapshot, that of `today`: on the day of the last change of
 * their stock, as the marketplace says. How much there was before is unknown. An ASIN of which another sku has stock, or was
 * seen before, gets none.
 */
export async function addEmptySince(
  tx: Db,
  { merchantId, marketplaceId }: Shop,
  today: string,
  empty: readonly { sku: string; date: string }[],
): Promise<void> {
  if (!empty.length) return
  await sql`
    with since as (select * from unnest(${empty.map(one => one.sku)}::text[], ${empty.map(one => one.date)}::date[]) u(sku, date)),
    stock as (
      select min(p.id) as id, max(s.date) as date
      from product p
      join product_day d on d.merchant_id = p.merchant_id and d.product_id = p.id and d.date = ${today}
      left join since s on s.sku = p.sku
      where p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId} and d.merchant_id = ${merchantId}
      group by coalesce(p.asin, p.sku)
      having bool_and(s.date is not null) and not bool_or(exists (select 1 from product_day x
        where x.merchant_id = ${merchantId} and x.product_id = p.id and x.date < ${today}))
    )
    insert into product_event (merchant_id, marketplace_id, date, product_id, kind, before_value, after_value)
    select ${merchantId}::bigint, ${marketplaceId}::int, date, id, 'OUT_OF_STOCK', null, 0 from stock where date < ${today}
    on conflict do nothing`.execute(tx)
}
