import { sql } from 'kysely'
import { sumUp } from '#features/metrics/server/sql/running-sums.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { addDays } from '#shared/time.ts'
import { addAccount, callerOf } from './people.ts'

export interface TestAccount {
  accountId: number
  merchantId: number
  profileId: number
}

let sold = 0

/** A user with one merchant and one managed advertising account in a marketplace, by plain rows. */
export async function addTestAccount(
  services: Services,
  {
    marketplaceId = 1,
    currency = 'USD',
    accountType = 'SELLER',
  }: { marketplaceId?: number; currency?: string; accountType?: 'SELLER' | 'VENDOR' } = {},
): Promise<TestAccount> {
  const { system } = services.db
  const accountId = await addAccount(services)
  sold += 1
  const one = async (statement: ReturnType<typeof sql<{ id: number }>>) =>
    (await statement.execute(system)).rows[0]?.id ?? 0
  const merchantId = await one(sql`insert into merchant (name, account_type, region, selling_partner_id)
    values ('Test seller', ${accountType}, 'NA', ${`A${sold}`}) returning merchant_id as id`)
  await sql`insert into membership (account_id, merchant_id, role) values (${accountId}, ${merchantId}, 'OWNER')`.execute(
    system,
  )
  const connectionId = await one(sql`insert into connection (merchant_id, kind, region, granted_by)
    values (${merchantId}, 'AMAZON_ADS', 'NA', ${accountId}) returning id`)
  const profileId =
    await one(sql`insert into ads_profile (merchant_id, connection_id, amazon_profile_id, region, marketplace_id, country_code,
      currency, timezone, account_name, account_type, valid_payment_method, is_managed)
    values (${merchantId}, ${connectionId}, ${String(1000 + sold)}, 'NA', ${marketplaceId}, 'US', ${currency}, 'America/Los_Angeles',
      'Test seller', ${accountType}, true, true) returning id`)
  await sql`update account set current_merchant_id = ${merchantId}, current_marketplace_id = ${marketplaceId} where id = ${accountId}`.execute(
    system,
  )
  await sql`insert into subscription (account_id, plan_id, status, trial_started_at, trial_ends_at)
    select ${accountId}, min(id), 'trialing', now(), now() + interval '14 days' from plan`.execute(system)
  return { accountId, merchantId, profileId }
}

/** The context of a verb when the account's user calls. */
export async function testCaller(
  services: Services,
  account: TestAccount,
  ifMatch: number | null = null,
): Promise<Ctx> {
  return {
    ...(await callerOf(services, account.accountId)),
    ifMatch,
  }
}

interface CampaignSeed {
  name: string
  state?: string
  budget?: number
  /** Of one day: impressions, clicks, cost and sales in units, orders. */
  day?: [impressions: number, clicks: number, cost: number, sales: number, orders: number]
  days?: readonly string[]
}

/** Sums up what a test wrote into the daily tables itself. */
export async function sumUpDay(db: Db, owner: { merchantId: number; profileId: number }, date: string): Promise<void> {
  for (const table of ['campaign_day', 'ad_group_day', 'target_day', 'ad_day'])
    await sumUp(db, owner, table, { from: date, to: date })
}

/** Adds a campaign with an ad group, a keyword and an ad, the same figures on each; answers their ids. */
export async function addTestCampaign(services: Services, account: TestAccount, seed: CampaignSeed) {
  const { system } = services.db
  const { merchantId, profileId } = account
  const amazonId = String(3_000_000_000_000_000 + Math.floor(Math.random() * 1e12))
  const one = async (statement: ReturnType<typeof sql<{ id: number }>>) =>
    (await statement.execute(system)).rows[0]?.id ?? 0
  const campaignId =
    await one(sql`insert into campaign (merchant_id, profile_id, amazon_id, name, state, targeting_type, daily_budget_micros, bidding_strategy, bidding)
    values (${merchantId}, ${profileId}, ${amazonId}, ${seed.name}, ${seed.state ?? 'ENABLED'}, 'MANUAL', ${(seed.budget ?? 10) * 1e6}::bigint,
      'SALES_DOWN_ONLY', '{"strategy":"SALES_DOWN_ONLY","placements":[{"placement":"TOP_OF_SEARCH","percentage":30}],"audiences":[]}') returning id`)
  const adGroupId =
    await one(sql`insert into ad_group (merchant_id, profile_id, campaign_id, amazon_id, name, state, default_bid_micros)
    values (${merchantId}, ${profileId}, ${campaignId}, ${`${amazonId}1`}, ${`${seed.name} group`}, 'ENABLED', 500000) returning id`)
  const keywordId =
    await one(sql`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state, bid_micros)
    values (${merchantId}, ${profileId}, ${campaignId}, ${adGroupId}, ${`${amazonId}2`}, 'KEYWORD', ${`${seed.name} keyword`}, 'EXACT', 'ENABLED', 700000) returning id`)
  await sql`insert into keyword_text values (${merchantId}, ${profileId}, lower(${`${seed.name} keyword`}))`.execute(
    system,
  )
  const adId =
    await one(sql`insert into product_ad (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, asin, sku, state)
    values (${merchantId}, ${profileId}, ${campaignId}, ${adGroupId}, ${`${amazonId}3`}, 'B0TEST0001', 'SKU-1', 'ENABLED') returning id`)
  for (const date of seed.days ?? ['2026-03-10']) {
    if (!seed.day) break
    const [impressions, clicks, cost, sales, orders] = seed.day
    const figures = sql`${impressions}, ${clicks}, ${cost * 1e6}::bigint, ${sales * 1e6}::bigint, ${orders}, ${orders}`
    const columns = sql.raw('impressions, clicks, cost_micros, sales_micros, orders, units')
    await sql`insert into campaign_day (merchant_id, profile_id, campaign_id, date, ${columns})
      values (${merchantId}, ${profileId}, ${campaignId}, ${date}, ${figures})`.execute(system)
    await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, ${columns})
      values (${merchantId}, ${profileId}, ${campaignId}, ${adGroupId}, ${date}, ${figures})`.execute(system)
    await sql`insert into target_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, date, ${columns})
      values (${merchantId}, ${profileId}, ${campaignId}, ${adGroupId}, ${keywordId}, ${date}, ${figures})`.execute(
      system,
    )
    await sql`insert into ad_day (merchant_id, profile_id, campaign_id, ad_group_id, ad_id, asin, date, ${columns})
      values (${merchantId}, ${profileId}, ${campaignId}, ${adGroupId}, ${adId}, 'B0TEST0001', ${date}, ${figures})`.execute(
      system,
    )
  }
  for (const date of seed.day ? (seed.days ?? ['2026-03-10']) : []) await sumUpDay(system, account, date)
  return { amazonId, campaignId, adGroupId, keywordId, adId }
}

export const testRange = { dateFrom: '2026-03-01', dateTo: addDays('2026-03-01', 29) }
