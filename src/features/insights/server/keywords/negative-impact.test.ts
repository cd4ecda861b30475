import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumUpTerms } from '#features/metrics/server/sql/search-term-figures.ts'
import type { Ctx, Services } from '#server/context.ts'
import { addDays } from '#shared/time.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../../tests/support/campaign-account.ts'
import { askKeywords, exportedLines } from '../../../../../tests/support/keyword-insights.ts'
import { testServices } from '../../../../../tests/support/services.ts'

const M = 1e6
let services: Services & { close(): Promise<void> }
let account: TestAccount
let campaign: Awaited<ReturnType<typeof addTestCampaign>>
let ctx: Ctx

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  ctx = await testCaller(services, account)
  campaign = await addTestCampaign(services, account, {
    name: 'sells',
    days: ['2026-03-10'],
    day: [9000, 400, 200, 1000, 50],
    budget: 10,
  })
  // Imported to March 25: what is before March 18 has settled.
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to)
    values (${account.merchantId}, ${account.profileId}, 1, '2026-03-25 20:00Z', '2026-01-01', '2026-03-25')`.execute(
    services.db.system,
  )
})
afterAll(() => services.close())

const impact = (query: Record<string, string> = {}) => askKeywords('negativeImpact', ctx, query)

async function addTerm(term: string, day: string, [clicks, cost, sales, orders]: [number, number, number, number]) {
  const { campaignId, adGroupId, keywordId } = campaign
  await sql`insert into search_term_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, search_term, date, impressions, clicks, cost_micros, sales_micros, orders, units)
    values (${account.merchantId}, ${account.profileId}, ${campaignId}, ${adGroupId}, ${keywordId}, ${term}, ${day}, 100, ${clicks}, ${cost * M}::bigint, ${sales * M}::bigint, ${orders}, ${orders})`.execute(
    services.db.system,
  )
  await sumUpTerms(services.db.system, account, { from: day, to: day })
}
async function addNegative(text: string, matchType: string | null, addedAt: string | null, isWhole = false) {
  const { campaignId, adGroupId } = campaign
  const { system } = services.db
  const { merchantId, profileId, accountId } = account
  const { rows } = await sql<{
    id: number
  }>`insert into negative (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state)
    values (${merchantId}, ${profileId}, ${campaignId}, ${isWhole ? null : adGroupId}, ${`9${Math.random()}`.slice(0, 12)}, 'KEYWORD', ${text}, ${matchType}, 'ENABLED') returning id`.execute(
    system,
  )
  const id = rows[0]?.id ?? 0
  if (addedAt)
    await sql`insert into entity_change (merchant_id, profile_id, group_id, entity, entity_id, campaign_id, field, origin, account_id, at)
      values (${merchantId}, ${profileId}, gen_random_uuid(), 'negative', ${id}, ${campaignId}, null, 'USER', ${accountId}, ${addedAt}::timestamptz)`.execute(
      system,
    )
  return id
}

test('top terms are those with orders; a negative shows what its terms cost before it, since when, and by whom', async () => {
  await addTerm('glass bottle', '2026-02-10', [40, 24, 0, 0])
  await addTerm('blue glass bottle', '2026-02-11', [20, 12, 0, 0])
  await addTerm('glassware', '2026-02-11', [90, 99, 0, 0])
  await addTerm('steel bottle', '2026-03-05', [30, 9, 60, 3])
  expect(
    (await askKeywords('topTerms', ctx, { dateFrom: '2026-02-01', dateTo: '2026-03-25' })).content.map(row => row.term),
  ).toEqual(['steel bottle'])

  // Noon of March 6 in Los Angeles: the 30 days before are February 4 to March 5.
  const phrase = await addNegative('Glass Bottle', 'NEGATIVE_PHRASE', '2026-03-06 20:00Z', true)
  const exact = await addNegative('glass bottle', 'NEGATIVE_EXACT', '2026-03-16 20:00Z')
  await addNegative('old one', 'NEGATIVE_EXACT', null)
  const { content, withoutDate } = await impact()
  expect(withoutDate).toBe(1)
  expect(content.map(row => row.id)).toEqual([phrase, exact])
  const [first, second] = content
  expect(first).toMatchObject({ adGroupId: null, addedAt: '2026-03-06T20:00:00.000Z', origin: 'USER', daysActive: 20 })
  expect(first?.addedBy).toBeTruthy()
  expect(first?.before).toEqual({
    dateFrom: '2026-02-04',
    dateTo: '2026-03-05',
    days: 30,
    terms: 2,
    clicks: 60,
    orders: 0,
    cost: 36,
    sales: 0,
  })
  // The campaign had no click in those days: its traffic cannot be compared.
  expect(first?.trafficIndex).toBeNull()
  // 36 / 30 × 20 days.
  expect([first?.saved, first?.forgone]).toEqual([24, 0])
  expect([first?.marginPercent, first?.isMarginAssumed]).toEqual([30, true])
  expect(first?.savedLow).toBeLessThan(24)
  expect(first?.savedHigh).toBeCloseTo(24 * (1 + 1.645 / Math.sqrt(60)), 4)
  // Its own ad group, before March 15: 400 clicks then (March 10), none now: nothing more to save.
  expect(second?.before).toMatchObject({ dateFrom: '2026-02-14', dateTo: '2026-03-15', clicks: 0 })
  expect(second?.saved).toBe(0)

  const march = await impact({
    dateFrom: '2026-03-20',
    dateTo: '2026-03-22',
    sortBy: 'addedAt',
    sortDir: 'asc',
  })
  expect(march.content.map(row => [row.id, row.daysActive])).toEqual([
    [phrase, 3],
    [exact, 3],
  ])
  expect(march.content[0]?.saved).toBeCloseTo(3.6, 6)
  expect((await impact({ dateTo: addDays('2026-03-06', 1) })).content.map(row => row.id)).toEqual([phrase])
})

test('a negative product keeps away the searches that are reported as its ASIN', async () => {
  await addTerm('b0badbad01', '2026-02-12', [7, 5, 0, 0])
  const added = await addNegative('ASIN_SAME_AS: B0BADBAD01', null, '2026-03-07 20:00Z')
  const expression = [{ type: 'ASIN_SAME_AS', value: 'B0BADBAD01' }]
  await sql`update negative set kind = 'PRODUCT', expression = ${JSON.stringify(expression)} where id = ${added}`.execute(
    services.db.system,
  )
  const { content } = await impact()
  expect(content.find(row => row.id === added)).toMatchObject({ expression, before: { clicks: 7, cost: 5 } })
})

test('the saving is a file too, in the order of the screen', async () => {
  expect((await exportedLines('exportImpact', ctx, { columns: 'text,saved' }))[1]).toBe('Glass Bottle,24')
})

test('nothing of it is another merchant’s', async () => {
  const stranger = await testCaller(services, await addTestAccount(services))
  for (const what of ['topTerms', 'negativeImpact'] as const) {
    const { page } = await askKeywords(what, stranger, { dateFrom: '2026-01-01', dateTo: '2026-03-25' })
    expect(page.totalElements).toBe(0)
  }
})
