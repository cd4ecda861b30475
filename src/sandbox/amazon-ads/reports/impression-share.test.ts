import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdProduct, Fact } from '../../market/market.ts'
import { leafOf, listOf } from '../../../../tests/support/ads-world.ts'
import { MonthWorld, type Row } from '../../../../tests/support/month-world.ts'

const DAYS: [string, string] = ['2026-10-20', '2026-10-29']
const SHARE = 'topOfSearchImpressionShare'

let month: MonthWorld
beforeAll(async () => {
  month = await MonthWorld.start()
  await month.pass(13)
})
afterAll(() => month.sandbox.close())

function factsOf(adProduct: AdProduct): Fact[] {
  const { world } = month.sandbox
  return world.market().facts(111, ...DAYS, world.clock.now(), adProduct)
}
function ratioOf(facts: readonly Fact[]): number | null {
  const won = facts.reduce((sum, fact) => sum + (fact.placement === 'PLACEMENT_TOP' ? fact.impressions : 0), 0)
  const eligible = facts.reduce((sum, fact) => sum + fact.eligibleAtTop, 0)
  return eligible === 0 ? null : Math.round((won / eligible) * 10_000) / 10_000
}
const shares = (rows: readonly Row[]): number[] =>
  rows.map(row => row[SHARE]).filter(share => typeof share === 'number')

test.each([
  ['spCampaigns', 'campaign', 'SPONSORED_PRODUCTS', 'campaignId'],
  ['spTargeting', 'targeting', 'SPONSORED_PRODUCTS', 'keywordId'],
  ['sbCampaigns', 'campaign', 'SPONSORED_BRANDS', 'campaignId'],
  ['sbTargeting', 'targeting', 'SPONSORED_BRANDS', 'targetingId'],
] as const)('%s has the share of the top of search, as a decimal of 0 to 1', async (type, groupBy, adProduct, id) => {
  const rows = await month.rows(type, groupBy, [id, SHARE, 'impressions'], DAYS)
  const facts = factsOf(adProduct)
  expect(shares(rows).length).toBeGreaterThan(3)
  for (const share of shares(rows)) {
    expect(share).toBeGreaterThanOrEqual(0)
    expect(share).toBeLessThanOrEqual(1)
  }
  expect(shares(rows).some(share => share > 0 && share < 1)).toBe(true)
  for (const row of rows) {
    const idOf = (fact: Fact): string => (id === 'campaignId' ? fact.campaignId : fact.targetId)
    const own = facts.filter(fact => fact.day === row.date && idOf(fact) === String(row[id]))
    expect(row[SHARE], JSON.stringify(row)).toBe(ratioOf(own))
  }
})

test('a target that only shows on product pages has no share', async () => {
  const rows = await month.rows('spTargeting', 'targeting', ['targeting', SHARE], DAYS)
  const pages = rows.filter(row => row.targeting === 'substitutes')
  expect(pages.length).toBeGreaterThan(0)
  for (const row of pages) expect(row[SHARE]).toBeNull()
})

test('the share of a period is that of all its auctions, and no mean of its days', async () => {
  const rows = await month.rows('spCampaigns', 'campaign', ['campaignId', SHARE], DAYS, 'SUMMARY')
  for (const row of rows) {
    const own = factsOf('SPONSORED_PRODUCTS').filter(fact => fact.campaignId === String(row.campaignId))
    expect(row[SHARE]).toBe(ratioOf(own))
  }
  expect(rows.length).toBeGreaterThan(1)
})

test('keyword recommendations have rank and share in percent for searches in which the account was shown', async () => {
  const media = 'application/vnd.spkeywordsrecommendation.v5+json'
  const { body } = await month.ads.call('POST', '/sp/targets/keywords/recommendations', media, {
    recommendationType: 'KEYWORDS_FOR_ASINS',
    asins: ['B0TEST0001'],
    maxRecommendations: 0,
    targets: [
      { keyword: 'garlic press', matchType: 'EXACT' },
      { keyword: 'yoga mat', matchType: 'EXACT' },
    ],
  })
  const [press, mat] = listOf(body.keywordTargetList)
  const [rank, share] = [
    Number(leafOf(press?.searchTermImpressionRank)),
    Number(leafOf(press?.searchTermImpressionShare)),
  ]
  expect(Number.isInteger(rank)).toBe(true)
  expect(rank).toBeGreaterThanOrEqual(1)
  expect(share).toBeGreaterThan(1)
  expect(share).toBeLessThanOrEqual(100)
  expect(mat).toMatchObject({ searchTermImpressionRank: null, searchTermImpressionShare: null })
})
