import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { addTestAccount, testCaller, testRange as range } from '../../../../../tests/support/campaign-account.ts'
import { listScene } from '../../../../../tests/support/list-scene.ts'
import { sumFigures } from '../../../../../tests/support/sum-figures.ts'
import { campaignListEndpoints as lists } from '../../contract.ts'

const { scene, ask } = listScene()
const names = async (query: Record<string, string>) =>
  (await ask('campaigns', { ...range, ...query })).content.map(row => row.name)

test('campaigns can be narrowed to those that advertise a product, alone or among others', async () => {
  const { system } = scene.services.db
  const idsOf = async (asin: string) => (await ask('campaigns', { asin, state: 'ALL' })).content.map(row => row.id)
  const ad = (campaign: 'burns' | 'silent') =>
    system.updateTable('product_ad').where('id', '=', scene.ids[campaign].adId)
  await ad('burns').set({ asin: 'B0OTHER001' }).execute()
  await ad('silent')
    .set({ asin: null, asins: JSON.stringify(['B0OTHER002', 'B0OTHER001']) })
    .execute()
  expect(new Set(await idsOf('B0OTHER001'))).toEqual(new Set([scene.ids.burns.campaignId, scene.ids.silent.campaignId]))
  expect(await idsOf('B0NOBODYS1')).toEqual([])
  for (const name of ['burns', 'silent'] as const) await ad(name).set({ asin: 'B0TEST0001', asins: null }).execute()
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
      scene.services.db.tenant(scene.account.merchantId, tx =>
        sql`update target set state = ${state} where merchant_id = ${scene.account.merchantId} and id = ${scene.ids.wins.keywordId}`.execute(
          tx,
        ),
      )
    expect([await count(), await count()]).toEqual([0, 0])
    await setState('PAUSED')
    expect([await count(), await count()]).toEqual([1, 1])
    const stranger = await testCaller(scene.services, await addTestAccount(scene.services))
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
      sql`update campaign set ${values} where merchant_id = ${scene.account.merchantId} and name = ${name}`.execute(
        scene.services.db.system,
      )
    const now = scene.ctx.clock.now()
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
      values (${scene.account.merchantId}, ${scene.account.profileId}, '2026-03-30T08:00:00Z', '2026-01-01', '2026-03-30')`.execute(
      scene.services.db.system,
    )
    expect((await ask('campaigns', range)).freshness).toEqual({
      asOf: '2026-03-30T08:00:00.000Z',
      movingFrom: '2026-03-23',
    })
  })

  test('shows nothing of another merchant', async () => {
    const other = await testCaller(
      scene.services,
      await addTestAccount(scene.services, { marketplaceId: 22, currency: 'JPY' }),
    )
    const page = await ask('campaigns', range, other)
    expect(page).toMatchObject({ content: [], currency: 'JPY', totals: { cost: 0, acos: null } })
    const foreign = String(scene.ids.wins.campaignId)
    await expect(ask('get', {}, other, { id: foreign })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(ask('get', {}, other, { id: scene.ids.wins.amazonId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const group = { id: String(scene.ids.wins.adGroupId) }
    await expect(ask('oneAdGroupChart', range, other, group)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const inForeign = { ...range, campaignId: foreign }
    expect(await ask('adGroups', inForeign, other)).toMatchObject({ content: [] })
    expect(await ask('pick', {}, other)).toEqual([])
  })
})
