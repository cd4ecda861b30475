import { sql } from 'kysely'
import { storeGrant } from '#features/accounts/server/tokens.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'

export const campaignsPerMerchant = 10

export interface SeededMerchant {
  accountId: number
  merchantId: number
  profileId: number
}

/**
 * Fills a migrated, empty database with merchants of ten campaigns each: a campaign has an ad group, an ad and two keywords.
 * Each has an owner and a connection with a token that lasts. Figures come by imports. The marketplace's ids begin with
 * the profile's, see report-of-profile.ts.
 */
export async function seedMerchants(
  { db, vault }: { db: Database; vault: Services['vault'] },
  count: number,
): Promise<SeededMerchant[]> {
  const { system } = db
  const statements = [
    sql`insert into account (email, password_hash, first_name, last_name, account_type, email_verified_at)
      select 'many' || n || '@tideline.test', 'no log-in', 'Bench', 'Seller', 'SELLER', now() from generate_series(1, ${count}::int) as g(n)`,
    sql`insert into account_role (account_id, role) select id, 'OWNER' from account`,
    sql`insert into subscription (account_id, plan_id, status, trial_started_at, trial_ends_at)
      select id, 1, 'trialing', now(), now() + interval '14 days' from account`,
    sql`insert into merchant (name, account_type, region, selling_partner_id) select 'Seller of ' || id, 'SELLER', 'NA', 'A' || id from account`,
    sql`insert into membership (account_id, merchant_id, role)
      select a.id, m.merchant_id, 'OWNER' from account a join merchant m on m.selling_partner_id = 'A' || a.id`,
    sql`update account a set current_merchant_id = m.merchant_id, current_marketplace_id = 1 from membership m where m.account_id = a.id`,
    sql`insert into connection (merchant_id, kind, region, granted_by) select merchant_id, 'AMAZON_ADS', 'NA', account_id from membership`,
    sql`insert into merchant_marketplace (merchant_id, marketplace_id, is_participating, has_suspended_listings)
      select merchant_id, 1, true, false from merchant`,
    sql`insert into ads_profile (merchant_id, connection_id, amazon_profile_id, region, marketplace_id, country_code, currency, timezone,
        account_name, account_type, valid_payment_method, is_managed, managed_at)
      select merchant_id, id, 1000000 + merchant_id, 'NA', 1, 'US', 'USD', 'America/Los_Angeles', 'Seller', 'SELLER', true, true, now()
      from connection order by merchant_id`,
    sql`insert into campaign (merchant_id, profile_id, amazon_id, name, state, targeting_type, daily_budget_micros, bidding_strategy, bidding, start_date, serving_status)
      select merchant_id, id, amazon_profile_id || lpad(n::text, 2, '0'), 'SP campaign ' || n, 'ENABLED', 'MANUAL', (5 + n) * 1000000::bigint,
        'SALES_DOWN_ONLY', '{"strategy":"SALES_DOWN_ONLY","placements":[]}'::jsonb, current_date - 90, 'CAMPAIGN_STATUS_ENABLED'
      from ads_profile cross join generate_series(1, ${campaignsPerMerchant}::int) as g(n) order by merchant_id, n`,
    sql`insert into ad_group (merchant_id, profile_id, campaign_id, amazon_id, name, state, default_bid_micros)
      select merchant_id, profile_id, id, amazon_id || '1', name || ' group', 'ENABLED', 750000 from campaign`,
    sql`insert into product_ad (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, asin, sku, state)
      select g.merchant_id, g.profile_id, g.campaign_id, g.id, c.amazon_id || '2', 'B0' || lpad((c.id % 10)::text, 8, '0'), 'SKU-' || c.id % 10, 'ENABLED'
      from ad_group g join campaign c on c.merchant_id = g.merchant_id and c.id = g.campaign_id`,
    sql`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state, bid_micros)
      select g.merchant_id, g.profile_id, g.campaign_id, g.id, c.amazon_id || n, 'KEYWORD', 'garden hose ' || n, 'EXACT', 'ENABLED', 500000
      from ad_group g join campaign c on c.merchant_id = g.merchant_id and c.id = g.campaign_id cross join generate_series(3, 4) as k(n)`,
    sql`insert into keyword_text select distinct merchant_id, profile_id, text_lower from target`,
  ]
  for (const statement of statements) await statement.execute(system)
  const { rows } = await sql<SeededMerchant & { connectionId: number }>`select m.account_id as "accountId",
      p.merchant_id as "merchantId", p.id as "profileId", p.connection_id as "connectionId"
    from ads_profile p join membership m on m.merchant_id = p.merchant_id order by p.merchant_id`.execute(system)
  const grant = { accessToken: 'measured', refreshToken: 'measured', expiresAt: new Date(Date.now() + 30 * 86_400_000) }
  for (let at = 0; at < rows.length; at += 500)
    await db.transaction(async tx => {
      for (const owner of rows.slice(at, at + 500)) await storeGrant({ vault }, tx, owner, grant)
    })
  await sql`vacuum analyze`.execute(system)
  return rows
}
