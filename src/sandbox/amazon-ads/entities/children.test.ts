import { describe, expect, test } from 'vitest'
import { keywordItem, media, smallScene } from '../../../../tests/support/ads-scene.ts'
import { errorAt, leafOf, listOf } from '../../../../tests/support/ads-world.ts'

const scene = smallScene()

describe('an ad group of an automatic campaign', () => {
  test('gets four targets without a bid, which can be changed but not made, archived or joined by keywords', async () => {
    const campaignId = await scene.ads.campaign('Automatic', { targetingType: 'AUTO' })
    const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
    const type = media('spTargetingClause')
    const { body } = await scene.ads.call('POST', '/sp/targets/list', type, {
      campaignIdFilter: { include: [campaignId] },
    })
    const rows = listOf(body.targetingClauses)
    expect(rows.map(row => listOf(row.expression)[0]?.type)).toEqual([
      'QUERY_HIGH_REL_MATCHES',
      'QUERY_BROAD_REL_MATCHES',
      'ASIN_SUBSTITUTE_RELATED',
      'ASIN_ACCESSORY_RELATED',
    ])
    expect(rows.every(row => !('bid' in row) && leafOf(row.expressionType) === 'AUTO')).toBe(true)
    const targetId = leafOf(rows[0]?.targetId)
    await scene.ads.call('PUT', '/sp/targets', type, { targetingClauses: [{ targetId, bid: 0.77, state: 'PAUSED' }] })
    expect(scene.sandbox.world.store.targets.get(targetId)).toMatchObject({ bidMicros: 770_000, state: 'PAUSED' })
    const gone = await scene.ads.call('POST', '/sp/targets/delete', type, { targetIdFilter: { include: [targetId] } })
    expect(errorAt(gone.body.targetingClauses, 0)).toMatchObject({
      reason: 'AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY',
    })
    const made = await scene.ads.create('targets', 'targetingClauses', 'spTargetingClause', [
      {
        campaignId,
        adGroupId,
        state: 'ENABLED',
        expressionType: 'AUTO',
        expression: [{ type: 'QUERY_HIGH_REL_MATCHES' }],
      },
    ])
    expect(errorAt(made, 0)).toMatchObject({ reason: 'AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY' })
    const words = await scene.ads.create('keywords', 'keywords', 'spKeyword', [
      keywordItem(campaignId, adGroupId, 'soap'),
    ])
    expect(errorAt(words, 0)).toMatchObject({
      selector: 'targetingClauseSetupError',
      reason: 'TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN',
    })
  })
})

describe('keywords and targets', () => {
  test('obey the bid floor, lengths, and are there once; an ad group holds one kind only', async () => {
    const campaignId = await scene.ads.campaign('Keywords')
    const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
    const batch = await scene.ads.create('keywords', 'keywords', 'spKeyword', [
      keywordItem(campaignId, adGroupId, 'garlic press'),
      keywordItem(campaignId, adGroupId, 'low', { bid: 0.01 }),
      keywordItem(campaignId, adGroupId, 'Garlic  Press'),
      keywordItem(campaignId, adGroupId, 'one two three four five six seven eight nine ten eleven'),
      keywordItem(campaignId, adGroupId, 'x'.repeat(81)),
      keywordItem(campaignId, adGroupId, 'garlic press', { matchType: 'BROAD', bid: 1000 }),
      keywordItem(campaignId, adGroupId, '  '),
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
    const targets = await scene.ads.create('targets', 'targetingClauses', 'spTargetingClause', [
      { ...target, expression: [{ type: 'ASIN_SAME_AS', value: 'B0RIVAL001' }] },
    ])
    expect(errorAt(targets, 0)).toMatchObject({ reason: 'TYPE_CONFLICT_IN_AD_GROUP' })
    const other = { ...target, adGroupId: await scene.ads.adGroup(campaignId, 'Products') }
    const more = await scene.ads.create('targets', 'targetingClauses', 'spTargetingClause', [
      { ...other, expression: [{ type: 'ASIN_CATEGORY_SAME_AS', value: '289742' }], bid: 0.5 },
      { ...other, expression: [{ type: 'ASIN_SAME_AS', value: 'not an asin' }] },
      { ...other, expression: [{ type: 'ASIN_PRICE_LESS_THAN', value: '10' }] },
    ])
    expect(more.success).toHaveLength(1)
    expect(errorAt(more, 1)).toMatchObject({ reason: 'TARGETING_EXPRESSION_INVALID_VALUE' })
    expect(errorAt(more, 2)).toMatchObject({ reason: 'TARGETING_EXPRESSION_INVALID_VALUE' })
    const { body } = await scene.ads.call('POST', '/sp/targets/list', media('spTargetingClause'), {
      adGroupIdFilter: { include: [other.adGroupId] },
    })
    expect(body.targetingClauses).toMatchObject([
      { resolvedExpression: [{ type: 'ASIN_CATEGORY_SAME_AS', value: 'Garlic Presses' }], bid: 0.5 },
    ])
  })

  test('a default bid above the budget is rejected', async () => {
    const campaignId = await scene.ads.campaign('Small budget')
    const group = await scene.ads.create('adGroups', 'adGroups', 'spAdGroup', [
      { campaignId, name: 'Dear', state: 'ENABLED', defaultBid: 10.01 },
    ])
    expect(errorAt(group, 0)).toMatchObject({ selector: 'biddingError', reason: 'BID_GT_BUDGET' })
  })
})

describe('product ads', () => {
  test('are for the seller’s own eligible products, each once', async () => {
    const campaignId = await scene.ads.campaign('Ads')
    const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
    const ad = { campaignId, adGroupId, state: 'ENABLED' }
    const batch = await scene.ads.create('productAds', 'productAds', 'spProductAd', [
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
    const campaignId = await scene.ads.campaign('Negatives')
    const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
    const word = { campaignId, keywordText: 'cheap', matchType: 'NEGATIVE_EXACT', state: 'ENABLED' }
    const inGroup = await scene.ads.create('negativeKeywords', 'negativeKeywords', 'spNegativeKeyword', [
      { ...word, adGroupId },
      { ...word, adGroupId, keywordText: 'one two three four five', matchType: 'NEGATIVE_PHRASE' },
    ])
    const [first] = listOf(inGroup.success)
    expect(Object.keys(first ?? {})).toEqual(['index', 'negativeKeywordId'])
    expect(errorAt(inGroup, 1)).toMatchObject({ reason: 'TOO_LONG' })
    const id = leafOf(first?.negativeKeywordId)
    const paused = await scene.ads.call('PUT', '/sp/negativeKeywords', media('spNegativeKeyword'), {
      negativeKeywords: [{ keywordId: id, state: 'PAUSED' }],
    })
    expect(paused.body.negativeKeywords?.success).toEqual([{ index: 0, negativeKeywordId: id }])
    const onCampaign = await scene.ads.create(
      'campaignNegativeKeywords',
      'campaignNegativeKeywords',
      'spCampaignNegativeKeyword',
      [word],
    )
    expect(onCampaign.success).toEqual([{ index: 0, campaignNegativeKeywordId: expect.any(String) }])
    const product = { campaignId, state: 'ENABLED', expression: [{ type: 'ASIN_SAME_AS', value: 'B0RIVAL001' }] }
    const { body } = await scene.ads.call(
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
    const listed = await scene.ads.call('POST', '/sp/negativeKeywords/list', media('spNegativeKeyword'), {
      campaignIdFilter: { include: [campaignId] },
    })
    expect(listed.body.negativeKeywords).toMatchObject([{ keywordId: id, state: 'PAUSED' }])
  })
})
