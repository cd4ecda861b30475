import { sql } from 'kysely'
import { hashPassword } from '#features/auth/server/password.ts'
import { markNewlyShown } from '#features/structure/server/import/mark-shown.job.ts'
import { recountTargets } from '#features/structure/server/sql/target-counts.ts'
import type { Db } from '#server/db/tables.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type AccountShape, seedFacts } from './seed-facts.ts'
import { seedStructure } from './seed-structure.ts'

/** Who logs in to measure: the owner of the big merchant, which is current in the United States. */
export const benchAccount = { email: 'bench@tideline.test', password: 'Measured=7tide' }

const historyDays = { usual: 95, account: 65, large: 40, year: 366 }
type Market = Pick<AccountShape, 'marketplaceId' | 'campaigns' | 'products' | 'keywordsPerGroup' | 'activeEvery'>
const usual = { keywordsPerGroup: 6, activeEvery: 1 }
/**
 * The big merchant: 400 campaigns with 4,800 keywords, 1,000 with 50,000, of which every fifth was
 * ever shown, or 20,000 with 480,000, of which every fiftieth was; for reports a year of 20,000 with 80,000.
 */
const big = {
  usual: [
    { ...usual, marketplaceId: 1, campaigns: 400, products: 200 },
    { ...usual, marketplaceId: 3, campaigns: 20, products: 40 },
    { ...usual, marketplaceId: 4, campaigns: 20, products: 40 },
  ],
  account: [{ marketplaceId: 1, campaigns: 1000, products: 500, keywordsPerGroup: 25, activeEvery: 5 }],
  large: [{ marketplaceId: 1, campaigns: 20_000, products: 2000, keywordsPerGroup: 12, activeEvery: 50 }],
  year: [{ marketplaceId: 1, campaigns: 20_000, products: 2000, keywordsPerGroup: 2, activeEvery: 50 }],
} satisfies Record<string, Market[]>
export type BenchSize = keyof typeof big
const small: Market[] = [{ ...usual, marketplaceId: 1, campaigns: 10, products: 20 }]
const smallMerchants = 13

export interface Seeded {
  /** Rows of campaign_day, target_day and search_term_day together. */
  facts: number
  lastDay: string
  seconds: number
}

/**
 * Fills a migrated, empty database with a big merchant and smaller ones, weeks of
 * figures, and a verified account; then gathers statistics, as the product does after an import.
 */
export async function seed(db: Db, size: BenchSize = 'usual'): Promise<Seeded> {
  const began = performance.now()
  const lastDay = addDays(dayIn(new Date(), 'America/Los_Angeles'), -1)
  const accountId = await seedAccount(db, benchAccount.email, await hashPassword(benchAccount.password))
  await seedMerchant(db, accountId, big[size], lastDay, historyDays[size])
  for (let n = 0; n < smallMerchants; n++)
    await seedMerchant(
      db,
      await seedAccount(db, `other${n}@tideline.test`, 'no log-in'),
      small,
      lastDay,
      historyDays.usual,
    )
  const transaction = <T>(run: (tx: Db) => Promise<T>) => db.transaction().execute(run)
  await markNewlyShown({ system: db, transaction }, new AbortController().signal)
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<{
    n: number
  }>`select (select count(*) from campaign_day) + (select count(*) from target_day)
    + (select count(*) from search_term_day) as n`.execute(db)
  return { facts: rows[0]?.n ?? 0, lastDay, seconds: (performance.now() - began) / 1000 }
}

/** A user of one small merchant, who can be managed. */
export const managedAccount = { email: 'client0@tideline.test', password: benchAccount.password }

/**
 * Fills a migrated, empty database with an agency that views small merchants, each with two weeks of figures and an
 * owner of its own. The agency's account is a campaign manager, too.
 */
export async function seedClients(db: Db, count: number): Promise<{ managedId: number; seconds: number }> {
  const began = performance.now()
  const lastDay = addDays(dayIn(new Date(), 'America/Los_Angeles'), -1)
  const password = await hashPassword(benchAccount.password)
  const agency = await seedAccount(db, benchAccount.email, password)
  await seedMerchant(db, agency, small, lastDay, 15)
  await sql`insert into account_role (account_id, role) values (${agency}, 'AGENCY'), (${agency}, 'CAMPAIGN_MANAGER')`.execute(
    db,
  )
  const owners: number[] = []
  for (let n = 0; n < count - 1; n++) {
    const owner = await seedAccount(db, `client${n}@tideline.test`, n === 0 ? password : 'no log-in')
    await seedMerchant(db, owner, small, lastDay, 15)
    owners.push(owner)
  }
  await sql`insert into membership (account_id, merchant_id, role)
    select ${agency}, merchant_id, 'VIEWER' from membership where account_id <> ${agency}`.execute(db)
  await sql`vacuum analyze`.execute(db)
  return { managedId: owners[0] ?? 0, seconds: (performance.now() - began) / 1000 }
}

async function seedAccount(db: Db, email: string, passwordHash: string): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into account (email, password_hash, first_name, last_name, account_type, email_verified_at)
    values (${email}, ${passwordHash}, 'Bench', 'Seller', 'SELLER', now()) returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  await sql`insert into account_role (account_id, role) values (${id}, 'OWNER')`.execute(db)
  await sql`insert into subscription (account_id, plan_id, status, trial_started_at, trial_ends_at)
    values (${id}, 1, 'trialing', now(), now() + interval '14 days')`.execute(db)
  return id
}

async function seedMerchant(
  db: Db,
  accountId: number,
  markets: readonly Market[],
  to: string,
  days: number,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`insert into merchant (name, account_type, region, selling_partner_id)
    values ('Seller of ' || ${accountId}::text, 'SELLER', 'NA', 'A' || ${accountId}::text) returning merchant_id as id`.execute(
    db,
  )
  const merchantId = rows[0]?.id ?? 0
  await sql`insert into membership (account_id, merchant_id, role) values (${accountId}, ${merchantId}, 'OWNER')`.execute(
    db,
  )
  await sql`update account set current_merchant_id = ${merchantId}, current_marketplace_id = ${markets[0]?.marketplaceId} where id = ${accountId}`.execute(
    db,
  )
  for (const kind of ['AMAZON_ADS', 'SELLING_PARTNER'])
    await sql`insert into connection (merchant_id, kind, region, granted_by) values (${merchantId}, ${kind}, 'NA', ${accountId})`.execute(
      db,
    )
  for (const market of markets) {
    const account = await seedProfile(db, merchantId, market, to, days)
    await seedStructure(db, account)
    await recountTargets({ transaction: run => db.transaction().execute(run) }, account)
    await seedFacts(db, account)
  }
}

async function seedProfile(
  db: Db,
  merchantId: number,
  market: Market,
  to: string,
  days: number,
): Promise<AccountShape> {
  const facts = marketplaceById(market.marketplaceId)
  if (!facts) throw new Error(`there is no marketplace ${market.marketplaceId}`)
  await sql`insert into merchant_marketplace (merchant_id, marketplace_id, is_participating, has_suspended_listings)
    values (${merchantId}, ${market.marketplaceId}, true, false)`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`insert into ads_profile (merchant_id, connection_id, amazon_profile_id, region, marketplace_id, country_code,
      currency, timezone, account_name, account_type, valid_payment_method, is_managed, managed_at)
    select ${merchantId}::bigint, id, ${merchantId}::text || '00' || ${market.marketplaceId}::text, 'NA', ${market.marketplaceId}::int, ${facts.key}, ${facts.currency}, ${facts.timezone},
      'Seller', 'SELLER', true, true, now() from connection where merchant_id = ${merchantId} and kind = 'AMAZON_ADS' returning id`.execute(
    db,
  )
  return {
    ...market,
    merchantId,
    profileId: rows[0]?.id ?? 0,
    currency: facts.currency,
    from: addDays(to, 1 - days),
    to,
  }
}
