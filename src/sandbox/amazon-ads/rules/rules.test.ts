import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import { type AdsClient, adsClient, leafOf, listOf, startSmallSandbox } from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
let campaignId = ''
beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
  campaignId = await ads.campaign('Ruled', { targetingType: 'AUTO' })
  const adGroupId = await ads.adGroup(campaignId, 'Ruled', 3)
  await ads.create('productAds', 'productAds', 'spProductAd', [
    { campaignId, adGroupId, state: 'ENABLED', sku: 'SKU-1' },
  ])
})
afterAll(() => sandbox.close())

const json = 'application/json'
const dates = (startDate: string, endDate?: string) => ({
  dateRangeTypeRuleDuration: { startDate, ...(endDate && { endDate }) },
})
const rule = (name: string, more: object = {}) => ({
  name,
  ruleType: 'SCHEDULE',
  duration: dates('20260310'),
  recurrence: { type: 'DAILY' },
  budgetIncreaseBy: { type: 'PERCENT', value: 50 },
  ...more,
})
const condition = { metricName: 'ACOS', comparisonOperator: 'LESS_THAN_OR_EQUAL_TO', threshold: 20 }

async function create(...rules: object[]): Promise<string[]> {
  const { status, body } = await ads.call('POST', '/sp/budgetRules', json, { budgetRulesDetails: rules })
  expect(status).toBe(207)
  return listOf(body.responses).map(one => {
    expect(leafOf(one.code)).toBe('Ok')
    return leafOf(one.ruleId)
  })
}
const get = async (path: string) => (await ads.call('GET', path, null)).body

describe('budget rules', () => {
  test('are made, associated, in force from the next day, changed and taken off again', async () => {
    const [fifty = '', twenty = '', good = ''] = await create(
      rule('Fifty'),
      rule('Twenty', { budgetIncreaseBy: { type: 'PERCENT', value: 20 } }),
      rule('Good', { ruleType: 'PERFORMANCE', performanceMeasureCondition: condition }),
    )
    const associated = await ads.call('POST', `/sp/campaigns/${campaignId}/budgetRules`, json, {
      budgetRuleIds: [fifty, twenty, good, '404'],
    })
    expect(listOf(associated.body.responses).map(one => leafOf(one.code))).toEqual(['Ok', 'Ok', 'Ok', 'NOT_FOUND'])
    sandbox.world.clock.advance(86_400_000)
    ads = await adsClient(sandbox)
    const usage = await ads.call(
      'POST',
      '/sp/campaigns/budget/usage',
      'application/vnd.spcampaignbudgetusage.v1+json',
      { campaignIds: [campaignId] },
    )
    expect(usage.body.success).toMatchObject([{ campaignId, budget: 17 }])
    const listed = await ads.call('POST', '/sp/campaigns/list', 'application/vnd.spCampaign.v3+json', {})
    expect(listed.body.campaigns).toMatchObject([{ budget: { budget: 10, effectiveBudget: 17 } }])
    const { associatedRules } = await get(`/sp/campaigns/${campaignId}/budgetRules`)
    expect(associatedRules).toMatchObject([
      {
        ruleId: fifty,
        ruleState: 'ACTIVE',
        ruleStatus: 'ACTIVE',
        ruleDetails: { ...rule('Fifty'), recurrence: { type: 'DAILY' } },
      },
      { ruleId: twenty, ruleStatus: 'ACTIVE' },
      { ruleId: good, ruleStatus: 'ON_HOLD', ruleDetails: { performanceMeasureCondition: condition } },
    ])
    const change = (item: object) => ads.call('PUT', '/sp/budgetRules', json, { budgetRulesDetails: [item] })
    await change({ ruleId: fifty, ruleState: 'PAUSED' })
    await change({ ruleId: twenty, ruleDetails: { budgetIncreaseBy: { type: 'PERCENT', value: 30 } } })
    expect(await change({ ruleId: twenty, ruleDetails: { ruleType: 'SCHEDULE' } })).toMatchObject({
      status: 400,
      body: { Message: 'Expected null' },
    })
    expect((await ads.call('DELETE', `/sp/campaigns/${campaignId}/budgetRules/${good}`, null)).status).toBe(200)
    expect(await get(`/sp/budgetRules/${good}/campaigns?pageSize=10`)).toEqual({ associatedCampaigns: [] })
    expect(await get(`/sp/budgetRules/${twenty}/campaigns?pageSize=10`)).toEqual({
      associatedCampaigns: [{ campaignId, campaignName: 'Ruled', ruleStatus: 'ACTIVE' }],
    })
    expect(await get(`/sp/budgetRules/${fifty}`)).toMatchObject({ budgetRule: { ruleStatus: 'PAUSED' } })
    const after = await ads.call('POST', '/sp/campaigns/list', 'application/vnd.spCampaign.v3+json', {})
    expect(after.body.campaigns).toMatchObject([{ budget: { effectiveBudget: 13 } }])
  })

  test('come in pages of at most thirty, and wrong ones fail as a whole', async () => {
    await create(...Array.from({ length: 25 }, (_, i) => rule(`Many ${i}`, { duration: dates('20260312') })))
    const first = await get('/sp/budgetRules?pageSize=20')
    expect(listOf(first.budgetRulesForAdvertiserResponse)).toHaveLength(20)
    const rest = await get(`/sp/budgetRules?pageSize=30&nextToken=${leafOf(first.nextToken)}`)
    expect(listOf(rest.budgetRulesForAdvertiserResponse)).toHaveLength(8)
    expect(rest.nextToken).toBeUndefined()
    const stranger = await adsClient(sandbox, { email: 'other@sandbox.test', profileId: '222' })
    const { body } = await stranger.call('GET', '/sp/budgetRules?pageSize=30', null)
    expect(body.budgetRulesForAdvertiserResponse).toEqual([])
    for (const wrong of [
      rule('Past', { duration: dates('20260301') }),
      rule('Backwards', { duration: dates('20260401', '20260331') }),
      rule('Weekly', { duration: dates('20260312'), recurrence: { type: 'WEEKLY' } }),
      rule('Unconditional', { duration: dates('20260312'), ruleType: 'PERFORMANCE' }),
      rule('Amount', { duration: dates('20260312'), budgetIncreaseBy: { type: 'AMOUNT', value: 5 } }),
    ])
      expect((await ads.call('POST', '/sp/budgetRules', json, { budgetRulesDetails: [wrong] })).status).toBe(400)
    expect((await ads.call('GET', '/sp/budgetRules?pageSize=31', null)).status).toBe(400)
    expect((await ads.call('GET', '/sp/budgetRules/404', null)).status).toBe(404)
  })
})

describe('schedule rules of bids', () => {
  const media = 'application/vnd.spoptimizationrules.v2+json'
  const schedule = {
    ruleName: 'Evenings',
    ruleCategory: 'BID',
    ruleSubCategory: 'SCHEDULE',
    status: 'ENABLED',
    recurrence: {
      type: 'WEEKLY',
      daysOfWeek: ['FRIDAY'],
      timesOfDay: [{ startTime: '18:00', endTime: '22:00' }],
      duration: { startTime: '2026-03-01T00:00:00.000Z' },
    },
    action: { actionType: 'ADOPT', actionDetails: { actionOperator: 'INCREMENT', actionUnit: 'PERCENT', value: 40 } },
  }
  const send = (method: string, optimizationRules: object[], type = media) =>
    ads.call(method, '/sp/rules/optimization', type, { optimizationRules })

  test('are made, associated, found by campaign and paused', async () => {
    const { status, body } = await send('POST', [schedule])
    expect(status).toBe(207)
    const optimizationRuleId = leafOf(listOf(body.responses)[0]?.optimizationRule?.optimizationRuleId)
    const path = `/sp/campaigns/${campaignId}/optimizationRules`
    const associated = await ads.call('POST', path, 'application/vnd.spoptimizationrules.v1+json', {
      optimizationRuleIds: [optimizationRuleId, '404'],
    })
    expect(associated.body.responses).toMatchObject([{ code: 'SUCCESS' }, { code: 'NOT_FOUND' }])
    const search = (body: object) => ads.call('POST', '/sp/rules/optimization/search', media, body)
    const found = await search({ campaignFilter: { campaignId: { values: [campaignId] } } })
    expect(found.body).toEqual({ optimizationRules: [{ optimizationRuleId, ...schedule }] })
    expect((await search({ campaignFilter: { campaignId: { values: ['404'] } } })).body).toEqual({
      optimizationRules: [],
    })
    await send('PUT', [{ ...schedule, optimizationRuleId, status: 'PAUSED' }])
    expect((await search({})).body).toMatchObject({ optimizationRules: [{ status: 'PAUSED' }] })
    expect(sandbox.world.store.bidRules.get(optimizationRuleId)).toMatchObject({
      campaignIds: [campaignId],
      percent: 40,
    })
  })

  test('raise bids by 1 to 100 percent, and in some hour', async () => {
    const { recurrence } = schedule
    const action = (value: number) => ({
      actionType: 'ADOPT',
      actionDetails: { actionOperator: 'INCREMENT', actionUnit: 'PERCENT', value },
    })
    for (const wrong of [
      { ...schedule, action: action(0) },
      { ...schedule, action: action(101) },
      { ...schedule, ruleCategory: 'TARGETING' },
      { ...schedule, recurrence: { ...recurrence, daysOfWeek: [] } },
      { ...schedule, recurrence: { ...recurrence, timesOfDay: [{ startTime: '22:00', endTime: '18:00' }] } },
    ])
      expect((await send('POST', [wrong])).status).toBe(400)
    const first = 'application/vnd.spoptimizationrules.v1+json'
    expect((await send('POST', [schedule, schedule], first)).status).toBe(400)
  })
})

test('a rule for rule-based bidding is made, changed, read and deleted; a campaign has one', async () => {
  const media = 'application/vnd.optimizationrules.v1+json'
  const path = '/sp/rules/campaignOptimization'
  const aim = (threshold: number) => ({
    ruleType: 'BID',
    ruleAction: 'ADOPT',
    recurrence: 'DAILY',
    ruleCondition: [{ metricName: 'ROAS', comparisonOperator: 'GREATER_THAN_OR_EQUAL_TO', threshold }],
    campaignIds: [campaignId],
  })
  const made = await ads.call('POST', path, media, aim(4))
  expect(made).toMatchObject({ status: 200, body: { code: 'SUCCESS' } })
  const campaignOptimizationId = leafOf(made.body.campaignOptimizationId)
  expect((await ads.call('POST', path, media, aim(5))).status).toBe(400)
  await ads.call('PUT', path, media, { campaignOptimizationId, ...aim(6) })
  const { campaignOptimizationRule } = await get(`${path}/${campaignOptimizationId}`)
  expect(campaignOptimizationRule).toMatchObject({ campaignOptimizationId, ...aim(6) })
  expect((await ads.call('DELETE', `${path}/${campaignOptimizationId}`, null)).status).toBe(200)
  expect((await ads.call('GET', `${path}/${campaignOptimizationId}`, null)).status).toBe(404)
})
