import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  campaignItem,
  errorAt,
  type Json,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
const media = 'application/vnd.spPortfolio.v3+json'
beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
})
afterAll(() => sandbox.close())

async function send(method: string, items: object[]): Promise<Json> {
  const { status, body } = await ads.call(method, '/portfolios', media, { portfolios: items })
  expect(status).toBe(207)
  return body.portfolios ?? {}
}
const portfolio = (name: string, budget?: object): object => ({ name, state: 'ENABLED', ...(budget && { budget }) })
const made = async (name: string, budget?: object): Promise<string> =>
  leafOf(listOf((await send('POST', [portfolio(name, budget)])).success)[0]?.portfolioId)
const list = async (filter: object): Promise<Json> => (await ads.call('POST', '/portfolios/list', media, filter)).body

describe('portfolios', () => {
  test('are made, renamed, capped, uncapped and listed', async () => {
    const portfolioId = await made('Kitchen')
    expect(await list({ portfolioIdFilter: { include: [portfolioId] }, includeExtendedDataFields: true })).toEqual({
      portfolios: [
        {
          portfolioId,
          name: 'Kitchen',
          state: 'ENABLED',
          inBudget: true,
          budget: { policy: 'NO_CAP', currencyCode: 'USD' },
          extendedData: {
            creationDateTime: '2026-03-10T18:30:00.000Z',
            lastUpdateDateTime: '2026-03-10T18:30:00.000Z',
            servingStatus: 'PORTFOLIO_STATUS_ENABLED',
            statusReasons: ['PORTFOLIO_STATUS_ENABLED_DETAIL'],
          },
        },
      ],
      totalResults: 1,
    })
    const monthly = { policy: 'MONTHLY_RECURRING', amount: 500, currencyCode: 'USD', endDate: '2026-12-31' }
    expect((await send('PUT', [{ portfolioId, name: 'Cookery', budget: monthly }])).success).toEqual([
      { index: 0, portfolioId },
    ])
    const named = await list({ nameFilter: { queryTermMatchType: 'BROAD_MATCH', include: ['cook'] } })
    expect(named.portfolios).toMatchObject([{ name: 'Cookery', budget: monthly }])
    await send('PUT', [{ portfolioId, budget: { policy: 'NO_CAP' } }])
    expect(sandbox.world.store.portfolios.get(portfolioId)).toMatchObject({ amountMicros: null, endDate: null })
  })

  test('are rejected one by one, with selector, reason and location', async () => {
    const range = { policy: 'DATE_RANGE', amount: 100 }
    const batch = await send('POST', [
      portfolio('Good', { ...range, startDate: '2026-03-10', endDate: '2026-03-31' }),
      portfolio('good'),
      portfolio('Cheap', { policy: 'MONTHLY_RECURRING', amount: 0.5 }),
      portfolio('Euro', { policy: 'MONTHLY_RECURRING', amount: 50, currencyCode: 'EUR' }),
      portfolio('Open', { ...range, startDate: '2026-03-10' }),
      portfolio('Past', { ...range, startDate: '2026-03-09', endDate: '2026-03-31' }),
      portfolio('Empty', { ...range, startDate: '2026-03-11', endDate: '2026-03-11' }),
      portfolio('Started', { policy: 'MONTHLY_RECURRING', amount: 50, startDate: '2026-03-11' }),
      portfolio('No policy', { amount: 50 }),
      portfolio('No amount', { policy: 'MONTHLY_RECURRING' }),
    ])
    expect(listOf(batch.success).map(one => one.index as unknown)).toEqual([0])
    const at = (index: number) => errorAt(batch, index)
    expect(at(1)).toMatchObject({ selector: 'duplicateValueError', location: '$.portfolios[1].name' })
    expect(at(2)).toMatchObject({ selector: 'budgetError', reason: 'BUDGET_TOO_LOW', trigger: '0.5' })
    expect(at(3)).toMatchObject({ reason: 'BUDGET_CURRENCY_DOES_NOT_MATCH_MARKETPLACE_SETTINGS' })
    expect(at(4)).toMatchObject({ selector: 'missingValueError', location: '$.portfolios[4].budget.endDate' })
    expect(at(5)).toMatchObject({ selector: 'dateError', reason: 'START_DATE_EARLIER_THAN_TODAY' })
    expect(at(6)).toMatchObject({ reason: 'START_DATE_EQUAL_END_DATE' })
    expect(at(7)).toMatchObject({ reason: 'START_DATE_NOT_NULL' })
    expect(at(8)).toMatchObject({ reason: 'MISSING_BUDGETING_POLICY' })
    expect(at(9)).toMatchObject({ selector: 'missingValueError', location: '$.portfolios[9].budget.amount' })
    const lost = await send('PUT', [{ portfolioId: '404', name: 'Lost' }])
    expect(errorAt(lost, 0)).toMatchObject({ selector: 'entityNotFoundError' })
    const archived = await ads.call('POST', '/portfolios', media, { portfolios: [{ name: 'A', state: 'ARCHIVED' }] })
    expect(archived.status).toBe(400)
  })

  test('come a hundred at a call, five hundred to an account', async () => {
    const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => portfolio(`Many ${from + i}`))
    expect((await ads.call('POST', '/portfolios', media, { portfolios: many(0, 101) })).status).toBe(400)
    const stranger = await adsClient(sandbox, { email: 'other@sandbox.test', profileId: '222' })
    for (let from = 0; from < 500; from += 100)
      await stranger.call('POST', '/portfolios', media, { portfolios: many(from, 100) })
    const { body } = await stranger.call('POST', '/portfolios', media, { portfolios: [portfolio('One more')] })
    expect(errorAt(body.portfolios, 0)).toMatchObject({ selector: 'entityQuotaError', reason: 'QUOTA_EXCEEDED' })
    expect((await stranger.call('POST', '/portfolios/list', media, {})).body.totalResults).toBe(500)
  })

  test('hold campaigns of the same profile only', async () => {
    const portfolioId = await made('Holds')
    const batch = await ads.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('Inside', { portfolioId }),
      campaignItem('Astray', { portfolioId: '404' }),
    ])
    expect(batch.success).toHaveLength(1)
    expect(errorAt(batch, 1)).toMatchObject({
      selector: 'entityNotFoundError',
      location: '$.campaigns[1].portfolioId',
    })
  })
})

describe('budget usage', () => {
  test('covers campaigns of each ad product and capped portfolios', async () => {
    const portfolioId = await made('Capped', { policy: 'MONTHLY_RECURRING', amount: 50 })
    const uncapped = await made('Uncapped')
    const display = { name: 'Used', tactic: 'T00020', budget: 20, state: 'enabled' }
    const { body } = await ads.call('POST', '/sd/campaigns', 'application/json', [display])
    const campaignId = leafOf(listOf(body)[0]?.campaignId)
    const usage = (path: string, type: string, ids: object) =>
      ads.call('POST', `${path}/budget/usage`, `application/vnd.${type}budgetusage.v1+json`, ids)
    const sd = await usage('/sd/campaigns', 'sdcampaign', { campaignIds: [campaignId, '404'] })
    expect(sd).toMatchObject({
      status: 207,
      body: {
        success: [{ campaignId, index: 0, budget: 20, budgetUsagePercent: 0 }],
        error: [{ campaignId: '404', index: 1, code: 'NOT_FOUND' }],
      },
    })
    const sb = await usage('/sb/campaigns', 'sbcampaign', { campaignIds: [campaignId] })
    expect(sb.body).toMatchObject({ success: [], error: [{ campaignId }] })
    const caps = await usage('/portfolios', 'portfolio', { portfolioIds: [portfolioId, uncapped] })
    expect(caps.body).toMatchObject({
      success: [{ portfolioId, budget: 50, budgetUsagePercent: 0 }],
      error: [{ portfolioId: uncapped, index: 1 }],
    })
    const many = Array.from({ length: 101 }, () => '1')
    expect((await usage('/sd/campaigns', 'sdcampaign', { campaignIds: many })).status).toBe(400)
  })
})

describe('the cap of a portfolio', () => {
  test('stops its campaigns, and they say why', async () => {
    const portfolioId = await made('Tight', { policy: 'MONTHLY_RECURRING', amount: 2 })
    const campaignId = await ads.campaign('Capped', { targetingType: 'AUTO', portfolioId })
    const adGroupId = await ads.adGroup(campaignId, 'Capped', 3)
    const productAd = { campaignId, adGroupId, state: 'ENABLED', sku: 'SKU-1' }
    await ads.create('productAds', 'productAds', 'spProductAd', [productAd])
    sandbox.world.clock.advance(3 * 86_400_000)
    ads = await adsClient(sandbox)
    const { body } = await ads.call('POST', '/sp/campaigns/list', 'application/vnd.spCampaign.v3+json', {
      campaignIdFilter: { include: [campaignId] },
      includeExtendedDataFields: true,
    })
    expect(body.campaigns).toMatchObject([{ extendedData: { servingStatus: 'PORTFOLIO_OUT_OF_BUDGET' } }])
    const facts = sandbox.world.market().facts(111, '2026-03-10', '2026-03-14', sandbox.world.clock.now())
    const cost = facts.reduce((sum, fact) => sum + fact.costMicros, 0)
    expect(cost).toBeGreaterThan(500_000)
    expect(cost).toBeLessThanOrEqual(2e6)
    // Nothing more is shown until the month ends or the cap is raised.
    const last = Math.max(...facts.map(fact => fact.at))
    expect(last).toBeLessThan(sandbox.world.clock.now().getTime() - 6 * 3_600_000)
    await send('PUT', [{ portfolioId, budget: { policy: 'MONTHLY_RECURRING', amount: 500 } }])
    expect(sandbox.world.market().budgets.outOf(campaignId, sandbox.world.clock.now())).toBeNull()
  })
})

describe('the flag of average daily budgets', () => {
  test('is off at first, and is set by the account', async () => {
    const type = 'application/vnd.accountBudgetFeatureFlags.v1+json'
    const path = '/accountBudgets/featureFlags'
    const flags = (isOptedOutForAverageDailyBudgetIncrease: unknown) => ({
      featureFlags: { isOptedOutForAverageDailyBudgetIncrease },
    })
    expect((await ads.call('GET', path, null)).body).toEqual(flags(false))
    expect((await ads.call('POST', path, type, flags(true))).body).toMatchObject({ code: 'OK' })
    expect((await ads.call('GET', path, null)).body).toEqual(flags(true))
    const wrong = await ads.call('POST', path, type, flags('yes'))
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER_VALUE' } })
  })
})
