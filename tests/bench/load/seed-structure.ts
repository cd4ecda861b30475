import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { AccountShape } from './seed-facts.ts'

const groupsPerCampaign = 2
const word = (of: string, words: readonly string[]) =>
  sql.raw(`(array[${words.map(w => `'${w}'`).join(',')}])[1 + (${of}) % ${words.length}]`)
const products = ['garden hose', 'water bottle', 'desk lamp', 'yoga mat', 'coffee grinder', 'bike light', 'rain coat']
const kinds = ['stainless', 'kids', 'large', 'foldable', 'blue', 'for travel', 'heavy duty', 'gift', 'outdoor']
const matches = ['EXACT', 'PHRASE', 'BROAD']
const states = ['ENABLED', 'ENABLED', 'ENABLED', 'PAUSED', 'ENABLED', 'ENABLED', 'ARCHIVED', 'ENABLED']

/**
 * An account's campaigns with two ad groups each; a group has an ad, keywords, a product target and a negative
 * keyword. Products are the seller's in that marketplace.
 */
export async function seedStructure(db: Db, a: AccountShape): Promise<void> {
  const owner = sql`${a.merchantId}::bigint, ${a.profileId}::bigint`
  const own = sql`x.merchant_id = ${a.merchantId} and x.profile_id = ${a.profileId}`
  const amazonId = (thing: number, n: string) =>
    sql.raw(`(${thing * 1e12} + ${a.profileId} * 1000000 + ${n})::bigint::text`)
  await sql`insert into product (merchant_id, marketplace_id, sku, asin, title, price_micros, currency, eligibility_status, fees_micros)
    select ${a.merchantId}::bigint, ${a.marketplaceId}::int, 'SKU-' || n, 'B0' || lpad(n::text, 8, '0'), initcap(${word('n', products)}) || ' ' || n,
      24000000, ${a.currency}, 'ELIGIBLE', 3600000
    from generate_series(1, ${a.products}::int) as g(n)`.execute(db)
  await sql`insert into product_cost (merchant_id, marketplace_id, sku, valid_from, cogs_micros, changed_at)
    select ${a.merchantId}::bigint, ${a.marketplaceId}::int, 'SKU-' || n, '2000-01-01', 9000000, now()
    from generate_series(1, ${a.products}::int) as g(n) where n % 5 > 0`.execute(db)
  await sql`insert into campaign (merchant_id, profile_id, amazon_id, name, state, targeting_type, daily_budget_micros, bidding_strategy, bidding, start_date, serving_status)
    select ${owner}, ${amazonId(1, 'n')}, 'SP ' || ${word('n / 7', products)} || ' ' || ${word('n', kinds)} || ' ' || lpad(n::text, 4, '0'), ${word('n', states)}, 'MANUAL',
      (5 + n % 90) * 1000000::bigint, 'SALES_DOWN_ONLY', '{"strategy":"SALES_DOWN_ONLY","placements":[]}'::jsonb, ${a.from}::date - n % 300, 'CAMPAIGN_STATUS_ENABLED'
    from generate_series(1, ${a.campaigns}::int) as g(n)`.execute(db)
  await sql`insert into ad_group (merchant_id, profile_id, campaign_id, amazon_id, name, state, default_bid_micros)
    select ${owner}, x.id, ${amazonId(2, `x.id * 10 + g.n`)}, x.name || ' group ' || g.n, 'ENABLED', 750000
    from campaign x cross join generate_series(1, ${groupsPerCampaign}::int) as g(n) where ${own}`.execute(db)
  await sql`insert into product_ad (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, asin, sku, state)
    select ${owner}, x.campaign_id, x.id, ${amazonId(3, 'x.id')}, 'B0' || lpad((1 + x.id % ${a.products}::int)::text, 8, '0'), 'SKU-' || (1 + x.id % ${a.products}::int), 'ENABLED'
    from ad_group x where ${own}`.execute(db)
  await sql`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state, bid_micros)
    select ${owner}, x.campaign_id, x.id, ${amazonId(4, 'x.id * 100 + g.n')}, 'KEYWORD', ${word('x.id', kinds)} || ' ' || ${word('x.id / 9 + g.n', products)} || ' ' || x.id % 50,
      ${word('g.n', matches)}, ${word('x.id + g.n', states)}, (20 + (x.id * 7 + g.n) % 180) * 10000::bigint
    from ad_group x cross join generate_series(1, ${a.keywordsPerGroup}::int) as g(n) where ${own}`.execute(db)
  await sql`insert into keyword_text select distinct merchant_id, profile_id, text_lower from target x where ${own}`.execute(
    db,
  )
  await sql`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, state, bid_micros)
    select ${owner}, x.campaign_id, x.id, ${amazonId(5, 'x.id')}, 'PRODUCT', 'B0' || lpad((x.id % 5000)::text, 8, '0'), 'ENABLED', 550000
    from ad_group x where ${own}`.execute(db)
  await sql`insert into negative (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state)
    select ${owner}, x.campaign_id, x.id, ${amazonId(6, 'x.id')}, 'KEYWORD', 'cheap ' || ${word('x.id', products)}, 'NEGATIVE_EXACT', 'ENABLED'
    from ad_group x where ${own}`.execute(db)
}
