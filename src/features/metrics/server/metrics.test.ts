import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { type DailyRow, dailyRows } from '../../../../tests/support/daily-rows.ts'
import { openTestDatabase } from '../../../../tests/support/database.ts'
import type { Database } from '#server/db/open-database.ts'
import { addSums, noSums } from '#shared/metrics.ts'
import { addHours, type HourDelta } from './sql/add-hours.ts'
import { profileFreshness } from './sql/freshness.ts'
import { noteDaily } from './sql/metrics-state.ts'
import { noteProductTradePull } from './sql/replace-trade.ts'
import { adGroupDays, profileBreakdown, profileDays } from './sql/read-figures.ts'
import { type Covered, replaceDays } from './sql/replace-days.ts'
import { importedTradeDays, productSums, rollUpProducts } from './sql/read-products.ts'
import { replaceProductTrade, replaceTradeDays, tradeDays } from './sql/replace-trade.ts'
import { closeRequest, openRequest, setAmazonReport } from './sql/report-requests.ts'
import { deletePlaced, saveUnplaced, unplacedCampaigns, unplacedOf, oldestUnplaced } from './sql/unplaced-hours.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const at = new Date('2026-03-10T12:00:00Z')
function row(campaign_id: number, date: string, clicks: number): DailyRow {
  return {
    campaign_id,
    date,
    impressions: clicks * 100,
    clicks,
    cost_micros: clicks * 500_000,
    sales_micros: 0,
    orders: 0,
    units: 0,
  }
}
const adType = 'SPONSORED_PRODUCTS'
const march = { from: '2026-03-01', to: '2026-03-03', adType } as const
function clicksOf(merchantId: number, profileId: number) {
  return db
    .tenant(merchantId, tx => profileDays(tx, merchantId, [profileId], march.from, march.to))
    .then(days => days.map(d => d.clicks))
}

test('a pull replaces the days it covers and leaves the others and other accounts alone', async () => {
  const [owner, other] = [
    { merchantId: 1, profileId: 10 },
    { merchantId: 1, profileId: 11 },
  ]
  await db.tenant(1, async tx => {
    const pull = (of: typeof owner, days: Covered, ...rows: DailyRow[]) =>
      replaceDays(tx, 'campaign_day', of, days, dailyRows(rows))
    await pull(owner, march, row(1, '2026-03-01', 1), row(1, '2026-03-02', 2), row(2, '2026-03-02', 3))
    await pull(other, march, row(3, '2026-03-02', 50))
    await pull(owner, { ...march, from: '2026-03-02' }, row(1, '2026-03-02', 7))
  })
  expect(await clicksOf(1, 10)).toEqual([1, 7, 0])
  expect(await clicksOf(1, 11)).toEqual([0, 50, 0])
})

test('an ad group’s days are the sums of its targets’', async () => {
  const owner = { merchantId: 12, profileId: 120 }
  const target = (target_id: number, ad_group_id: number, date: string, clicks: number) => ({
    ...row(1, date, clicks),
    target_id,
    ad_group_id,
  })
  await db.tenant(12, async tx => {
    const rows = [target(1, 7, '2026-03-01', 2), target(2, 7, '2026-03-01', 3), target(3, 8, '2026-03-02', 9)]
    await replaceDays(tx, 'target_day', owner, march, dailyRows(rows))
  })
  const days = await db.tenant(12, tx => adGroupDays(tx, owner, sql`7`, march.from, march.to))
  expect(days.map(d => d.clicks)).toEqual([5, 0, 0])
})

test('the same pull twice changes nothing', async () => {
  const owner = { merchantId: 2, profileId: 20 }
  const rows = [row(1, '2026-03-01', 4), row(2, '2026-03-03', 5)]
  const pull = (count?: number) =>
    db.tenant(2, tx => replaceDays(tx, 'campaign_day', owner, march, dailyRows(rows), count))
  expect(await pull()).toEqual({ from: '2026-03-01', to: '2026-03-03' })
  expect(await pull()).toBeNull()
  expect(await pull(2)).toBeNull()
  expect(await clicksOf(2, 20)).toEqual([4, 0, 5])
})

test('rows of one thing and day are added up', async () => {
  const owner = { merchantId: 3, profileId: 30 }
  const rows = Array.from({ length: 5001 }, () => row(1, '2026-03-01', 1))
  const pull = (few?: number) =>
    db.tenant(3, tx => replaceDays(tx, 'campaign_day', owner, march, dailyRows(rows.slice(0, few)), few))
  await pull()
  expect(await clicksOf(3, 30)).toEqual([5001, 0, 0])
  await pull(400)
  expect(await clicksOf(3, 30)).toEqual([400, 0, 0])
})

test('totals, days and breakdown of the same range agree, and another merchant sees none of it', async () => {
  const range = ['2026-03-01', '2026-03-03'] as const
  const accounts = [10, 11].map(profileId => ({ merchantId: 1, profileId }))
  const totals = addSums(await db.tenant(1, tx => profileDays(tx, 1, [10, 11], ...range)))
  const parts = await db.tenant(1, tx => profileBreakdown(tx, accounts, ...range))
  expect(totals.costMicros).toBe(parts.reduce((sum, part) => sum + part.costMicros, 0))
  expect(totals.costMicros).toBe(58 * 500_000)
  expect(await db.tenant(9, tx => profileBreakdown(tx, accounts, ...range))).toEqual([])
})

test('freshness tells the age, and the days to which orders can still be attributed', async () => {
  const profile = { merchantId: 4, profileId: 40, accountType: 'seller' as const }
  expect(await db.tenant(4, tx => profileFreshness(tx, profile))).toEqual({
    asOf: null,
    movingFrom: null,
    importedTo: null,
    dataVersion: 0,
  })
  await db.tenant(4, tx => noteDaily(tx, profile, march, at))
  await db.tenant(4, tx => noteDaily(tx, profile, { from: '2026-02-01', to: '2026-03-02' }, at))
  expect(await db.tenant(4, tx => profileFreshness(tx, profile))).toEqual({
    asOf: at,
    movingFrom: '2026-02-24',
    importedTo: '2026-03-03',
    dataVersion: 2,
  })
  expect((await db.tenant(4, tx => profileFreshness(tx, { ...profile, accountType: 'vendor' }))).movingFrom).toBe(
    '2026-02-17',
  )
  // Sponsored Brands count orders for 14 days, of sellers too.
  await db.tenant(4, tx =>
    sql`insert into campaign (merchant_id, profile_id, amazon_id, ad_type, name, state, targeting_type)
      values (4, 40, '77', 'SPONSORED_BRANDS', 'Brand', 'ENABLED', 'MANUAL')`.execute(tx),
  )
  expect((await db.tenant(4, tx => profileFreshness(tx, profile))).movingFrom).toBe('2026-02-17')
})

test('an open report is resumed and not requested again; a closed one is', async () => {
  const owner = { merchantId: 5, profileId: 50 }
  const report = { kind: 'CAMPAIGN', ...march }
  await db.tenant(5, async tx => {
    const first = await openRequest(tx, owner, report, at)
    await setAmazonReport(tx, 5, first.id, 'report-1', null, at)
    const again = await openRequest(tx, owner, report, at)
    expect([again.id, again.amazonReportId]).toEqual([first.id, 'report-1'])
    await closeRequest(tx, 5, first.id, at)
    const next = await openRequest(tx, owner, report, at)
    expect(next.id).not.toBe(first.id)
    expect(next.amazonReportId).toBeNull()
  })
})

function delta(idempotencyId: string, clicks: number): HourDelta {
  return {
    idempotencyId,
    profileId: 60,
    campaignId: 1,
    date: '2026-03-01',
    hour: 5,
    adType: 'SPONSORED_PRODUCTS',
    sentAt: at,
    ...noSums,
    clicks,
    costMicros: clicks * 1000,
  }
}
async function hour() {
  return (
    await db.tenant(6, tx =>
      sql<{
        clicks: number
        cost: number
      }>`select clicks, cost_micros as cost from campaign_hour where merchant_id = 6`.execute(tx),
    )
  ).rows
}

test('a delta counts once however often it is delivered, and corrections are subtracted', async () => {
  const add = (deltas: HourDelta[]) => db.tenant(6, tx => addHours(tx, 6, deltas, at))
  expect(await add([delta('a', 5), delta('b', 3), delta('a', 5)])).toBe(2)
  expect(await add([delta('b', 3), delta('c', -2)])).toBe(1)
  expect(await hour()).toEqual([{ clicks: 6, cost: 6000 }])
})

test('a delivery whose transaction fails counts when it comes again', async () => {
  const failed = db.tenant(6, async tx => {
    await addHours(tx, 6, [delta('d', 10)], at)
    throw new Error('no commit')
  })
  await expect(failed).rejects.toThrow('no commit')
  await db.tenant(6, tx => addHours(tx, 6, [delta('d', 10)], at))
  expect((await hour())[0]?.clicks).toBe(16)
})

test('what waits for its campaign waits once, and of too much the oldest goes', async () => {
  const none = noSums
  const waiting = (id: string) => ({
    idempotencyId: id,
    campaignAmazonId: 'c',
    advertiserId: 'a',
    marketplaceCode: 'm',
    hour: at,
    adType: 'SPONSORED_BRANDS' as const,
    sentAt: at,
    impressions: 0,
    clicks: 1,
    costMicros: 0,
    seller: none,
    vendor: none,
  })
  const later = new Date(at.getTime() + 1000)
  expect(await saveUnplaced(db.system, [waiting('u1'), waiting('u2'), waiting('u1')], at, 3)).toBe(0)
  expect(await saveUnplaced(db.system, [waiting('u2'), waiting('u3')], later, 3)).toBe(0)
  expect(await oldestUnplaced(db.system, [waiting('u9')])).toEqual(at)
  expect(await saveUnplaced(db.system, [waiting('u4'), waiting('u5')], later, 3)).toBe(2)
  const placed = await unplacedOf(db.system, ['c'], 10)
  expect(placed.map(delta => delta.idempotencyId)).toEqual(['u3', 'u4', 'u5'])
  expect(await oldestUnplaced(db.system, placed)).toEqual(later)
  await deletePlaced(db.system, placed)
  expect([await unplacedCampaigns(db.system), await oldestUnplaced(db.system, placed)]).toEqual([[], null])
})

test('the seller’s whole trade is replaced day by day, and products of a day all at once', async () => {
  const owner = { merchantId: 7, marketplaceId: 1 }
  const day = { date: '2026-03-01', units: 3, orders: 2, salesMicros: 9_000_000, sessions: 40, pageViews: 60 }
  const product = (asin: string, units: number) => ({
    date: '2026-03-01',
    asin,
    units,
    salesMicros: units * 1_000_000,
    sessions: 1,
    pageViews: 1,
  })
  await db.tenant(7, async tx => {
    await replaceTradeDays(tx, owner, [day, { ...day, date: '2026-03-02' }])
    await replaceTradeDays(tx, owner, [{ ...day, salesMicros: 8_000_000 }])
    expect((await tradeDays(tx, owner, '2026-03-01', '2026-03-31')).map(d => d.salesMicros)).toEqual([
      8_000_000, 9_000_000,
    ])
    await replaceProductTrade(tx, owner, '2026-03-01', [product('A', 1), product('B', 2)])
    await replaceProductTrade(tx, owner, '2026-03-01', [product('B', 5)])
    await noteProductTradePull(tx, owner, '2026-03-01', at)
    const account = { ...owner, profileId: 7 }
    const march1and2 = { from: '2026-03-01', to: '2026-03-02' }
    await rollUpProducts(tx, account, march1and2)
    expect(await importedTradeDays(tx, account, march1and2)).toBe(1)
    const { rows } = await sql`select asin, total_units as units, total_sales_micros as sales
      from ${productSums(account, [march1and2])} s`.execute(tx)
    expect(rows).toEqual([{ asin: 'B', units: 5, sales: 5_000_000 }])
  })
})
