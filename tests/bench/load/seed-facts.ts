import { sql } from 'kysely'
import { addFactMonths } from '#features/metrics/server/sql/fact-months.ts'
import { rollUpProducts } from '#features/metrics/server/sql/read-products.ts'
import { sumUp } from '#features/metrics/server/sql/running-sums.ts'
import type { Db } from '#server/db/tables.ts'

/** The shape of one advertising account, and the days it has figures of. */
export interface AccountShape {
  merchantId: number
  profileId: number
  marketplaceId: number
  currency: string
  campaigns: number
  products: number
  from: string
  to: string
  /** Keywords of each of the two ad groups of a campaign. */
  keywordsPerGroup: number
  /** Every how many-th target and ad has figures; the others were never shown. */
  activeEvery: number
}

// A number below `limit` that looks random and is the same each time.
const drawn = (of: string, salt: number, limit: number) =>
  sql.raw(`abs(hashint8((${of}) * 31 + ${salt})::bigint) % ${limit}`)

// Sums of one thing on one day; about one click in three days, so that rows without sales are there too.
const figures = (of: string) => sql`
  ${drawn(of, 1, 2000)} as impressions, ${drawn(of, 2, 30)} as clicks, (${drawn(of, 2, 30)}) * (150000 + ${drawn(of, 3, 900000)}) as cost,
  (${drawn(of, 4, 6)}) * (9000000 + ${drawn(of, 5, 40000000)}) as sales, ${drawn(of, 4, 6)} as orders, ${drawn(of, 4, 6)} as units`

const columns = sql`impressions, clicks, cost_micros, sales_micros, orders, units`
const days = (a: AccountShape) => sql`generate_series(0, ${a.to}::date - ${a.from}::date) as d(n)`

/**
 * Fills the daily tables of an account whose structure is there: a row a day for each target and ad, one for every
 * fourth target's search term, and the campaigns' as the sums of their targets. They lie on disk day after day, as the
 * imports leave them. Runs as owner of the tables.
 */
export async function seedFacts(db: Db, a: AccountShape): Promise<void> {
  await addFactMonths(db, a)
  const own = sql`t.merchant_id = ${a.merchantId} and t.profile_id = ${a.profileId}`
  const active = sql`${own} and t.id % ${a.activeEvery}::int = 0`
  await sql`insert into target_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, date, ${columns})
    select merchant_id, profile_id, campaign_id, ad_group_id, id, ${a.from}::date + n, impressions, clicks, cost, sales, orders, units
    from (select t.*, d.n, ${figures('t.id * 1000 + d.n')} from target t cross join ${days(a)} where ${active} order by d.n, t.id) as x`.execute(
    db,
  )
  await sql`insert into search_term_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, search_term, date, ${columns})
    select merchant_id, profile_id, campaign_id, ad_group_id, id, text || ' near me', ${a.from}::date + n, impressions, clicks, cost, sales, orders, units
    from (select t.*, d.n, ${figures('t.id * 1000 + d.n')} from target t cross join ${days(a)} where ${active} and t.id / ${a.activeEvery}::int % 4 = 0 order by d.n, t.id) as x`.execute(
    db,
  )
  await sql`insert into ad_day (merchant_id, profile_id, campaign_id, ad_group_id, ad_id, asin, date, ${columns})
    select merchant_id, profile_id, campaign_id, ad_group_id, id, asin, ${a.from}::date + n, impressions, clicks, cost, sales, orders, units
    from (select t.*, d.n, ${figures('t.id * 7000 + d.n')} from product_ad t cross join ${days(a)} where ${active} order by d.n, t.id) as x`.execute(
    db,
  )
  await sql`insert into campaign_day (merchant_id, profile_id, campaign_id, date, ${columns})
    select merchant_id, profile_id, campaign_id, date, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
    from target_day t where ${own} group by merchant_id, profile_id, campaign_id, date order by date, campaign_id`.execute(
    db,
  )
  await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, ${columns})
    select merchant_id, profile_id, min(campaign_id), ad_group_id, date, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
    from target_day t where ${own} group by merchant_id, profile_id, ad_group_id, date order by date, ad_group_id`.execute(
    db,
  )
  for (const table of ['campaign_day', 'ad_group_day', 'target_day', 'ad_day']) await sumUp(db, a, table, a)
  await seedTrade(db, a)
  await rollUpProducts(db, a, a)
}

async function seedTrade(db: Db, a: AccountShape): Promise<void> {
  await sql`insert into trade_day (merchant_id, marketplace_id, date, units, orders, sales_micros, sessions, page_views)
    select ${a.merchantId}::bigint, ${a.marketplaceId}::bigint, ${a.from}::date + n, 900 + n, 800 + n, (900 + n) * 24000000::bigint, 20000, 30000
    from ${days(a)}`.execute(db)
  await sql`insert into product_trade_day (merchant_id, marketplace_id, date, asin, units, sales_micros, sessions, page_views)
    select t.merchant_id, t.marketplace_id, ${a.from}::date + d.n, t.asin, 1 + ${drawn('t.id * 1000 + d.n', 6, 9)}, 24000000, 100, 150
    from product t cross join ${days(a)} where t.merchant_id = ${a.merchantId} and t.marketplace_id = ${a.marketplaceId}`.execute(
    db,
  )
  await sql`insert into product_trade_pull (merchant_id, marketplace_id, date, pulled_at)
    select ${a.merchantId}::bigint, ${a.marketplaceId}::bigint, ${a.from}::date + n, now() from ${days(a)}`.execute(db)
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to, trade_as_of)
    values (${a.merchantId}, ${a.profileId}, 1, now(), ${a.from}, ${a.to}, now())`.execute(db)
}
