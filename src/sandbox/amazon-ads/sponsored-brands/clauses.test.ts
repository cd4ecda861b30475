import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  type Json,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
let campaignId: string
const json = 'application/json'

async function made(resource: string, item: object, path = `${resource}s`): Promise<string> {
  const type = `application/vnd.sb${resource.toLowerCase()}resource.v4+json`
  const { body } = await ads.call('POST', `/sb/v4/${path}`, type, { [`${resource}s`]: [item] })
  return leafOf(listOf(body[`${resource}s`]?.success)[0]?.[`${resource}Id`])
}
const adGroup = (name: string): Promise<string> => made('adGroup', { campaignId, name, state: 'ENABLED' })

beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
  const brands = await ads.call('GET', '/brands', null)
  const brandEntityId = leafOf(listOf(brands.body)[0]?.brandEntityId)
  const budget = { budget: 100, budgetType: 'DAILY' }
  campaignId = await made('campaign', { name: 'Targeting', state: 'ENABLED', brandEntityId, ...budget })
})
afterAll(() => sandbox.close())

describe('Sponsored Brands keywords', () => {
  const create = async (adGroupId: string, ...items: object[]): Promise<Json[]> => {
    const word = { adGroupId, campaignId, keywordText: 'garlic press', matchType: 'broad', bid: 1 }
    const { status, headers, body } = await ads.call(
      'POST',
      '/sb/keywords',
      json,
      items.map(item => ({ ...word, ...item })),
    )
    expect(status).toBe(207)
    expect(headers.get('content-type')).toContain('application/vnd.sbkeywordresponse.v3+json')
    return listOf(body)
  }

  test('are made in bare lists, changed, got, listed and archived', async () => {
    const adGroupId = await adGroup('Words')
    const [first] = await create(adGroupId, {})
    expect(first).toEqual({ code: 'SUCCESS', keywordId: expect.stringMatching(/^\d{17}$/) })
    const keywordId = leafOf(first?.keywordId)
    const changed = await ads.call('PUT', '/sb/keywords', json, [
      { keywordId, adGroupId, campaignId, state: 'paused', bid: '2.50', keywordText: 'never' },
      { keywordId, state: 'paused' },
      { keywordId: '404', adGroupId, campaignId },
    ])
    expect(listOf(changed.body)[0]).toEqual({ code: 'SUCCESS', keywordId })
    expect(listOf(changed.body)[1]).toMatchObject({
      code: 'INVALID_ARGUMENT',
      errors: [{ KeywordError: { reason: 'MISSING_VALUE', location: '$[1].adGroupId' } }],
    })
    expect(listOf(changed.body)[2]).toMatchObject({ code: 'NOT_FOUND', keywordId: '404' })
    const one = await ads.call('GET', `/sb/keywords/${keywordId}`, null)
    const whole = { keywordId, adGroupId, campaignId, keywordText: 'garlic press', matchType: 'broad', bid: 2.5 }
    expect(one.body).toEqual({ ...whole, state: 'paused' })
    const listed = await ads.call('GET', `/sb/keywords?campaignIdFilter=${campaignId}&stateFilter=enabled,paused`, null)
    expect(listOf(listed.body)).toEqual([{ ...whole, state: 'paused' }])
    const gone = await ads.call('DELETE', `/sb/keywords/${keywordId}`, null)
    expect(gone).toMatchObject({ status: 200, body: { code: 'SUCCESS', keywordId } })
    expect(sandbox.world.store.brandKeywords.get(keywordId)?.state).toBe('ARCHIVED')
    expect((await ads.call('DELETE', '/sb/keywords/404', null)).status).toBe(404)
  })

  test('are rejected one by one, with reason and location', async () => {
    const adGroupId = await adGroup('Refused words')
    const rows = await create(
      adGroupId,
      {},
      { keywordText: 'Garlic  Press' },
      { matchType: 'exact', bid: 0.09 },
      { matchType: 'exact', bid: 49.01 },
      { matchType: 'exact', bid: undefined },
      { keywordText: 'one two three four five six seven eight nine ten eleven' },
      { adGroupId: '404' },
      { matchType: 'exact', bid: 49 },
    )
    expect(rows.map(row => leafOf(row.code))).toEqual([
      'SUCCESS',
      ...Array.from({ length: 5 }, () => 'INVALID_ARGUMENT'),
      'NOT_FOUND',
      'SUCCESS',
    ])
    const reasons = rows.map(row => listOf(row.errors ?? [])[0]?.KeywordError?.reason)
    expect(reasons.slice(1, 6)).toEqual(['DUPLICATE_VALUE', 'TOO_LOW', 'TOO_HIGH', 'MISSING_VALUE', 'TOO_LONG'])
    const many = Array.from({ length: 101 }, () => ({}))
    expect((await ads.call('POST', '/sb/keywords', json, many)).status).toBe(400)
    const upper = await ads.call('POST', '/sb/keywords', json, [{ adGroupId, campaignId, matchType: 'BROAD' }])
    expect(upper).toMatchObject({ status: 422, body: { code: 'UNPROCESSABLE_ENTITY' } })
    expect((await ads.call('POST', '/sb/keywords', json, { targets: [] })).status).toBe(422)
  })

  test('cost more in an ad group with a video than with pictures', async () => {
    const adGroupId = await adGroup('Film')
    const creative = { asins: ['B0TEST0001'], videoAssetIds: ['v1'] }
    await made('ad', { name: 'Film', state: 'ENABLED', adGroupId, creative }, 'ads/video')
    const rows = await create(adGroupId, { bid: 0.24 }, { bid: 0.25 })
    expect(rows.map(row => leafOf(row.code))).toEqual(['INVALID_ARGUMENT', 'SUCCESS'])
    const films = await ads.call('GET', `/sb/keywords?creativeType=video&campaignIdFilter=${campaignId}`, null)
    expect(listOf(films.body).map(row => leafOf(row.adGroupId))).toEqual([adGroupId])
  })
})

describe('Sponsored Brands negative keywords', () => {
  test('are created, changed, listed and archived with their own spellings', async () => {
    const adGroupId = await adGroup('Negative words')
    const word = { adGroupId, campaignId, keywordText: 'cheap', matchType: 'negativeExact' }
    const { status, body } = await ads.call('POST', '/sb/negativeKeywords', json, [
      word,
      word,
      { ...word, matchType: 'negativePhrase', keywordText: 'one two three four five' },
    ])
    expect(status).toBe(207)
    expect(listOf(body).map(row => leafOf(row.code))).toEqual(['SUCCESS', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'])
    const keywordId = leafOf(listOf(body)[0]?.keywordId)
    const listed = await ads.call('GET', `/sb/negativeKeywords?adGroupIdFilter=${adGroupId}`, null)
    expect(listOf(listed.body)).toEqual([{ ...word, keywordId, state: 'enabled' }])
    const archived = await ads.call('PUT', '/sb/negativeKeywords', json, [
      { keywordId, adGroupId, campaignId, state: 'archived' },
    ])
    expect(listOf(archived.body)[0]).toEqual({ code: 'SUCCESS', keywordId })
    const again = await ads.call('PUT', '/sb/negativeKeywords', json, [
      { keywordId, adGroupId, campaignId, state: 'enabled' },
    ])
    expect(listOf(again.body)[0]).toMatchObject({
      code: 'INVALID_ARGUMENT',
      errors: [{ KeywordError: { reason: 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED' } }],
    })
  })
})

describe('Sponsored Brands targets', () => {
  const category = { type: 'asinCategorySameAs', value: '289742' }

  test('come in an object, are answered 200 by how they went, listed by POST, and archived', async () => {
    const adGroupId = await adGroup('Targets')
    const target = { adGroupId, campaignId, bid: 1, expressions: [category] }
    const { status, headers, body } = await ads.call(
      'POST',
      '/sb/targets',
      json,
      {
        targets: [
          { ...target, expressions: [category, { type: 'asinReviewRatingBetween', value: '3-4.5' }] },
          { ...target, expressions: [{ type: 'asinSameAs', value: 'no asin' }] },
          { ...target, bid: 0.01 },
        ],
      },
      { prefer: 'return=representation' },
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/vnd.sbcreatetargetsresponse.v3+json')
    const [first] = listOf(body.createTargetSuccessResults)
    const targetId = leafOf(first?.targetId)
    expect(first).toMatchObject({
      targetRequestIndex: 0,
      target: {
        state: 'enabled',
        expressions: [category, { type: 'asinReviewRatingBetween', value: '3-4.5' }],
        resolvedExpressions: [{ type: 'asinCategorySameAs', value: 'Garlic Presses' }, {}],
      },
    })
    expect(listOf(body.createTargetErrorResults)).toMatchObject([
      { targetRequestIndex: 1, code: 'INVALID_ARGUMENT', details: expect.stringContaining('TARGETING_EXPRESSION') },
      { targetRequestIndex: 2, code: 'INVALID_ARGUMENT', details: expect.stringContaining('TOO_LOW') },
    ])
    const changed = await ads.call('PUT', '/sb/targets', json, {
      targets: [{ targetId, adGroupId, campaignId, bid: 3, state: 'paused' }],
    })
    expect(changed.body).toEqual({
      updateTargetSuccessResults: [{ targetRequestIndex: 0, targetId }],
      updateTargetErrorResults: [],
    })
    const listed = await ads.call('POST', '/sb/targets/list', json, {
      filters: [
        { filterType: 'TARGETING_STATE', values: ['paused'] },
        { filterType: 'AD_GROUP_ID', values: [adGroupId] },
      ],
    })
    expect(listOf(listed.body.targets)).toMatchObject([{ targetId, bid: 3, state: 'paused' }])
    expect((await ads.call('GET', `/sb/targets/${targetId}`, null)).body).toMatchObject({ targetId, bid: 3 })
    expect((await ads.call('DELETE', `/sb/targets/${targetId}`, null)).body).toEqual({ code: 'SUCCESS', targetId })
    expect((await ads.call('POST', '/sb/targets', json, [target])).status).toBe(422)
    const unknown = { filters: [{ filterType: 'NAME', values: [] }] }
    expect((await ads.call('POST', '/sb/targets/list', json, unknown)).status).toBe(400)
  })

  test('do not share an ad group with keywords', async () => {
    const adGroupId = await adGroup('Mixed')
    const word = { adGroupId, campaignId, keywordText: 'press', matchType: 'exact', bid: 1 }
    await ads.call('POST', '/sb/keywords', json, [word])
    const { body } = await ads.call('POST', '/sb/targets', json, {
      targets: [{ adGroupId, campaignId, bid: 1, expressions: [category] }],
    })
    expect(listOf(body.createTargetErrorResults)[0]?.details).toContain('TYPE_CONFLICT_IN_AD_GROUP')
  })

  test('of the negative kind are products and brands, and page by token', async () => {
    const adGroupId = await adGroup('Negative targets')
    const product = (value: string) => ({ adGroupId, campaignId, expressions: [{ type: 'asinSameAs', value }] })
    const { body } = await ads.call('POST', '/sb/negativeTargets', json, {
      negativeTargets: [product('B0RIVAL001'), product('B0RIVAL002'), product('B0RIVAL001')],
    })
    expect(body.createTargetSuccessResults).toHaveLength(2)
    expect(listOf(body.createTargetErrorResults)[0]).toMatchObject({ targetRequestIndex: 2 })
    const filters = [{ filterType: 'AD_GROUP_ID', values: [adGroupId] }]
    const page = await ads.call('POST', '/sb/negativeTargets/list', json, { filters, maxResults: 1 })
    expect(page.body.negativeTargets).toHaveLength(1)
    const next = await ads.call('POST', '/sb/negativeTargets/list', json, {
      filters,
      maxResults: 1,
      nextToken: page.body.nextToken,
    })
    expect(listOf(next.body.negativeTargets)).toMatchObject([{ expressions: [{ value: 'B0RIVAL002' }] }])
    expect(next.body.nextToken).toBeUndefined()
    const targetId = leafOf(listOf(body.createTargetSuccessResults)[0]?.targetId)
    const changed = await ads.call('PUT', '/sb/negativeTargets', json, {
      negativeTargets: [{ targetId, adGroupId, state: 'archived' }],
    })
    expect(changed.body.updateTargetErrorResults).toEqual([])
    expect(sandbox.world.store.brandNegativeTargets.get(targetId)?.state).toBe('ARCHIVED')
  })
})
