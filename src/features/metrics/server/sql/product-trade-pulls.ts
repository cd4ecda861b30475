import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

interface Owner {
  merchantId: number
  marketplaceId: number
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

/** How many days of a range were read. */
export async function pulledDays(
  tx: Db,
  { merchantId, marketplaceId }: Owner,
  from: string,
  to: string,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from product_trade_pull
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and date between ${from} and ${to}`.execute(
    tx,
  )
  return rows[0]?.n ?? 0
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
