import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { merchantForSeller } from '#features/accounts/server/consent/connect-seller.ts'
import { disconnectMerchant } from '#features/accounts/server/merchants.ts'
import { purgeMerchantsJob } from '#features/accounts/server/purge-merchants.job.ts'
import { addTestAccount, addTestCampaign, type TestAccount, testCaller } from './support/campaign-account.ts'
import type { Services } from '#server/context.ts'
import { tenantTables } from '#server/db/purge-tenant.ts'
import { testServices } from './support/services.ts'

let services: Services & { close(): Promise<void> }
beforeAll(async () => {
  services = await testServices({})
})
afterAll(() => services.close())

const DAY_MS = 86_400_000
const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
function purgeIn(days: number) {
  return purgeMerchantsJob.run(
    { ...services, clock: { now: () => new Date(services.clock.now().getTime() + days * DAY_MS) } },
    {},
    job,
  )
}
/** Adds a merchant with campaigns, figures, a product and a launch. */
async function addMerchantWithData(): Promise<TestAccount> {
  const account = await addTestAccount(services)
  const { merchantId, profileId, accountId } = account
  const { system } = services.db
  await addTestCampaign(services, account, { name: 'Tide mugs', day: [100, 10, 5, 20, 1] })
  await sql`insert into product (merchant_id, marketplace_id, sku) values (${merchantId}, 1, 'MUG')`.execute(system)
  await sql`insert into product_day (merchant_id, product_id, date, taken_at)
    select merchant_id, id, '2026-03-10', now() from product where merchant_id = ${merchantId}`.execute(system)
  await sql`insert into launch (merchant_id, profile_id, account_id, idempotency_key, body_hash, campaign_name, template, payload, created_at)
    values (${merchantId}, ${profileId}, ${accountId}, 'k', 'h', 'Tide mugs', 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', '{}', now())`.execute(
    system,
  )
  await sql`insert into launch_step (merchant_id, launch_id, position, name)
    select merchant_id, id, 0, 'CAMPAIGNS' from launch where merchant_id = ${merchantId}`.execute(system)
  await sql`insert into seller_claim (region, selling_partner_id, merchant_id, trial_used_at)
    select region, selling_partner_id, merchant_id, now() from merchant where merchant_id = ${merchantId}`.execute(
    system,
  )
  return account
}
/** The number of rows of a merchant per table, without empty tables. */
async function rowsOf(merchantId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tenantTables(services.db.system)) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
      where merchant_id = ${merchantId}`.execute(services.db.system)
    if (rows[0]?.n) counts[table] = rows[0].n
  }
  return counts
}
async function sellerOf(merchantId: number) {
  const row = await services.db.system
    .selectFrom('merchant')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow()
  return {
    region: row.region,
    sellingPartnerId: row.selling_partner_id,
    name: row.name,
    accountType: row.account_type,
  }
}

test('the purge deletes all data of a merchant disconnected for 30 days, and no one else’s', async () => {
  const gone = await addMerchantWithData()
  const other = await addMerchantWithData()
  const before = await rowsOf(gone.merchantId)
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['campaign', 'ad_day', 'product_day', 'launch_step', 'connection', 'merchant']),
  )
  const others = await rowsOf(other.merchantId)
  const accounts = await services.db.system.selectFrom('account').selectAll().execute()
  const seller = await sellerOf(gone.merchantId)
  await disconnectMerchant(await testCaller(services, gone), gone.merchantId)
  const beforePurge = await rowsOf(gone.merchantId)

  await purgeIn(29)
  expect(await rowsOf(gone.merchantId)).toEqual(beforePurge)
  await purgeIn(31)
  // The audit log is retained for seven years, the used trial for good.
  expect(await rowsOf(gone.merchantId)).toEqual({ audit_entry: (beforePurge.audit_entry ?? 0) + 1, seller_claim: 1 })
  expect(await rowsOf(other.merchantId)).toEqual(others)
  expect(await services.db.system.selectFrom('account').selectAll().execute()).toHaveLength(accounts.length)
  const audit = services.db.system.selectFrom('audit_entry').select(['action', 'account_id', 'after'])
  expect(
    await audit.where('merchant_id', '=', gone.merchantId).orderBy('id', 'desc').executeTakeFirstOrThrow(),
  ).toMatchObject({ action: 'merchant.purge', account_id: null, after: { campaign: 1, launch_step: 1 } })

  const again = await services.db.transaction(tx => merchantForSeller(tx, gone.accountId, seller))
  expect(again).not.toBeNull()
  expect(again).not.toBe(gone.merchantId)
})

test('a merchant that reconnects within 30 days keeps everything', async () => {
  const back = await addMerchantWithData()
  const seller = await sellerOf(back.merchantId)
  await disconnectMerchant(await testCaller(services, back), back.merchantId)
  expect(await services.db.transaction(tx => merchantForSeller(tx, back.accountId, seller))).toBe(back.merchantId)
  const before = await rowsOf(back.merchantId)
  await purgeIn(60)
  expect(await rowsOf(back.merchantId)).toEqual(before)
})

test('an interrupted purge resumes, and a consent cannot restore a half-purged merchant', async () => {
  const gone = await addMerchantWithData()
  const seller = await sellerOf(gone.merchantId)
  await disconnectMerchant(await testCaller(services, gone), gone.merchantId)
  const stop = new AbortController()
  stop.abort(new Error('stopped'))
  const clock = { now: () => new Date(services.clock.now().getTime() + 31 * DAY_MS) }
  await expect(purgeMerchantsJob.run({ ...services, clock }, {}, { ...job, signal: stop.signal })).rejects.toThrow()
  const again = await services.db.transaction(tx => merchantForSeller(tx, gone.accountId, seller))
  expect(again).not.toBe(gone.merchantId)
  await purgeIn(31)
  expect(Object.keys(await rowsOf(gone.merchantId))).toEqual(['audit_entry'])
})
