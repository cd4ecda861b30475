import { expect, test } from 'vitest'
import { media, smallScene } from '../../../../tests/support/ads-scene.ts'

const scene = smallScene()
async function list(path: string, type: string, body: object) {
  const { status, body: answer } = await scene.ads.call('POST', `${path}/list`, type, body)
  return { status, body: answer }
}
const refused = { status: 400, body: { code: 'INVALID_ARGUMENT', message: expect.any(String) } }

test.each([
  { stateFilter: 'ENABLED' },
  { stateFilter: ['ENABLED'] },
  { stateFilter: { include: 'ENABLED' } },
  { stateFilter: { include: [7] } },
  { campaignIdFilter: ['1'] },
  { campaignIdFilter: { include: [1] } },
  { portfolioIdFilter: { include: '1' } },
  { nameFilter: 'Brand' },
  { nameFilter: { include: 'Brand' } },
  { nameFilter: { queryTermMatchType: 'broad', include: ['Brand'] } },
  { includeExtendedDataFields: 'yes' },
  { nextToken: 7 },
  { maxResults: '10' },
])('campaigns refuse the filter %j', async filter => {
  expect(await list('/sp/campaigns', media('spCampaign'), filter)).toEqual(refused)
})

test.each([
  ['/sp/keywords', media('spKeyword'), { matchTypeFilter: 'EXACT' }],
  ['/sp/keywords', media('spKeyword'), { keywordTextFilter: { include: [1] } }],
  ['/sp/targets', media('spTargetingClause'), { expressionTypeFilter: ['MANUAL'] }],
  ['/sp/targets', media('spTargetingClause'), { asinFilter: 'B0TEST0001' }],
  ['/sp/adGroups', media('spAdGroup'), { campaignTargetingTypeFilter: 'manual' }],
  ['/sb/v4/campaigns', 'application/vnd.sbcampaignresource.v4+json', { stateFilter: ['ENABLED'] }],
  ['/portfolios', media('spPortfolio'), { nameFilter: ['Brand'] }],
])('%s with %s refuses the filter %j', async (path, type, filter) => {
  expect(await list(path, type, filter)).toEqual(refused)
})

test('null counts as absent, and unknown parts are ignored', async () => {
  const filter = { stateFilter: null, nameFilter: { include: null }, nextToken: null, maxResults: null, unknown: 7 }
  expect((await list('/sp/campaigns', media('spCampaign'), filter)).status).toBe(200)
})

test('an archive without a list of ids is rejected as a whole', async () => {
  for (const body of [{}, { campaignIdFilter: ['1'] }, { campaignIdFilter: { include: [1] } }]) {
    const { status, body: answer } = await scene.ads.call('POST', '/sp/campaigns/delete', media('spCampaign'), body)
    expect({ status, body: answer }).toEqual(refused)
  }
})
