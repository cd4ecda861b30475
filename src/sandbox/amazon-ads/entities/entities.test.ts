import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  campaignItem,
  errorAt,
  startSmallSandbox,
  listOf,
  leafOf,
} from '../ads-test-world.ts'

const media = (name: string): string => `application/vnd.${name}.v3+json`
let sandbox: Sandbox
let ads: AdsClient

beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
})
afterAll(() => sandbox.close())

const createCampaign = async (name: string, more: object = {}): Promise<string> => {
  const { success } = await ads.create('campaigns', 'campaigns', 'spCampaign', [campaignItem(name, more)])
  return leafOf(listOf(success)[0]?.campaignId)
}
const createGroup = async (campaignId: string, name = 'Group', defaultBid = 1): Promise<string> => {
  const { success } = await ads.create('adGroups', 'adGroups', 'spAdGroup', [
    { campaignId, name, state: 'ENABLED', defaultBid },
  ])
  return leafOf(listOf(success)[0]?.adGroupId)
}
const keyword = (campaignId: string, adGroupId: string, keywordText: string, more: object = {}): object => ({
  campaignId,
  adGroupId,
  keywordText,
  matchType: 'EXACT',
  state: 'ENABLED',
  ...more,
})

describe('a batch', () => {
  test('answers 207 even when all succeed, with ids as text and whole objects only when preferred', async () => {
    const plain = await ads.call('POST', '/sp/campaigns', media('spCampaign'), { campaigns: [campaignItem('Plain')] })
    expect(plain.status).toBe(207)
    expect(plain.headers.get('content-type')).toMatch(/^application\/json/)
    expect(plain.headers.get('x-amz-rid')).toBeTruthy()
    expect(plain.headers.get('x-amzn-requestid')).toBeTruthy()
    expect(plain.body.campaigns?.success).toEqual([{ index: 0, campaignId: expect.stringMatching(/^\d{17}$/) }])
    const whole = await ads.call(
      'POST',
      '/sp/campaigns',
      media('spCampaign'),
      { campaigns: [campaignItem('Whole')] },
      { prefer: 'return=representation' },
    )
    expect(whole.headers.get('preference-applied')).toBe('return=representation')
    const [success] = listOf(whole.body.campaigns?.success)
    expect(success?.campaign).toMatchObject({ name: 'Whole', budget: { budget: 10, budgetType: 'DAILY' } })
  })

  test('makes the good items and says of each bad one where and why', async () => {
    const batch = await ads.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('Good'),
      campaignItem('good'),
      campaignItem(' Blank around '),
      campaignItem('Too dear', { budget: { budget: 1_000_001, budgetType: 'DAILY' } }),
      campaignItem('Too cheap', { budget: { budget: 0.99, budgetType: 'DAILY' } }),
      campaignItem('x'.repeat(129)),
      campaignItem('No budget', { budget: undefined }),
    ])
    expect(batch.success).toHaveLength(1)
    expect(errorAt(batch, 1)).toEqual({
      selector: 'duplicateValueError',
      reason: 'NAME_NOT_UNIQUE',
      location: '$.campaigns[1].name',
      trigger: 'good',
    })
    expect(errorAt(batch, 2)).toMatchObject({ reason: 'LEADING_OR_TRAILING_WHITESPACE' })
    expect(errorAt(batch, 3)).toMatchObject({ selector: 'budgetError', reason: 'BUDGET_TOO_HIGH', trigger: '1000001' })
    expect(errorAt(batch, 4)).toMatchObject({ selector: 'budgetError', reason: 'BUDGET_TOO_LOW' })
    expect(errorAt(batch, 5)).toMatchObject({ selector: 'malformedValueError', reason: 'TOO_LONG' })
    expect(errorAt(batch, 6)).toMatchObject({ selector: 'missingValueError', reason: 'MISSING_VALUE' })
  })

  test('with a value outside its list fails whole, case counting, and makes nothing', async () => {
    const { status, body } = await ads.call('POST', '/sp/campaigns', media('spCampaign'), {
      campaigns: [campaignItem('Never made'), campaignItem('Wrong case', { state: 'enabled' })],
    })
    expect(status).toBe(400)
    expect(body).toEqual({
      code: 'INVALID_ARGUMENT',
      message:
        "1 validation error detected: Value 'enabled' at 'state' failed to satisfy constraint: Member must satisfy enum value set: [ENABLED, PAUSED, PROPOSED]",
    })
    expect([...sandbox.world.books.campaigns.values()].map(one => one.name)).not.toContain('Never made')
  })

  test('takes at most 1000 items and only its own media type', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => campaignItem(`Many ${i}`))
    expect((await ads.call('POST', '/sp/campaigns', media('spCampaign'), { campaigns: many })).status).toBe(400)
    const wrong = await ads.call('POST', '/sp/campaigns', 'application/json', { campaigns: [] })
    expect(wrong).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
    const accept = await ads.call('POST', '/sp/campaigns/list', media('spCampaign'), {}, { accept: 'application/json' })
    expect(accept.status).toBe(415)
  })
})

describe('campaigns', () => {
  test('begin no earlier than today in the profile’s time zone', async () => {
    // It is 18:30 UTC: still the 10th in Los Angeles, already the 11th in Tokyo.
    const batch = await ads.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('Yesterday', { startDate: '2026-03-09' }),
      campaignItem('Today', { startDate: '2026-03-10' }),
      campaignItem('Backwards', { startDate: '2026-03-20', endDate: '2026-03-19' }),
      campaignItem('No day', { startDate: '2026-02-30' }),
    ])
    expect(batch.success).toHaveLength(1)
    expect(errorAt(batch, 0)).toMatchObject({ selector: 'dateError', reason: 'START_DATE_EARLIER_THAN_TODAY' })
    expect(errorAt(batch, 2)).toMatchObject({ reason: 'START_DATE_AFTER_END_DATE' })
    expect(errorAt(batch, 3)).toMatchObject({ reason: 'INVALID_DATE' })
    const japan = await adsClient(sandbox, { profileId: '333', region: 'fe' })
    const yen = { budget: { budget: 1000, budgetType: 'DAILY' } }
    const there = await japan.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('Heute', { ...yen, startDate: '2026-03-10' }),
      campaignItem('Morgen', { ...yen, startDate: '2026-03-11' }),
      campaignItem('Zu wenig', { budget: { budget: 99, budgetType: 'DAILY' } }),
    ])
    expect(errorAt(there, 0)).toMatchObject({ reason: 'START_DATE_EARLIER_THAN_TODAY' })
    expect(errorAt(there, 2)).toMatchObject({ reason: 'BUDGET_TOO_LOW' })
    expect(there.success).toHaveLength(1)
  })

  test('ignore unknown fields of an update in silence: `status` changes nothing', async () => {
    const campaignId = await createCampaign('Silent')
    const { status, body } = await ads.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [{ campaignId, status: 'PAUSED' }],
    })
    expect(status).toBe(207)
    expect(body.campaigns?.success).toEqual([{ index: 0, campaignId }])
    expect(sandbox.world.books.campaigns.get(campaignId)?.state).toBe('ENABLED')
  })

  test('lose what an update of `dynamicBidding` does not repeat', async () => {
    const campaignId = await createCampaign('Bidding', {
      dynamicBidding: {
        strategy: 'AUTO_FOR_SALES',
        placementBidding: [{ placement: 'PLACEMENT_TOP', percentage: 50 }],
      },
    })
    await ads.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [{ campaignId, dynamicBidding: { strategy: 'MANUAL' } }],
    })
    expect(sandbox.world.books.campaigns.get(campaignId)).toMatchObject({ strategy: 'MANUAL', placements: [] })
  })

  test('are archived only by delete, and then neither change nor take children', async () => {
    const campaignId = await createCampaign('Gone')
    const adGroupId = await createGroup(campaignId)
    const asState = await ads.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [{ campaignId, state: 'ARCHIVED' }],
    })
    expect(asState.status).toBe(400)
    const gone = await ads.call('POST', '/sp/campaigns/delete', media('spCampaign'), {
      campaignIdFilter: { include: [campaignId] },
    })
    expect(gone.body.campaigns?.success).toEqual([{ index: 0, campaignId }])
    const { body } = await ads.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [
        { campaignId, name: 'Back' },
        { campaignId: '1', name: 'Nobody' },
      ],
    })
    expect(errorAt(body.campaigns, 0)).toMatchObject({ reason: 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED' })
    expect(errorAt(body.campaigns, 1)).toMatchObject({ reason: 'ENTITY_NOT_FOUND' })
    const group = await ads.create('adGroups', 'adGroups', 'spAdGroup', [
      { campaignId, name: 'Late', state: 'ENABLED', defaultBid: 1 },
    ])
    expect(errorAt(group, 0)).toMatchObject({ selector: 'parentEntityError', reason: 'PARENT_ENTITY_ARCHIVED' })
    const child = await ads.call('PUT', '/sp/adGroups', media('spAdGroup'), {
      adGroups: [{ adGroupId, state: 'PAUSED' }],
    })
    expect(errorAt(child.body.adGroups, 0)).toMatchObject({ reason: 'PARENT_ARCHIVED_FORBIDS_UPDATES' })
    // The name is free again.
    expect(await createCampaign('Gone')).toMatch(/^\d+$/)
  })
})

describe('an ad group of an automatic campaign', () => {
  test('gets four targets without a bid, which can be changed but not made, archived or joined by keywords', async () => {
    const campaignId = await createCampaign('Automatic', { targetingType: 'AUTO' })
    const adGroupId = await createGroup(campaignId)
    const type = media('spTargetingClause')
    const { body } = await ads.call('POST', '/sp/targets/list', type, { campaignIdFilter: { include: [campaignId] } })
    const rows = listOf(body.targetingClauses)
    expect(rows.map(row => listOf(row.expression)[0]?.type)).toEqual([
      'QUERY_HIGH_REL_MATCHES',
      'QUERY_BROAD_REL_MATCHES',
      'ASIN_SUBSTITUTE_RELATED',
      'ASIN_ACCESSORY_RELATED',
    ])
    expect(rows.every(row => !('bid' in row) && leafOf(row.expressionType) === 'AUTO')).toBe(true)
    const targetId = leafOf(rows[0]?.targetId)
    await ads.call('PUT', '/sp/targets', type, { targetingClauses: [{ targetId, bid: 0.77, state: 'PAUSED' }] })
    expect(sandbox.world.books.targets.get(targetId)).toMatchObject({ bidMicros: 770_000, state: 'PAUSED' })
    const gone = await ads.call('POST', '/sp/targets/delete', type, { targetIdFilter: { include: [targetId] } })
    expect(errorAt(gone.body.targetingClauses, 0)).toMatchObject({
      reason: 'AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY',
    })
    const made = await ads.create('targets', 'targetingClauses', 'spTargetingClause', [
      {
        campaignId,
        adGroupId,
        state: 'ENABLED',
        expressionType: 'AUTO',
        expression: [{ type: 'QUERY_HIGH_REL_MATCHES' }],
      },
    ])
    expect(errorAt(made, 0)).toMatchObject({ reason: 'AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY' })
    const words = await ads.create('keywords', 'keywords', 'spKeyword', [keyword(campaignId, adGroupId, 'soap')])
    expect(errorAt(words, 0)).toMatchObject({
      selector: 'targetingClauseSetupError',
      reason: 'TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN',
    })
  })
})

describe('keywords and targets', () => {
  test('obey the bid floor, lengths, and are there once; an ad group holds one kind only', async () => {
    const campaignId = await createCampaign('Keywords')
    const adGroupId = await createGroup(campaignId)
    const batch = await ads.create('keywords', 'keywords', 'spKeyword', [
      keyword(campaignId, adGroupId, 'garlic press'),
      keyword(campaignId, adGroupId, 'low', { bid: 0.01 }),
      keyword(campaignId, adGroupId, 'Garlic  Press'),
      keyword(campaignId, adGroupId, 'one two three four five six seven eight nine ten eleven'),
      keyword(campaignId, adGroupId, 'x'.repeat(81)),
      keyword(campaignId, adGroupId, 'garlic press', { matchType: 'BROAD', bid: 1000 }),
      keyword(campaignId, adGroupId, '  '),
    ])
    expect(listOf(batch.success).map(one => one.index as unknown)).toEqual([0, 5])
    expect(errorAt(batch, 1)).toEqual({
      selector: 'rangeError',
      reason: 'TOO_LOW',
      location: '$.keywords[1].bid',
      trigger: '0.01',
    })
    expect(errorAt(batch, 2)).toMatchObject({ selector: 'duplicateValueError', reason: 'DUPLICATE_VALUE' })
    expect(errorAt(batch, 3)).toMatchObject({ reason: 'TOO_LONG' })
    expect(errorAt(batch, 4)).toMatchObject({ reason: 'TOO_LONG' })
    expect(errorAt(batch, 6)).toMatchObject({ reason: 'BLANK' })
    const target = { campaignId, adGroupId, state: 'ENABLED', expressionType: 'MANUAL' }
    const targets = await ads.create('targets', 'targetingClauses', 'spTargetingClause', [
      { ...target, expression: [{ type: 'ASIN_SAME_AS', value: 'B0RIVAL001' }] },
    ])
    expect(errorAt(targets, 0)).toMatchObject({ reason: 'TYPE_CONFLICT_IN_AD_GROUP' })
    const other = { ...target, adGroupId: await createGroup(campaignId, 'Products') }
    const more = await ads.create('targets', 'targetingClauses', 'spTargetingClause', [
      { ...other, expression: [{ type: 'ASIN_CATEGORY_SAME_AS', value: '289742' }], bid: 0.5 },
      { ...other, expression: [{ type: 'ASIN_SAME_AS', value: 'not an asin' }] },
      { ...other, expression: [{ type: 'ASIN_PRICE_LESS_THAN', value: '10' }] },
    ])
    expect(more.success).toHaveLength(1)
    expect(errorAt(more, 1)).toMatchObject({ reason: 'TARGETING_EXPRESSION_INVALID_VALUE' })
    expect(errorAt(more, 2)).toMatchObject({ reason: 'TARGETING_EXPRESSION_INVALID_VALUE' })
    const { body } = await ads.call('POST', '/sp/targets/list', media('spTargetingClause'), {
      adGroupIdFilter: { include: [other.adGroupId] },
    })
    expect(body.targetingClauses).toMatchObject([
      { resolvedExpression: [{ type: 'ASIN_CATEGORY_SAME_AS', value: 'Garlic Presses' }], bid: 0.5 },
    ])
  })

  test('a default bid above the budget is refused', async () => {
    const campaignId = await createCampaign('Small budget')
    const group = await ads.create('adGroups', 'adGroups', 'spAdGroup', [
      { campaignId, name: 'Dear', state: 'ENABLED', defaultBid: 10.01 },
    ])
    expect(errorAt(group, 0)).toMatchObject({ selector: 'biddingError', reason: 'BID_GT_BUDGET' })
  })
})

describe('product ads', () => {
  test('are for the seller’s own eligible products, each once', async () => {
    const campaignId = await createCampaign('Ads')
    const adGroupId = await createGroup(campaignId)
    const ad = { campaignId, adGroupId, state: 'ENABLED' }
    const batch = await ads.create('productAds', 'productAds', 'spProductAd', [
      { ...ad, sku: 'SKU-1' },
      { ...ad, sku: 'SKU-1' },
      { ...ad, sku: 'SKU-3' },
      { ...ad, sku: 'NONE' },
      { ...ad, asin: 'B0TEST0001' },
    ])
    expect(batch.success).toHaveLength(1)
    expect(errorAt(batch, 1)).toMatchObject({ reason: 'DUPLICATE_VALUE' })
    expect(errorAt(batch, 2)).toMatchObject({ selector: 'adEligibilityError', reason: 'AD_INELIGIBLE' })
    expect(errorAt(batch, 3)).toMatchObject({ selector: 'productIdentifierError', reason: 'INVALID_SKU' })
    expect(errorAt(batch, 4)).toMatchObject({ selector: 'missingValueError', location: '$.productAds[4].sku' })
  })
})

describe('negatives', () => {
  test('give one id name out and take another', async () => {
    const campaignId = await createCampaign('Negatives')
    const adGroupId = await createGroup(campaignId)
    const word = { campaignId, keywordText: 'cheap', matchType: 'NEGATIVE_EXACT', state: 'ENABLED' }
    const inGroup = await ads.create('negativeKeywords', 'negativeKeywords', 'spNegativeKeyword', [
      { ...word, adGroupId },
      { ...word, adGroupId, keywordText: 'one two three four five', matchType: 'NEGATIVE_PHRASE' },
    ])
    const [first] = listOf(inGroup.success)
    expect(Object.keys(first ?? {})).toEqual(['index', 'negativeKeywordId'])
    expect(errorAt(inGroup, 1)).toMatchObject({ reason: 'TOO_LONG' })
    const id = leafOf(first?.negativeKeywordId)
    const paused = await ads.call('PUT', '/sp/negativeKeywords', media('spNegativeKeyword'), {
      negativeKeywords: [{ keywordId: id, state: 'PAUSED' }],
    })
    expect(paused.body.negativeKeywords?.success).toEqual([{ index: 0, negativeKeywordId: id }])
    const onCampaign = await ads.create(
      'campaignNegativeKeywords',
      'campaignNegativeKeywords',
      'spCampaignNegativeKeyword',
      [word],
    )
    expect(onCampaign.success).toEqual([{ index: 0, campaignNegativeKeywordId: expect.any(String) }])
    const product = { campaignId, state: 'ENABLED', expression: [{ type: 'ASIN_SAME_AS', value: 'B0RIVAL001' }] }
    const { body } = await ads.call(
      'POST',
      '/sp/campaignNegativeTargets',
      media('spCampaignNegativeTargetingClause'),
      { campaignNegativeTargetingClauses: [product] },
      { prefer: 'return=representation' },
    )
    const [made] = listOf(body.campaignNegativeTargetingClauses?.success)
    expect(Object.keys(made ?? {})).toEqual([
      'index',
      'campaignNegativeTargetingClauseId',
      'campaignNegativeTargetingClauses',
    ])
    const listed = await ads.call('POST', '/sp/negativeKeywords/list', media('spNegativeKeyword'), {
      campaignIdFilter: { include: [campaignId] },
    })
    expect(listed.body.negativeKeywords).toMatchObject([{ keywordId: id, state: 'PAUSED' }])
  })
})

describe('a list', () => {
  test('pages by token, counts all, filters, and shows only the profile’s own', async () => {
    const campaignId = await createCampaign('Paged')
    const adGroupId = await createGroup(campaignId)
    const words = Array.from({ length: 5 }, (_, i) => keyword(campaignId, adGroupId, `word ${i}`))
    await ads.create('keywords', 'keywords', 'spKeyword', words)
    const filter = { campaignIdFilter: { include: [campaignId] } }
    const seen: string[] = []
    let nextToken: unknown
    do {
      const { body } = await ads.call('POST', '/sp/keywords/list', media('spKeyword'), {
        ...filter,
        maxResults: 2,
        ...(nextToken ? { nextToken } : {}),
      })
      expect(body.totalResults).toBe(5)
      seen.push(...listOf(body.keywords).map(row => leafOf(row.keywordText)))
      nextToken = body.nextToken
    } while (nextToken)
    expect(seen).toEqual(['word 0', 'word 1', 'word 2', 'word 3', 'word 4'])
    const { body } = await ads.call('POST', '/sp/campaigns/list', media('spCampaign'), {
      nameFilter: { queryTermMatchType: 'EXACT_MATCH', include: ['paged'] },
      stateFilter: { include: ['ENABLED'] },
      includeExtendedDataFields: true,
    })
    expect(body.campaigns).toMatchObject([{ campaignId, extendedData: { servingStatus: 'CAMPAIGN_STATUS_ENABLED' } }])
    const stranger = await adsClient(sandbox, { email: 'other@sandbox.test', profileId: '222' })
    const theirs = await stranger.call('POST', '/sp/campaigns/list', media('spCampaign'), {})
    expect(theirs.body).toMatchObject({ campaigns: [], totalResults: 0 })
    const taken = await stranger.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [{ campaignId, name: 'Mine' }],
    })
    expect(errorAt(taken.body.campaigns, 0)).toMatchObject({ reason: 'ENTITY_NOT_FOUND' })
  })

  test('clamps a page of more than 500 in silence and refuses a made-up token', async () => {
    const campaignId = await createCampaign('Long')
    const adGroupId = await createGroup(campaignId)
    const words = Array.from({ length: 501 }, (_, i) => keyword(campaignId, adGroupId, `long ${i}`))
    await ads.create('keywords', 'keywords', 'spKeyword', words)
    const filter = { campaignIdFilter: { include: [campaignId] }, maxResults: 5000 }
    const { body } = await ads.call('POST', '/sp/keywords/list', media('spKeyword'), filter)
    expect(body.keywords).toHaveLength(500)
    expect(body.nextToken).toBeTruthy()
    const wrong = await ads.call('POST', '/sp/keywords/list', media('spKeyword'), { nextToken: 'nonsense' })
    expect(wrong.status).toBe(400)
  })
})
