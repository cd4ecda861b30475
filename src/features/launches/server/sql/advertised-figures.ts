import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { AdvertisedFigures } from '../../plan/product-rates.ts'

/** What ads of these products came to over days, both included; products without figures are missing. */
export const advertisedFigures = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  asins: readonly string[],
  days: { from: string; to: string },
): Promise<(AdvertisedFigures & { asin: string })[]> => {
  const { rows } = await sql<AdvertisedFigures & { asin: string }>`
    select asin, sum(clicks)::float8 as clicks, sum(orders)::float8 as orders, sum(sales_micros)::float8 as "salesMicros"
    from ad_day
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and asin = any(${asins}::text[])
      and date between ${days.from} and ${days.to}
    group by asin`.execute(tx)
  return rows
}
