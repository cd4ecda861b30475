import { describe, expect, test } from 'vitest'
import { keywordItem, media, smallScene } from '../../../../tests/support/ads-scene.ts'
import { adsClient, campaignItem, errorAt, listOf, leafOf } from '../../../../tests/support/ads-world.ts'

const scene = smallScene()

describe('a batch', () => {
  test('answers 207 even when all succeed, with ids as text and whole objects only when preferred', async () => {
    const plain = await scene.ads.call('POST', '/sp/campaigns', media('spCampaign'), {
      campaigns: [campaignItem('Plain')],
    })
    expect(plain.status).toBe(207)
    expect(plain.headers.get('content-type')).toMatch(/^application\/json/)
    expect(plain.headers.get('x-amz-rid')).toBeTruthy()
    expect(plain.headers.get('x-amzn-requestid')).toBeTruthy()
    expect(plain.body.campaigns?.success).toEqual([{ index: 0, campaignId: expect.stringMatching(/^\d{17}$/) }])
    const whole = await scene.ads.call(
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

  test('creates the valid items and reports place and reason of each invalid one', async () => {
    const batch = await scene.ads.create('campaigns', 'campaigns', 'spCampaign', [
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

  test('takes names of up to 116 characters from a vendor', async () => {
    const { store } = scene.sandbox.world
    const seller = [...store.sellers.values()].find(one => one.type !== 'vendor')
    if (!seller) throw new Error('the scenario has no seller')
    const { type } = seller
    seller.type = 'vendor'
    const names = ['v'.repeat(117), 'v'.repeat(116)]
    const items = names.map(name => campaignItem(name))
    const batch = await scene.ads.create('campaigns', 'campaigns', 'spCampaign', items)
    seller.type = type
    expect(errorAt(batch, 0)).toMatchObject({ selector: 'malformedValueError', reason: 'TOO_LONG' })
    expect(batch.success).toHaveLength(1)
  })

  test('with a value outside its list fails whole, case counting, and makes nothing', async () => {
    const { status, body } = await scene.ads.call('POST', '/sp/campaigns', media('spCampaign'), {
      campaigns: [campaignItem('Never made'), campaignItem('Wrong case', { state: 'enabled' })],
    })
    expect(status).toBe(400)
    expect(body).toEqual({
      code: 'INVALID_ARGUMENT',
      message:
        "1 validation error detected: Value 'enabled' at 'state' failed to satisfy constraint: Member must satisfy enum value set: [ENABLED, PAUSED, PROPOSED]",
    })
    expect([...scene.sandbox.world.store.campaigns.values()].map(one => one.name)).not.toContain('Never made')
  })

  test('accepts at most 1000 items and only its own media type', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => campaignItem(`Many ${i}`))
    expect((await scene.ads.call('POST', '/sp/campaigns', media('spCampaign'), { campaigns: many })).status).toBe(400)
    for (const type of ['application/json', media('spAdGroup'), 'text/plain']) {
      const wrong = await scene.ads.call('POST', '/sp/campaigns', type, { campaigns: [] })
      expect(wrong).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
    }
  })
})

describe('campaigns', () => {
  test('begin no earlier than today in the profile’s time zone', async () => {
    // It is 18:30 UTC: still the 10th in Los Angeles, already the 11th in Tokyo.
    const batch = await scene.ads.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('Yesterday', { startDate: '2026-03-09' }),
      campaignItem('Today', { startDate: '2026-03-10' }),
      campaignItem('Backwards', { startDate: '2026-03-20', endDate: '2026-03-19' }),
      campaignItem('No day', { startDate: '2026-02-30' }),
    ])
    expect(batch.success).toHaveLength(1)
    expect(errorAt(batch, 0)).toMatchObject({ selector: 'dateError', reason: 'START_DATE_EARLIER_THAN_TODAY' })
    expect(errorAt(batch, 2)).toMatchObject({ reason: 'START_DATE_AFTER_END_DATE' })
    expect(errorAt(batch, 3)).toMatchObject({ reason: 'INVALID_DATE' })
    const japan = await adsClient(scene.sandbox, { profileId: '333', region: 'fe' })
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

  test('are archived only by delete, and then neither change nor take children', async () => {
    const campaignId = await scene.ads.campaign('Gone')
    const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
    const asState = await scene.ads.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [{ campaignId, state: 'ARCHIVED' }],
    })
    expect(asState.status).toBe(400)
    const gone = await scene.ads.call('POST', '/sp/campaigns/delete', media('spCampaign'), {
      campaignIdFilter: { include: [campaignId] },
    })
    expect(gone.body.campaigns?.success).toEqual([{ index: 0, campaignId }])
    const { body } = await scene.ads.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [
        { campaignId, name: 'Back' },
        { campaignId: '1', name: 'Nobody' },
      ],
    })
    expect(errorAt(body.campaigns, 0)).toMatchObject({ reason: 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED' })
    expect(errorAt(body.campaigns, 1)).toMatchObject({ reason: 'ENTITY_NOT_FOUND' })
    const group = await scene.ads.create('adGroups', 'adGroups', 'spAdGroup', [
      { campaignId, name: 'Late', state: 'ENABLED', defaultBid: 1 },
    ])
    expect(errorAt(group, 0)).toMatchObject({ selector: 'parentEntityError', reason: 'PARENT_ENTITY_ARCHIVED' })
    const child = await scene.ads.call('PUT', '/sp/adGroups', media('spAdGroup'), {
      adGroups: [{ adGroupId, state: 'PAUSED' }],
    })
    expect(errorAt(child.body.adGroups, 0)).toMatchObject({ reason: 'PARENT_ARCHIVED_FORBIDS_UPDATES' })
    // The name is free again.
    expect(await scene.ads.campaign('Gone')).toMatch(/^\d+$/)
  })
})

describe('a list', () => {
  test('pages by token, counts all, filters, and shows only the profile’s entities', async () => {
    const campaignId = await scene.ads.campaign('Paged')
    const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
    const words = Array.from({ length: 5 }, (_, i) => keywordItem(campaignId, adGroupId, `word ${i}`))
    await scene.ads.create('keywords', 'keywords', 'spKeyword', words)
    const filter = { campaignIdFilter: { include: [campaignId] } }
    const seen: string[] = []
    let nextToken: unknown
    do {
      const { body } = await scene.ads.call('POST', '/sp/keywords/list', media('spKeyword'), {
        ...filter,
        maxResults: 2,
        ...(nextToken ? { nextToken } : {}),
      })
      expect(body.totalResults).toBe(5)
      seen.push(...listOf(body.keywords).map(row => leafOf(row.keywordText)))
      nextToken = body.nextToken
    } while (nextToken)
    expect(seen).toEqual(['word 0', 'word 1', 'word 2', 'word 3', 'word 4'])
    const { body } = await scene.ads.call('POST', '/sp/campaigns/list', media('spCampaign'), {
      nameFilter: { queryTermMatchType: 'EXACT_MATCH', include: ['paged'] },
      stateFilter: { include: ['ENABLED'] },
      includeExtendedDataFields: true,
    })
    expect(body.campaigns).toMatchObject([{ campaignId, extendedData: { servingStatus: 'CAMPAIGN_STATUS_ENABLED' } }])
    const stranger = await adsClient(scene.sandbox, { email: 'other@sandbox.test', profileId: '222' })
    const theirs = await stranger.call('POST', '/sp/campaigns/list', media('spCampaign'), {})
    expect(theirs.body).toMatchObject({ campaigns: [], totalResults: 0 })
    const taken = await stranger.call('PUT', '/sp/campaigns', media('spCampaign'), {
      campaigns: [{ campaignId, name: 'Mine' }],
    })
    expect(errorAt(taken.body.campaigns, 0)).toMatchObject({ reason: 'ENTITY_NOT_FOUND' })
  })

  test('clamps a page of more than 500 silently and rejects an invalid token', async () => {
    const campaignId = await scene.ads.campaign('Long')
    const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
    const words = Array.from({ length: 501 }, (_, i) => keywordItem(campaignId, adGroupId, `long ${i}`))
    await scene.ads.create('keywords', 'keywords', 'spKeyword', words)
    const filter = { campaignIdFilter: { include: [campaignId] }, maxResults: 5000 }
    const { body } = await scene.ads.call('POST', '/sp/keywords/list', media('spKeyword'), filter)
    expect(body.keywords).toHaveLength(500)
    expect(body.nextToken).toBeTruthy()
    const wrong = await scene.ads.call('POST', '/sp/keywords/list', media('spKeyword'), { nextToken: 'nonsense' })
    expect(wrong.status).toBe(400)
  })
})
