import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  campaignItem,
  type Json,
  leafOf,
  listOf,
  START,
  startSmallSandbox,
} from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
let folder: string
const ids: Record<string, string> = {}

const put = (resource: string, type: string, item: object) =>
  ads.call('PUT', `/sp/${resource}`, `application/vnd.${type}.v3+json`, { [resource]: [item] })
const made = async (resource: string, type: string, item: object, id: string): Promise<string> =>
  leafOf(listOf((await ads.create(resource, resource, type, [item])).success)[0]?.[id])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-history-'))
  sandbox = await startSmallSandbox(folder)
  ads = await adsClient(sandbox)
  const { clock } = sandbox.world
  ids.campaign = await made(
    'campaigns',
    'spCampaign',
    campaignItem('One', { budget: { budget: 3, budgetType: 'DAILY' } }),
    'campaignId',
  )
  const { campaign: campaignId } = ids
  ids.group = await made(
    'adGroups',
    'spAdGroup',
    { campaignId, name: 'Group', state: 'ENABLED', defaultBid: 1 },
    'adGroupId',
  )
  const place = { campaignId, adGroupId: ids.group, state: 'ENABLED' }
  await ads.create('productAds', 'productAds', 'spProductAd', [{ ...place, sku: 'SKU-1' }])
  const word = { ...place, keywordText: 'garlic press', matchType: 'BROAD', bid: 2 }
  ids.keyword = await made('keywords', 'spKeyword', word, 'keywordId')
  clock.advance(60_000)
  await put('campaigns', 'spCampaign', { campaignId, name: 'Renamed', budget: { budget: 4, budgetType: 'DAILY' } })
  clock.advance(60_000)
  await put('keywords', 'spKeyword', { keywordId: ids.keyword, bid: 3 })
  clock.advance(60_000)
  await put('adGroups', 'spAdGroup', { adGroupId: ids.group, defaultBid: 1.5 })
  // Behind the interface's back, as a person in the marketplace's own console.
  await sandbox.control('POST', 'console', { entity: 'keyword', id: ids.keyword, action: 'pause' })
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

function ask(eventTypes: object, more: object = {}, headers = {}) {
  return ads.call(
    'POST',
    '/history',
    'application/json',
    { fromDate: START.getTime() - 1000, toDate: START.getTime() + 86_400_000, eventTypes, ...more },
    headers,
  )
}
function changesIn(body: Json): string[] {
  return listOf(body.events).map(event =>
    [event.entityType, event.changeType, event.previousValue, event.newValue].map(leafOf).join(' '),
  )
}
const everything = {
  CAMPAIGN: { parents: [{ useProfileIdAdvertiser: true }] },
  AD_GROUP: {},
  AD: {},
  KEYWORD: {},
  PRODUCT_TARGETING: {},
  NEGATIVE_KEYWORD: {},
}

describe('the change history', () => {
  test('reports every change of every entity with the values before and after, newest first', async () => {
    const { status, body } = await ask(everything)
    expect(status).toBe(200)
    expect(changesIn(body)).toEqual([
      'KEYWORD STATUS ENABLED PAUSED',
      'AD_GROUP DEFAULT_BID_AMOUNT 1 1.5',
      'KEYWORD BID_AMOUNT 2 3',
      'CAMPAIGN BUDGET_AMOUNT 3 4',
      'CAMPAIGN NAME One Renamed',
      'KEYWORD STATUS  CREATED',
      'AD STATUS  CREATED',
      'AD_GROUP STATUS  CREATED',
      'CAMPAIGN STATUS  CREATED',
    ])
    expect(listOf(body.events)[2]).toEqual({
      entityType: 'KEYWORD',
      entityId: ids.keyword,
      changeType: 'BID_AMOUNT',
      previousValue: '2',
      newValue: '3',
      timestamp: START.getTime() + 120_000,
      metadata: {
        campaignId: ids.campaign,
        adGroupId: ids.group,
        keyword: 'garlic press',
        keywordType: 'KEYWORD_BROAD',
      },
    })
  })

  test('can be queried by type, filter, parent and id, in either order', async () => {
    const only = async (eventTypes: object, more = {}) => changesIn((await ask(eventTypes, more)).body)
    expect(await only({ KEYWORD: { filters: ['BID_AMOUNT'] } })).toEqual(['KEYWORD BID_AMOUNT 2 3'])
    expect(await only({ AD_GROUP: { filters: ['BID_AMOUNT'] } })).toEqual(['AD_GROUP DEFAULT_BID_AMOUNT 1 1.5'])
    expect(await only({ KEYWORD: { eventTypeIds: ['1'] } })).toEqual([])
    expect(await only({ CAMPAIGN: { parents: [{ campaignId: 'another' }] } })).toEqual([])
    expect(await only({ CAMPAIGN: {} }, { sort: { key: 'DATE', direction: 'ASC' } })).toEqual([
      'CAMPAIGN STATUS  CREATED',
      'CAMPAIGN NAME One Renamed',
      'CAMPAIGN BUDGET_AMOUNT 3 4',
    ])
  })

  test('comes in pages, by token or by number', async () => {
    const many = Array.from({ length: 60 }, (_, i) => campaignItem(`Campaign ${i}`))
    await ads.create('campaigns', 'campaigns', 'spCampaign', many)
    const first = await ask({ CAMPAIGN: {} }, { count: 50 })
    expect(listOf(first.body.events)).toHaveLength(50)
    const second = await ask({ CAMPAIGN: {} }, { count: 50, nextToken: first.body.nextToken })
    expect(listOf(second.body.events)).toHaveLength(13)
    expect(second.body.nextToken).toBeUndefined()
    const numbered = await ask({ CAMPAIGN: {} }, { count: 50, pageOffset: 1 })
    expect(numbered.body).toEqual({ events: second.body.events, totalResults: 63 })
  })

  test.each([
    ['a type it does not know', { BUDGET: {} }, {}, 'BUDGET is not supported'],
    ['themes before version 1.1', { THEME: {} }, {}, 'Key in HistoryEventTypes: THEME is not supported.'],
    ['no type', {}, {}, 'at least one type'],
    ['an unknown filter', { CAMPAIGN: { filters: ['COLOUR'] } }, {}, 'COLOUR is not supported'],
    ['a page too small', { CAMPAIGN: {} }, { count: 10 }, 'from 50 to 200'],
    ['days too old', { CAMPAIGN: {} }, { fromDate: START.getTime() - 91 * 86_400_000 }, 'within 90 days'],
    ['a parent that is nothing', { KEYWORD: { parents: [null] } }, {}, 'must be a list of objects'],
    ['an id that is no text', { KEYWORD: { eventTypeIds: [1] } }, {}, 'must be a list of strings'],
  ])('refuses %s', async (_, eventTypes, more, details) => {
    const { status, body } = await ask(eventTypes, more)
    expect(status).toBe(400)
    expect(body).toEqual({ code: '400', details: expect.stringContaining(details) })
  })

  test('has no theme, but accepts the type from version 1.1 on', async () => {
    const { status, body } = await ask({ THEME: {} }, {}, { accept: 'application/vnd.historyresponse.v1.1+json' })
    expect([status, body.events]).toEqual([200, []])
  })

  test('is whole after a kill', async () => {
    const events = (await ask(everything, { count: 200 })).body.events
    // The first is never closed: what the second finds is what a killed process leaves behind.
    const second = await startSmallSandbox(folder)
    const before = ads
    second.world.clock.set(sandbox.world.clock.now())
    ads = await adsClient(second)
    expect((await ask(everything, { count: 200 })).body.events).toEqual(events)
    await second.close()
    ads = before
  })

  test('reports when a campaign ran out of budget and when it had budget again', async () => {
    await put('keywords', 'spKeyword', { keywordId: ids.keyword, bid: 3, state: 'ENABLED' })
    sandbox.world.clock.advance(5 * 86_400_000)
    ads = await adsClient(sandbox)
    const { body } = await ask(
      { CAMPAIGN: { filters: ['IN_BUDGET'] } },
      { toDate: sandbox.world.clock.now().getTime(), sort: { key: 'DATE', direction: 'ASC' } },
    )
    const changes = changesIn(body)
    expect(changes[0]).toBe('CAMPAIGN IN_BUDGET true false')
    expect(changes.length).toBeGreaterThan(2)
    for (const [i, change] of changes.entries())
      expect(change).toBe(`CAMPAIGN IN_BUDGET ${i % 2 === 0 ? 'true false' : 'false true'}`)
  })
})
