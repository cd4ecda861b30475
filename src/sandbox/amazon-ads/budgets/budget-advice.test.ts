import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayIn } from '#shared/time.ts'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  idIn,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
const ids: Record<string, string> = {}

/** A campaign whose budget lasts no day, one whose budget always does, and one that never showed. */
beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
  const { body } = await ads.call('POST', '/portfolios', 'application/vnd.spPortfolio.v3+json', {
    portfolios: [{ name: 'All', state: 'ENABLED', budget: { policy: 'MONTHLY_RECURRING', amount: 10_000 } }],
  })
  ids.portfolio = idIn(body.portfolios ?? {}, 'portfolioId')
  for (const [name, budget] of [
    ['short', 8],
    ['ample', 5000],
    ['idle', 10],
  ] as const) {
    const campaignId = await ads.campaign(name, {
      targetingType: 'AUTO',
      budget: { budget, budgetType: 'DAILY' },
      ...(name === 'ample' && { portfolioId: ids.portfolio }),
    })
    ids[name] = campaignId
    if (name === 'idle') continue
    const adGroupId = await ads.adGroup(campaignId, name, 3)
    await ads.create('productAds', 'productAds', 'spProductAd', [
      { campaignId, adGroupId, state: 'ENABLED', sku: 'SKU-1' },
    ])
  }
  sandbox.world.clock.advance(8 * 86_400_000)
  ads = await adsClient(sandbox)
})
afterAll(() => sandbox.close())

describe('budget recommendations', () => {
  test('raise a budget that did not last, leave one that did, and are silent of what never showed', async () => {
    const campaignIds = [ids.short, ids.ample, ids.idle, '404']
    const { status, headers, body } = await ads.call(
      'POST',
      '/sp/campaigns/budgetRecommendations',
      'application/vnd.budgetrecommendation.v3+json',
      { campaignIds },
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/vnd.budgetrecommendation.v3+json')
    const [short, ample, idle] = listOf(body.budgetRecommendationsSuccessResults)
    expect(Number(short?.suggestedBudget)).toBeGreaterThan(8)
    const missed = short?.sevenDaysMissedOpportunities
    expect(missed).toMatchObject({ startDate: '20260311', endDate: '20260317' })
    expect(Number(missed?.percentTimeInBudget)).toBeLessThan(1)
    expect(Number(missed?.estimatedMissedClicksUpper)).toBeGreaterThan(Number(missed?.estimatedMissedClicksLower))
    expect(ample).toMatchObject({
      suggestedBudget: 5000,
      sevenDaysMissedOpportunities: { percentTimeInBudget: 1, estimatedMissedClicksUpper: 0 },
    })
    expect(idle).toMatchObject({ suggestedBudget: null, sevenDaysMissedOpportunities: null })
    expect(listOf(body.budgetRecommendationsErrorResults)).toMatchObject([{ index: 3, campaignId: '404' }])
  })

  test('for a draft cost what its clicks would; -1 without data', async () => {
    const type = 'application/vnd.spinitialbudgetrecommendation.v3.4+json'
    const ask = (targetingExpressions: object[], more: object = {}) =>
      ads.call('POST', '/sp/campaigns/initialBudgetRecommendation', type, {
        targetingType: 'manual',
        bidding: { strategy: 'LEGACY_FOR_SALES' },
        adGroups: [{ asins: ['B0TEST0001'], targetingExpressions }],
        ...more,
      })
    const one = await ask([{ type: 'KEYWORD_EXACT_MATCH', value: 'garlic press' }])
    const two = await ask([
      { type: 'KEYWORD_EXACT_MATCH', value: 'garlic press' },
      { type: 'KEYWORD_BROAD_MATCH', value: 'garlic press' },
    ])
    expect(one.body.benchmark).toMatchObject({ benchmarkStatus: 'success', values: { clicks: { lower: 3, upper: 5 } } })
    expect(Number(two.body.dailyBudget)).toBeGreaterThan(Number(one.body.dailyBudget))
    expect((await ask([])).body).toMatchObject({ dailyBudget: -1, benchmark: { benchmarkStatus: 'failed' } })
    expect(await ask([], { targetingType: 'AUTO' })).toMatchObject({
      status: 400,
      body: { message: 'targetingType must be auto or manual' },
    })
  })
})

describe('account-wide recommendations', () => {
  const type = (name: string) => `application/vnd.${name}.v1+json`
  const list = async (filters: object[] = []) =>
    (await ads.call('POST', '/recommendations/list', type('listRecommendationsRequest'), { filters })).body

  test('name the budgets that ran out, by filter, and raise them once', async () => {
    const [found, ...others] = listOf((await list()).recommendations)
    expect(others).toEqual([])
    expect(found).toMatchObject({
      recommendationType: 'CAMPAIGN_BUDGET',
      adProduct: 'SP',
      status: 'PUBLISHED',
      campaignId: ids.short,
      currentValue: '8',
      budgetRecommendation: { sevenDaysMissedOpportunities: { startDate: '2026-03-11', endDate: '2026-03-17' } },
    })
    const exclude = { field: 'CAMPAIGN_ID', operator: 'EXACT', values: [ids.short], include: false }
    expect((await list([exclude])).recommendations).toEqual([])
    const apply = () =>
      ads.call('POST', '/recommendations/apply', type('applyRecommendationsRequest'), {
        recommendationIds: [found?.recommendationId, 'nonsense'],
      })
    const { status, body } = await apply()
    expect(status).toBe(207)
    expect(body).toMatchObject({
      successes: [{ index: 0, recommendation: { status: 'APPLY_SUCCESS' } }],
      failures: [{ index: 1, recommendationId: 'nonsense', error: { code: 'NOT_FOUND' } }],
    })
    const budgetMicros = sandbox.world.store.campaigns.get(ids.short ?? '')?.budgetMicros ?? 0
    expect(String(budgetMicros / 1e6)).toBe(leafOf(found?.recommendedValue))
    expect((await apply()).body.failures).toHaveLength(2)
    expect((await list()).recommendations).toEqual([])
    const wrong = await ads.call('POST', '/recommendations/list', type('listRecommendationsRequest'), {
      filters: [{ field: 'NAME' }],
    })
    expect(wrong.status).toBe(400)
  })
})

describe('a portfolio’s cap', () => {
  test('is used up by what its campaigns spend, and by no others', async () => {
    const { body } = await ads.call(
      'POST',
      '/portfolios/budget/usage',
      'application/vnd.portfoliobudgetusage.v1+json',
      { portfolioIds: [ids.portfolio] },
    )
    const facts = sandbox.world.market().facts(111, '2026-03-01', '2026-03-18', sandbox.world.clock.now())
    const spent = facts.filter(fact => fact.campaignId === ids.ample).reduce((sum, fact) => sum + fact.costMicros, 0)
    expect(spent).toBeGreaterThan(0)
    expect(listOf(body.success)[0]?.budgetUsagePercent).toBe(Math.round(spent / 1_000_000) / 100)
  })
})

describe('categories', () => {
  test('are a tree written as text, with refinements and counts', async () => {
    const { body } = await ads.call('GET', '/sp/targets/categories', null, undefined, {
      accept: 'application/vnd.spproducttargetingresponse.v4+json',
    })
    const roots = JSON.parse(leafOf(body.categoryTree)) as { id: number; ta: boolean; ch: unknown[] }[]
    expect(roots.length).toBeGreaterThan(0)
    const leaves: { id: number; ta: boolean; asinCountRange: object }[] = []
    const walk = (nodes: unknown[]): void => {
      for (const node of nodes as ((typeof leaves)[number] & { ch: unknown[] })[])
        if (node.ch.length === 0) leaves.push(node)
        else walk(node.ch)
    }
    walk(roots)
    const press = leaves.find(leaf => leaf.id === 289742)
    expect(press).toMatchObject({ ta: true, asinCountRange: { min: expect.any(Number) } })
    const refined = await ads.call('GET', '/sp/targets/category/289742/refinements', null)
    const brands = listOf(refined.body.brands)
    expect(brands.map(brand => leafOf(brand.name))).toContain('Testware')
    const count = async (more: object) => {
      const type = 'application/vnd.spproducttargeting.v3+json'
      const answer = await ads.call('POST', '/sp/targets/products/count', type, { category: '289742', ...more })
      return Number(answer.body.asinCounts?.max)
    }
    expect(await count({ brands: brands.slice(0, 1), priceRange: { min: 10, max: 20 } })).toBeLessThan(await count({}))
    expect((await ads.call('GET', '/sp/targets/category/404/refinements', null)).status).toBe(422)
  })
})

describe('a campaign is out of budget', () => {
  test('from the hour on in which its money is gone, and then it shows no more; not while savings last', async () => {
    const { world } = sandbox
    const campaign = world.store.campaigns.get(ids.short ?? '')
    if (!campaign) throw new Error('no campaign')
    world.change(store => store.campaigns.set(campaign.campaignId, { ...campaign, budgetMicros: 6_000_000 }))
    const hours: { at: number; day: string; out: boolean; share: number }[] = []
    // Shoppers differ with the campaign's id, which is never the same: days enough that some leave savings.
    for (let hour = 0; hour < 10 * 24; hour++) {
      const now = world.clock.now()
      const { share } = world.market().budgetUsage(campaign.campaignId, now)
      const out = world.market().budgets.outOf(campaign.campaignId, now) !== null
      hours.push({ at: now.getTime(), day: dayIn(now, 'America/Los_Angeles'), out, share })
      world.clock.advance(3_600_000)
    }
    world.clock.advance(86_400_000)
    const facts = world.market().facts(111, '2026-03-18', '2026-03-30', world.clock.now())
    const shown = facts.filter(fact => fact.campaignId === campaign.campaignId && fact.impressions > 0)
    const gone = hours.filter(({ out }) => out)
    expect(gone.length).toBeGreaterThan(0)
    for (const { at, day } of gone) expect(shown.filter(fact => fact.at >= at && fact.day === day)).toEqual([])
    expect(hours.some(({ out, share }) => share >= 1 && !out)).toBe(true)
  })
})
