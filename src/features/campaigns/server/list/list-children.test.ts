import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  addTestAccount,
  addTestCampaign,
  testCaller,
  testRange as range,
} from '../../../../../tests/support/campaign-account.ts'
import { listScene } from '../../../../../tests/support/list-scene.ts'
import { sumFigures } from '../../../../../tests/support/sum-figures.ts'
import { markNewlyShown } from '#features/structure/server/import/mark-shown.job.ts'
import { campaignListEndpoints as lists } from '../../contract.ts'
import { pageLimits } from '../sql/listing.ts'

const { scene, ask } = listScene()

test('what hangs on a campaign is listed with its own figures, and every column sorts', async () => {
  const campaignId = String(scene.ids.wins.campaignId)
  const adGroupId = String(scene.ids.wins.adGroupId)
  expect(await ask('adGroups', { ...range, campaignId })).toMatchObject({
    content: [{ name: 'Alpha wins group', campaignName: 'Alpha wins', defaultBid: 0.5, cost: 40 }],
    totals: { cost: 40 },
  })
  expect(await ask('ads', { ...range, adGroupId, name: 'sku-1' })).toMatchObject({
    content: [{ asin: 'B0TEST0001', cost: 40 }],
  })
  expect(await ask('keywords', { ...range, adGroupId, keywordText: 'ALPHA', matchType: 'EXACT' })).toMatchObject({
    content: [{ text: 'Alpha wins keyword', bid: 0.7, kind: 'KEYWORD', cost: 40 }],
  })
  expect(await ask('keywords', { ...range, adGroupId, matchType: 'BROAD' })).toMatchObject({ content: [] })
  expect(await ask('targets', { ...range, adGroupId })).toMatchObject({ content: [], totals: { cost: 0 } })
  for (const what of ['adGroups', 'ads', 'keywords', 'targets'] as const)
    for (const sortBy of lists[what].query.entries.sortBy.wrapped.options)
      expect((await ask(what, { ...range, sortBy })).page.number, `${what} by ${sortBy}`).toBe(0)
})

test('what is in an archived campaign or ad group is archived, whatever its own state', async () => {
  const own = await addTestAccount(scene.services)
  const caller = await testCaller(scene.services, own)
  const runs = await addTestCampaign(scene.services, own, { name: 'runs' })
  await addTestCampaign(scene.services, own, { name: 'ended', state: 'ARCHIVED' })
  const named = async (what: 'adGroups' | 'ads' | 'keywords', state: string) => {
    const { content, page } = await ask(what, { ...range, state, sortBy: 'id', sortDir: 'asc' }, caller)
    expect(page.totalElements).toBe(content.length)
    return content.map(row => row.campaignId === runs.campaignId)
  }
  for (const what of ['adGroups', 'ads', 'keywords'] as const) {
    expect(await named(what, 'ENABLED')).toEqual([true])
    expect(await named(what, 'ARCHIVED')).toEqual([false])
    expect(await named(what, 'PAUSED')).toEqual([])
  }
  await scene.services.db.tenant(own.merchantId, tx =>
    sql`update ad_group set state = 'ARCHIVED' where merchant_id = ${own.merchantId} and id = ${runs.adGroupId}`.execute(
      tx,
    ),
  )
  expect([await named('ads', 'ENABLED'), await named('keywords', 'ENABLED')]).toEqual([[], []])
  expect(await named('keywords', 'ARCHIVED')).toEqual([true, false])
})

test('targets are counted as they are listed, wherever they or what they are in was archived or paused', async () => {
  const own = await addTestAccount(scene.services)
  const caller = await testCaller(scene.services, own)
  const { merchantId, profileId } = own
  const states = ['ENABLED', 'PAUSED', 'ARCHIVED']
  for (const state of states) {
    const { campaignId } = await addTestCampaign(scene.services, own, { name: `in ${state}`, state })
    // Besides its first, an ad group and in it a keyword and a product of each state.
    await sql`with g as (
        insert into ad_group (merchant_id, profile_id, campaign_id, amazon_id, name, state, default_bid_micros)
        select ${merchantId}, ${profileId}, ${campaignId}, ${`g${campaignId}`} || s, s, s, 500000 from unnest(${states}::text[]) s
        returning id, state)
      insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state, bid_micros)
      select ${merchantId}, ${profileId}, ${campaignId}, g.id, concat(${`t${campaignId}`}::text, g.state, s, kind), kind, s,
        case kind when 'KEYWORD' then 'EXACT' end, s, 700000
      from g, unnest(${states}::text[]) s, unnest(array['KEYWORD', 'PRODUCT']) kind`.execute(scene.services.db.system)
  }
  const counts = async () => {
    const found = []
    for (const what of ['keywords', 'targets'] as const)
      for (const state of states)
        for (const sortBy of ['id', 'cost']) {
          const { content, page } = await ask(what, { ...range, state, sortBy, size: '50' }, caller)
          expect(page.totalElements, `${what} ${state} by ${sortBy}`).toBe(content.length)
          found.push(page.totalElements)
        }
    return found
  }
  // In an ad group that is not archived, of a campaign that is not: two times two of each state, and the first keywords.
  expect(await counts()).toEqual([6, 6, 4, 4, 20, 20, 4, 4, 4, 4, 19, 19])
  await scene.services.db.tenant(merchantId, tx =>
    sql`update campaign set state = 'ENABLED' where merchant_id = ${merchantId}`.execute(tx),
  )
  expect(await counts()).toEqual([9, 9, 6, 6, 15, 15, 6, 6, 6, 6, 15, 15])
  await scene.services.db.tenant(merchantId, tx =>
    sql`update ad_group set state = 'ENABLED' where merchant_id = ${merchantId}`.execute(tx),
  )
  expect(await counts()).toEqual([12, 12, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9])
})

test('negatives of a campaign and of its ad groups are listed separately', async () => {
  const { merchantId, profileId } = scene.account
  const { campaignId, adGroupId } = scene.ids.wins
  await sql`insert into negative (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state) values
    (${merchantId}, ${profileId}, ${campaignId}, null, '91', 'KEYWORD', 'free', 'NEGATIVE_PHRASE', 'ENABLED'),
    (${merchantId}, ${profileId}, ${campaignId}, ${adGroupId}, '92', 'KEYWORD', 'cheap', 'NEGATIVE_EXACT', 'ENABLED')`.execute(
    scene.services.db.system,
  )
  const all = await ask('negatives', { campaignId: String(campaignId) })
  expect(all.content.map(row => [row.text, row.adGroupId])).toEqual([
    ['cheap', adGroupId],
    ['free', null],
  ])
  expect((await ask('negatives', { adGroupId: String(adGroupId), sortBy: 'matchType' })).page.totalElements).toBe(1)
})

test('charts have every day of the range and sum to the totals of the list', async () => {
  for (const [list, chart] of [
    ['campaigns', 'campaignChart'],
    ['adGroups', 'adGroupChart'],
  ] as const) {
    const { points } = await ask(chart, { ...range, name: 'a' })
    expect(points).toHaveLength(30)
    expect((await ask(list, { ...range, name: 'a' })).totals).toMatchObject(sumFigures(points))
  }
  const one = await ask('oneAdGroupChart', range, scene.ctx, { id: String(scene.ids.wins.adGroupId) })
  expect(one.points.filter(point => point.cost > 0).map(point => [point.date, point.cost])).toEqual([
    ['2026-03-10', 20],
    ['2026-03-11', 20],
  ])
})

test.each([
  { state: 'ENABLED' },
  { state: 'PAUSED' },
  { state: 'PROPOSED' },
  { name: 'wins' },
  { name: 'silent' },
  { name: 'a', figures: 'acos>40' },
  { figures: 'impressions<=0' },
])('charts of few, most and no rows sum to the totals of the list, in one month and in two: %o', async query => {
  const months = { dateFrom: '2026-02-20', dateTo: '2026-03-20' }
  for (const days of [range, months])
    for (const [list, chart] of [
      ['campaigns', 'campaignChart'],
      ['adGroups', 'adGroupChart'],
    ] as const) {
      const { points } = await ask(chart, { ...days, ...query })
      const { content, totals } = await ask(list, { ...days, ...query })
      expect(totals).toMatchObject(sumFigures(points))
      expect(totals).toMatchObject(sumFigures(content))
    }
})

test.each(['acos', 'cost', 'text', 'bid', 'id'])(
  'keywords by %s are the same however many of them match',
  async sortBy => {
    const pages = async () => {
      const found = []
      for (const query of [
        { state: 'ENABLED' },
        { keywordText: 'S' },
        { keywordText: 'silent', figures: 'clicks<=0' },
        { state: 'ENABLED', figures: 'clicks>0' },
      ])
        for (const sortDir of ['asc', 'desc'])
          for (const page of ['0', '1']) {
            const {
              content,
              totals,
              page: about,
            } = await ask('keywords', { ...range, ...query, sortBy, sortDir, page, size: '2' })
            found.push({ rows: content.map(row => row.text), totals, count: about.totalElements })
          }
      return found
    }
    const expected = await pages()
    expect(expected.map(({ count }) => count)).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 3, 3, 3, 3])
    const usual = { ...pageLimits }
    Object.assign(pageLimits, { read: 0, sorted: 0, whole: 0 })
    expect(await pages().finally(() => Object.assign(pageLimits, usual))).toEqual(expected)
  },
)

test('a campaign is found by our id and by the marketplace’s; archived ones are not offered to pick', async () => {
  const byOurs = await ask('get', {}, scene.ctx, { id: String(scene.ids.wins.campaignId) })
  expect(await ask('get', {}, scene.ctx, { id: scene.ids.wins.amazonId })).toEqual(byOurs)
  expect(byOurs.placements).toEqual([{ placement: 'TOP_OF_SEARCH', percentage: 30 }])
  await expect(ask('get', {}, scene.ctx, { id: '99999999999999999999' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await ask('pick')).map(row => row.name)).toEqual(['Alpha wins', 'beta burns', 'delta silent', 'Gamma poor'])
})

test('lists and charts are the same once the rows that were shown are marked, except those that somebody edits', async () => {
  const { db } = scene.services
  const { merchantId } = scene.account
  const screens = async () => {
    const found = []
    for (const query of [{}, { state: 'ENABLED' }, { state: 'ENABLED', figures: 'acos>40' }, { serving: 'UNKNOWN' }])
      for (const what of ['campaigns', 'adGroups', 'ads', 'keywords', 'campaignChart', 'adGroupChart'] as const)
        found.push(await ask(what, { ...range, ...query }))
    return found
  }
  const shown = async () => {
    const { rows } = await sql<{ named: number; marked: number }>`select
      (select count(*)::int from newly_shown where merchant_id = ${merchantId} and entity = 'target') as named,
      (select count(*)::int from target where merchant_id = ${merchantId} and is_shown) as marked`.execute(db.system)
    return rows[0]
  }
  const mark = () => markNewlyShown(db, new AbortController().signal)
  const expected = await screens()
  expect(await shown()).toEqual({ named: 3, marked: 0 })
  // An embedded database has one transaction at a time.
  if (db.kind === 'server') {
    const { campaignId } = scene.ids.wins
    await db.tenant(merchantId, async tx => {
      await sql`select from target where merchant_id = ${merchantId} and campaign_id = ${campaignId} for update`.execute(
        tx,
      )
      await mark()
    })
    expect(await shown()).toEqual({ named: 1, marked: 2 })
    expect(await screens()).toEqual(expected)
  }
  await mark()
  expect(await shown()).toEqual({ named: 0, marked: 3 })
  expect(await screens()).toEqual(expected)
})
