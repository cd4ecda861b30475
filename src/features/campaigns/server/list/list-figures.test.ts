import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx, Services } from '#server/context.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { sumFigures } from '../../../../../tests/support/sum-figures.ts'
import { structureEndpoints } from '#features/structure/contract.ts'
import { structureRoutes } from '#features/structure/server/routes.ts'
import { campaignListEndpoints as lists } from '../../contract.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
  testRange,
} from '../../../../../tests/support/campaign-account.ts'
import { campaignsRoutes } from '../routes.ts'
import { pageLimits } from '../sql/listing.ts'

let services: Services & { close(): Promise<void> }
let account: TestAccount
let ctx: Ctx
let ids: Record<string, Awaited<ReturnType<typeof addTestCampaign>>>

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  const days = ['2026-03-10', '2026-03-11']
  ids = {
    wins: await addTestCampaign(services, account, {
      name: 'Alpha wins',
      days,
      day: [1000, 50, 20, 100, 5],
      budget: 30,
    }),
    burns: await addTestCampaign(services, account, { name: 'beta burns', days, day: [900, 40, 15, 0, 0], budget: 20 }),
    poor: await addTestCampaign(services, account, {
      name: 'Gamma poor',
      days,
      day: [800, 10, 30, 40, 1],
      state: 'PAUSED',
    }),
    silent: await addTestCampaign(services, account, { name: 'delta silent' }),
    tied: await addTestCampaign(services, account, { name: 'epsilon silent too', state: 'ARCHIVED' }),
  }
  ctx = await testCaller(services, account)
})
afterAll(() => services.close())

type Lists = typeof lists & typeof structureEndpoints

/** Calls as the server does: the query as text, the answer held to its own schema. */
async function ask<K extends keyof Lists>(
  what: K,
  query: Record<string, string> = {},
  caller: Ctx = ctx,
  params: Record<string, string> = {},
): Promise<v.InferOutput<Lists[K]['response']>> {
  const endpoint = { ...lists, ...structureEndpoints }[what]
  const input = parseInput(endpoint, { params, query, body: undefined })
  const found = [...campaignsRoutes, ...structureRoutes].find(route => route.endpoint === endpoint)
  const answer = await found?.handler(caller as never, input as never)
  return v.parse(endpoint.response, answer) as v.InferOutput<Lists[K]['response']>
}
const range = testRange
const names = async (query: Record<string, string>) =>
  (await ask('campaigns', { ...range, ...query })).content.map(row => row.name)

test('campaigns can be narrowed to those that advertise a product, alone or among others', async () => {
  const { system } = services.db
  const idsOf = async (asin: string) => (await ask('campaigns', { asin, state: 'ALL' })).content.map(row => row.id)
  const ad = (campaign: string) => system.updateTable('product_ad').where('id', '=', ids[campaign]?.adId ?? 0)
  await ad('burns').set({ asin: 'B0OTHER001' }).execute()
  await ad('silent')
    .set({ asin: null, asins: JSON.stringify(['B0OTHER002', 'B0OTHER001']) })
    .execute()
  expect(new Set(await idsOf('B0OTHER001'))).toEqual(new Set([ids.burns?.campaignId, ids.silent?.campaignId]))
  expect(await idsOf('B0NOBODYS1')).toEqual([])
  for (const name of ['burns', 'silent']) await ad(name).set({ asin: 'B0TEST0001', asins: null }).execute()
})

describe('the list of campaigns', () => {
  test('shows figures and ratios of the days asked for, in the account’s currency', async () => {
    const { content, currency } = await ask('campaigns', { ...range, name: 'ALPHA' })
    expect(currency).toBe('USD')
    expect(content).toMatchObject([
      {
        name: 'Alpha wins',
        budget: 30,
        impressions: 2000,
        clicks: 100,
        cost: 40,
        sales: 200,
        orders: 10,
        ctr: 5,
        cpc: 0.4,
        cvr: 10,
        acos: 20,
        roas: 5,
      },
    ])
    const oneDay = await ask('campaigns', { dateFrom: '2026-03-11', dateTo: '2026-03-11', name: 'alpha' })
    expect(oneDay.content).toMatchObject([{ cost: 20 }])
  })

  test('has totals that are the sums of all rows that match, whichever page is shown', async () => {
    const all = await ask('campaigns', { ...range, size: '200' })
    expect(all.page).toEqual({ number: 0, size: 200, totalElements: 5, totalPages: 1 })
    expect(all.totals).toMatchObject(sumFigures(all.content))
    expect(all.totals).toMatchObject({ cost: 130, sales: 280, acos: (130 / 280) * 100 })
    const second = await ask('campaigns', { ...range, size: '2', page: '1' })
    expect(second.totals).toEqual(all.totals)
    expect(second.page).toMatchObject({ totalElements: 5, totalPages: 3 })
    const beyond = await ask('campaigns', { ...range, size: '2', page: '9' })
    expect(beyond.content).toEqual([])
    expect(beyond.totals).toEqual(all.totals)
  })

  test('sorts money spent without sales as the worst ACOS, and what is not known last either way', async () => {
    expect(await names({ sortBy: 'acos', sortDir: 'desc' })).toEqual([
      'beta burns',
      'Gamma poor',
      'Alpha wins',
      'delta silent',
      'epsilon silent too',
    ])
    expect(await names({ sortBy: 'acos', sortDir: 'asc' })).toEqual([
      'Alpha wins',
      'Gamma poor',
      'beta burns',
      'delta silent',
      'epsilon silent too',
    ])
  })

  test('sorts by every column of the row, equal ones by id', async () => {
    for (const sortBy of lists.campaigns.query.entries.sortBy.wrapped.options)
      expect(await names({ sortBy, sortDir: 'asc' }), sortBy).toHaveLength(5)
    expect(await names({ sortBy: 'name', sortDir: 'asc' })).toEqual([
      'Alpha wins',
      'beta burns',
      'delta silent',
      'epsilon silent too',
      'Gamma poor',
    ])
    const tied = await names({ sortBy: 'cost', sortDir: 'asc' })
    expect(tied.slice(0, 2)).toEqual(['delta silent', 'epsilon silent too'])
  })

  test('pages meet every row once', async () => {
    const pages = await Promise.all(['0', '1', '2'].map(page => names({ sortBy: 'state', size: '2', page })))
    expect(pages.flat().toSorted()).toEqual((await names({})).toSorted())
  })

  test.each(['cost', 'acos', 'orders', 'name', 'budget'])(
    'pages by %s join to the whole list, silent rows too',
    async sortBy => {
      for (const sortDir of ['asc', 'desc'])
        for (const figures of [undefined, 'clicks<=20']) {
          const query = { sortBy, sortDir, ...(figures && { figures }) }
          const pages = await Promise.all(['0', '1', '2'].map(page => names({ ...query, size: '2', page })))
          expect(pages.flat(), `${sortDir} ${figures}`).toEqual(await names({ ...query, size: '200' }))
        }
    },
  )

  test('filters by state, and by name whatever the letters’ case or signs', async () => {
    expect(await names({ state: 'PAUSED' })).toEqual(['Gamma poor'])
    expect(await names({ state: 'ARCHIVED' })).toEqual(['epsilon silent too'])
    expect(await names({ name: 'SILENT', sortBy: 'name', sortDir: 'asc' })).toEqual([
      'delta silent',
      'epsilon silent too',
    ])
    expect(await names({ name: '%' })).toEqual([])
    expect(await names({ adType: 'SPONSORED_BRANDS' })).toEqual([])
  })

  test('a search in the order of a field has the rows, totals and pages of one in the order of a figure', async () => {
    const found = (query: Record<string, string>) => ask('campaigns', { ...range, name: 'A', ...query })
    const byFigure = await found({ sortBy: 'cost' })
    expect(byFigure.page.totalElements).toBe(4)
    const byField = await found({ sortBy: 'name', sortDir: 'asc' })
    expect(byField.content.map(row => row.name)).toEqual(['Alpha wins', 'beta burns', 'delta silent', 'Gamma poor'])
    expect(byField.totals).toEqual(byFigure.totals)
    const second = await found({ sortBy: 'name', sortDir: 'asc', page: '1', size: '3' })
    expect(second.content.map(row => row.name)).toEqual(['Gamma poor'])
    expect(second.page.totalElements).toBe(4)
  })

  test('what matches is counted again after every write, and for each account apart', async () => {
    const count = async (caller?: Ctx) =>
      (await ask('keywords', { ...range, state: 'PAUSED' }, caller)).page.totalElements
    const setState = (state: string) =>
      services.db.tenant(account.merchantId, tx =>
        sql`update target set state = ${state} where merchant_id = ${account.merchantId} and id = ${ids.wins?.keywordId}`.execute(
          tx,
        ),
      )
    expect([await count(), await count()]).toEqual([0, 0])
    await setState('PAUSED')
    expect([await count(), await count()]).toEqual([1, 1])
    const stranger = await testCaller(services, await addTestAccount(services))
    expect(await count(stranger)).toBe(0)
    expect(await count()).toBe(1)
    await setState('ENABLED')
    expect(await count()).toBe(0)
  })

  test.each([
    ['acos>40', ['beta burns', 'Gamma poor']],
    ['acos>=75,sales>0', ['Gamma poor']],
    ['acos<=20', ['Alpha wins']],
    ['cost>=30,cost<40', ['beta burns']],
    ['clicks>=20,orders<=0', ['beta burns']],
    ['ctr>4.9', ['Alpha wins']],
    ['cpc>2.9', ['Gamma poor']],
    ['impressions<=0', ['delta silent', 'epsilon silent too']],
  ])('filters by figures: %s', async (figures, expected) => {
    const query = { ...range, figures, sortBy: 'name', sortDir: 'asc' }
    const found = await ask('campaigns', query)
    expect(found.content.map(row => row.name)).toEqual(expected)
    expect(found.page.totalElements).toBe(expected.length)
    expect(found.totals).toMatchObject(sumFigures(found.content))
    const { points } = await ask('campaignChart', { ...range, figures })
    expect(sumFigures(points)).toMatchObject(sumFigures(found.content))
    const keywords = await ask('keywords', { ...range, figures })
    expect(keywords.content.map(row => row.text).toSorted()).toEqual(expected.map(name => `${name} keyword`).toSorted())
  })

  test.each(['acos', 'acos=40', 'acos>-1', 'acos>40,', 'profit>1', 'acos>1e9', Array(7).fill('clicks>1').join()])(
    'a figure filter that is none gets its sentence: %s',
    async figures => {
      await expect(ask('campaigns', { ...range, figures })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: ['Figures must be up to 6 conditions like acos>40,orders<=0'],
      })
    },
  )

  test('filters by why ads are not shown, targeting, portfolio and launch', async () => {
    const set = (name: string, values: ReturnType<typeof sql>) =>
      sql`update campaign set ${values} where merchant_id = ${account.merchantId} and name = ${name}`.execute(
        services.db.system,
      )
    const now = ctx.clock.now()
    await set(
      'Alpha wins',
      sql`serving_status = 'CAMPAIGN_STATUS_ENABLED', portfolio_amazon_id = '77', launched_at = ${now}`,
    )
    await set('beta burns', sql`serving_status = 'CAMPAIGN_OUT_OF_BUDGET', targeting_type = 'AUTO'`)
    await set('Gamma poor', sql`serving_status = 'CAMPAIGN_PAUSED'`)
    await set(
      'delta silent',
      sql`serving_status = 'CAMPAIGN_ON_HOLIDAY', launched_at = ${now}::timestamptz - interval '4 days'`,
    )
    const shown = async (query: Record<string, string>) => (await names(query)).toSorted()
    expect(await shown({ serving: 'RUNS' })).toEqual(['Alpha wins'])
    expect(await shown({ serving: 'MONEY' })).toEqual(['beta burns'])
    expect(await shown({ serving: 'OFF' })).toEqual(['Gamma poor'])
    expect(await shown({ serving: 'UNKNOWN' })).toEqual(['delta silent'])
    expect(await shown({ serving: 'STOPPED' })).toEqual(['beta burns', 'delta silent'])
    expect(await shown({ targetingType: 'AUTO' })).toEqual(['beta burns'])
    expect(await shown({ portfolioId: '77' })).toEqual(['Alpha wins'])
    expect(await shown({ portfolioId: 'NONE', state: 'ENABLED' })).toEqual(['beta burns', 'delta silent'])
    expect(await shown({ launched: 'true' })).toEqual(['Alpha wins'])
    await expect(ask('campaigns', { serving: 'WELL' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('refuses days that end before they begin, and columns that no row has', async () => {
    await expect(ask('campaigns', { dateFrom: '2026-03-02', dateTo: '2026-03-01' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await expect(ask('campaigns', { sortBy: 'bidding' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('tells how old the figures are and which days may still move', async () => {
    expect((await ask('campaigns', range)).freshness).toEqual({ asOf: null, movingFrom: null })
    await sql`insert into metrics_state (merchant_id, profile_id, daily_as_of, daily_from, daily_to)
      values (${account.merchantId}, ${account.profileId}, '2026-03-30T08:00:00Z', '2026-01-01', '2026-03-30')`.execute(
      services.db.system,
    )
    expect((await ask('campaigns', range)).freshness).toEqual({
      asOf: '2026-03-30T08:00:00.000Z',
      movingFrom: '2026-03-23',
    })
  })

  test('shows nothing of another merchant', async () => {
    const other = await testCaller(services, await addTestAccount(services, { marketplaceId: 22, currency: 'JPY' }))
    const page = await ask('campaigns', range, other)
    expect(page).toMatchObject({ content: [], currency: 'JPY', totals: { cost: 0, acos: null } })
    const foreign = String(ids.wins?.campaignId)
    await expect(ask('get', {}, other, { id: foreign })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(ask('get', {}, other, { id: ids.wins?.amazonId ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const group = { id: String(ids.wins?.adGroupId) }
    await expect(ask('oneAdGroupChart', range, other, group)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const inForeign = { ...range, campaignId: foreign }
    expect(await ask('adGroups', inForeign, other)).toMatchObject({ content: [] })
    expect(await ask('pick', {}, other)).toEqual([])
  })
})

describe('what hangs on a campaign', () => {
  test('is listed with its own figures, and every column sorts', async () => {
    const campaignId = String(ids.wins?.campaignId)
    const adGroupId = String(ids.wins?.adGroupId)
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
    const own = await addTestAccount(services)
    const caller = await testCaller(services, own)
    const runs = await addTestCampaign(services, own, { name: 'runs' })
    await addTestCampaign(services, own, { name: 'ended', state: 'ARCHIVED' })
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
    await services.db.tenant(own.merchantId, tx =>
      sql`update ad_group set state = 'ARCHIVED' where merchant_id = ${own.merchantId} and id = ${runs.adGroupId}`.execute(
        tx,
      ),
    )
    expect([await named('ads', 'ENABLED'), await named('keywords', 'ENABLED')]).toEqual([[], []])
    expect(await named('keywords', 'ARCHIVED')).toEqual([true, false])
  })

  test('targets are counted as they are listed, wherever they or what they are in was archived or paused', async () => {
    const own = await addTestAccount(services)
    const caller = await testCaller(services, own)
    const { merchantId, profileId } = own
    const states = ['ENABLED', 'PAUSED', 'ARCHIVED']
    for (const state of states) {
      const { campaignId } = await addTestCampaign(services, own, { name: `in ${state}`, state })
      // Besides its first, an ad group and in it a keyword and a product of each state.
      await sql`with g as (
          insert into ad_group (merchant_id, profile_id, campaign_id, amazon_id, name, state, default_bid_micros)
          select ${merchantId}, ${profileId}, ${campaignId}, ${`g${campaignId}`} || s, s, s, 500000 from unnest(${states}::text[]) s
          returning id, state)
        insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state, bid_micros)
        select ${merchantId}, ${profileId}, ${campaignId}, g.id, concat(${`t${campaignId}`}::text, g.state, s, kind), kind, s,
          case kind when 'KEYWORD' then 'EXACT' end, s, 700000
        from g, unnest(${states}::text[]) s, unnest(array['KEYWORD', 'PRODUCT']) kind`.execute(services.db.system)
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
    await services.db.tenant(merchantId, tx =>
      sql`update campaign set state = 'ENABLED' where merchant_id = ${merchantId}`.execute(tx),
    )
    expect(await counts()).toEqual([9, 9, 6, 6, 15, 15, 6, 6, 6, 6, 15, 15])
    await services.db.tenant(merchantId, tx =>
      sql`update ad_group set state = 'ENABLED' where merchant_id = ${merchantId}`.execute(tx),
    )
    expect(await counts()).toEqual([12, 12, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9])
  })

  test('negatives of a campaign and of its ad groups are listed separately', async () => {
    const { merchantId, profileId } = account
    const { campaignId = 0, adGroupId = 0 } = ids.wins ?? {}
    await sql`insert into negative (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state) values
      (${merchantId}, ${profileId}, ${campaignId}, null, '91', 'KEYWORD', 'free', 'NEGATIVE_PHRASE', 'ENABLED'),
      (${merchantId}, ${profileId}, ${campaignId}, ${adGroupId}, '92', 'KEYWORD', 'cheap', 'NEGATIVE_EXACT', 'ENABLED')`.execute(
      services.db.system,
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
    const one = await ask('oneAdGroupChart', range, ctx, { id: String(ids.wins?.adGroupId) })
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
      expect(expected.map(({ count }) => count)).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2])
      const usual = { ...pageLimits }
      Object.assign(pageLimits, { read: 0, sorted: 0 })
      expect(await pages().finally(() => Object.assign(pageLimits, usual))).toEqual(expected)
    },
  )

  test('a campaign is found by our id and by the marketplace’s; archived ones are not offered to pick', async () => {
    const byOurs = await ask('get', {}, ctx, { id: String(ids.wins?.campaignId) })
    expect(await ask('get', {}, ctx, { id: ids.wins?.amazonId ?? '' })).toEqual(byOurs)
    expect(byOurs.placements).toEqual([{ placement: 'TOP_OF_SEARCH', percentage: 30 }])
    await expect(ask('get', {}, ctx, { id: '99999999999999999999' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await ask('pick')).map(row => row.name)).toEqual(['Alpha wins', 'beta burns', 'delta silent', 'Gamma poor'])
  })
})
