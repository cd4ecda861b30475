import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { ProductTrade } from './replace-trade.ts'

interface Shop {
  merchantId: number
  marketplaceId: number
}

/** What some products sold on each day of the range; days on which a product sold nothing are missing. */
export async function productTradeDays(
  tx: Db,
  { merchantId, marketplaceId }: Shop,
  asins: readonly string[],
  from: string,
  to: string,
): Promise<(ProductTrade & { date: string })[]> {
  const { rows } = await sql<ProductTrade & { date: string }>`
    select asin, date, units::float8 as units, sales_micros::float8 as "salesMicros" from product_trade_day
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and asin = any(${[...asins]}::text[])
      and date between ${from} and ${to}`.execute(tx)
  return rows
}
