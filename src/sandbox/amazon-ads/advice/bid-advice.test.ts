import { describe, expect, test } from 'vitest'
import { smallScene } from '../../../../tests/support/ads-scene.ts'
import { idIn, type Json, leafOf, listOf } from '../../../../tests/support/ads-world.ts'

const scene = smallScene()
const type = (version: number): string => `application/vnd.spthemebasedbidrecommendation.v${version}+json`
const auto = ['CLOSE_MATCH', 'LOOSE_MATCH', 'SUBSTITUTES', 'COMPLEMENTS'].map(one => ({ type: one }))
const keywords = ['garlic press', 'garlic press stainless steel', 'press', 'garlic', 'large garlic press'].map(
  value => ({
    type: 'KEYWORD_BROAD_MATCH',
    value,
  }),
)
function newGroup(targetingExpressions: object[]) {
  return {
    recommendationType: 'BIDS_FOR_NEW_AD_GROUP',
    asins: ['B0TEST0001'],
    bidding: { strategy: 'AUTO_FOR_SALES' },
    targetingExpressions,
  }
}

const call = (media: string, body: object, accept = media) =>
  scene.ads.call('POST', '/sp/targets/bid/recommendations', media, body, { accept })
async function themeOf(media: string, body: object, accept = media): Promise<Json> {
  const answer = await call(media, body, accept)
  expect(answer.status, answer.text).toBe(200)
  const [theme] = listOf(answer.body.bidRecommendations)
  return theme ?? expect.unreachable()
}

interface Range {
  lower: number
  upper: number
}
const rangesOf = (metric: unknown): Range[] => (metric as { values: Range[] }).values

describe('impact metrics of version 3', () => {
  test('are weekly clicks and orders that rise with the low, middle and high bids', async () => {
    for (const expressions of [auto, keywords]) {
      const { impactMetrics } = await themeOf(type(3), newGroup(expressions))
      const clicks = rangesOf(impactMetrics?.clicks)
      const orders = rangesOf(impactMetrics?.orders)
      expect([clicks.length, orders.length]).toEqual([3, 3])
      for (const { lower, upper } of [...clicks, ...orders]) {
        expect(Number.isInteger(lower) && Number.isInteger(upper)).toBe(true)
        expect(lower).toBeLessThan(upper)
      }
      for (const level of [1, 2]) expect(clicks[level]?.upper).toBeGreaterThan(clicks[level - 1]?.upper ?? 0)
      for (const level of [0, 1, 2]) expect(orders[level]?.upper).toBeLessThan(clicks[level]?.upper ?? 0)
    }
  })

  test('are of the whole ad group: no keyword twice, and no less with more of them', async () => {
    const clicksOf = async (expressions: object[]): Promise<Range[]> =>
      rangesOf((await themeOf(type(3), newGroup(expressions))).impactMetrics?.clicks)
    const five = await clicksOf(keywords)
    expect(await clicksOf([...keywords, ...keywords])).toEqual(five)
    const more = await clicksOf([...keywords, ...auto])
    expect(more[2]?.upper).toBeGreaterThan(five[2]?.upper ?? 0)
  })

  test('come to plain JSON, and are null for fewer than five keywords', async () => {
    expect((await themeOf('application/json', newGroup(auto))).impactMetrics).not.toBeNull()
    expect((await themeOf(type(3), newGroup(keywords.slice(1)))).impactMetrics).toBeNull()
  })

  test('have no product targets', async () => {
    const { status, body } = await call(type(3), newGroup([{ type: 'PAT_CATEGORY', value: '289742' }]))
    expect(status).toBe(422)
    expect(body).toEqual({ code: '422', details: expect.stringContaining('PAT_CATEGORY') })
  })
})

describe('later versions', () => {
  const existing = async () => {
    const campaignId = await scene.ads.campaign('Impact', { targetingType: 'AUTO' })
    const adGroupId = await scene.ads.adGroup(campaignId, 'Impact')
    const ad = { campaignId, adGroupId, sku: 'SKU-1', state: 'ENABLED' }
    idIn(await scene.ads.create('productAds', 'productAds', 'spProductAd', [ad]), 'adId')
    return { recommendationType: 'BIDS_FOR_EXISTING_AD_GROUP', campaignId, adGroupId, targetingExpressions: auto }
  }

  test('have no impact metrics any more: version 4', async () => {
    for (const theme of [
      await themeOf(type(4), newGroup(auto)),
      await themeOf('application/json', newGroup(auto), type(4)),
    ])
      expect(Object.keys(theme).sort()).toEqual(['bidRecommendationsForTargetingExpressions', 'theme'])
  })

  test('have impressions at the suggested bid of an existing ad group, and of eight bids on demand: version 5', async () => {
    const body = await existing()
    const plain = await themeOf(type(5), body)
    expect(plain).not.toHaveProperty('impactMetrics')
    expect(plain).not.toHaveProperty('bidAnalysesForTargetingExpressions')
    const rows = listOf(plain.bidRecommendationsForTargetingExpressions)
    const first = rows[0]?.suggestedBidImpactMetrics as unknown as Record<string, number>
    expect(first.estimatedImpressionUpper).toBeGreaterThan(first.estimatedImpressionLower ?? 0)

    const theme = await themeOf(type(5), { ...body, includeAnalysis: true })
    const [analysed] = listOf(theme.bidAnalysesForTargetingExpressions)
    expect(analysed?.targetingExpression).toEqual({ type: 'CLOSE_MATCH', value: null })
    const everywhere = listOf(analysed?.bidAnalyses?.ALL)
    expect(everywhere).toHaveLength(8)
    const bids = everywhere.map(one => Number(one.bid))
    expect(bids).toEqual(bids.toSorted((a, b) => a - b))
    const suggested = everywhere.find(one => leafOf(one.type) === 'SUGGESTED')
    expect(suggested?.impactMetrics).toMatchObject(first)
    const mean = (list: Json[]): number => Number(list[4]?.impactMetrics?.estimatedImpressionAvg)
    const placed = ['PLACEMENT_TOP', 'PLACEMENT_REST_OF_SEARCH', 'PLACEMENT_PRODUCT_PAGE'].map(name =>
      mean(listOf(analysed?.bidAnalyses?.[name])),
    )
    expect(Math.abs(placed.reduce((sum, one) => sum + one, 0) - mean(everywhere))).toBeLessThanOrEqual(2)
  })

  test('have none for a new ad group, and reject a malformed flag', async () => {
    const theme = await themeOf(type(5), { ...newGroup(auto), includeAnalysis: true })
    expect(listOf(theme.bidRecommendationsForTargetingExpressions)[0]?.suggestedBidImpactMetrics).toBeNull()
    expect(theme).not.toHaveProperty('bidAnalysesForTargetingExpressions')
    expect((await call(type(5), { ...newGroup(auto), includeAnalysis: 'yes' })).status).toBe(400)
  })
})
