import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../../tests/support/database.ts'
import type { Database } from '#server/db/open-database.ts'
import { campaignOwners, ensureCampaigns, idsOf, nameTaken } from './sql/find-rows.ts'
import { markGone, type Mirrored, saveMirrored } from './sql/save-mirrored.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const at = new Date('2026-03-10T12:00:00Z')
function campaign(amazonId: string, part: Partial<Mirrored> = {}): Mirrored {
  return {
    campaignId: amazonId,
    name: `Campaign ${amazonId}`,
    adType: 'SPONSORED_PRODUCTS',
    targetingType: 'MANUAL',
    lifetimeBudgetMicros: null,
    costType: null,
    tactic: null,
    dailyBudgetMicros: 10_000_000,
    bidding: { strategy: 'SALES_DOWN_ONLY' },
    startDate: '2026-01-01',
    endDate: null,
    portfolioId: null,
    state: 'ENABLED',
    servingStatus: null,
    ...part,
    amazonId,
  }
}
function group(amazonId: string, campaignId: string): Mirrored {
  return {
    amazonId,
    campaignId,
    adType: 'SPONSORED_PRODUCTS',
    name: 'Group',
    bidOptimization: null,
    defaultBidMicros: 500_000,
    state: 'ENABLED',
    servingStatus: null,
  }
}
function keyword(amazonId: string, adGroupId: string): Mirrored {
  return {
    amazonId,
    campaignId: 'not looked at',
    adGroupId,
    adType: 'SPONSORED_PRODUCTS',
    kind: 'KEYWORD',
    text: 'tide',
    matchType: 'EXACT',
    expression: null,
    bidMicros: null,
    state: 'ENABLED',
    servingStatus: null,
  }
}

const save = (merchantId: number, entity: Parameters<typeof saveMirrored>[1], items: Mirrored[]) =>
  db.tenant(merchantId, tx => saveMirrored(tx, entity, { merchantId, profileId: 1 }, items, at))
async function campaigns(merchantId: number) {
  return (
    await db.tenant(merchantId, tx =>
      sql<{ amazon_id: string; name: string; state: string; version: number; gone: boolean }>`
    select amazon_id, name, state, version, gone_at is not null as gone from campaign where merchant_id = ${merchantId} order by amazon_id`.execute(
        tx,
      ),
    )
  ).rows
}

test('a second run over an unchanged account changes nothing; a changed row gets a new version', async () => {
  expect(await save(1, 'campaign', [campaign('1'), campaign('2')])).toBe(2)
  expect(await save(1, 'campaign', [campaign('1'), campaign('2')])).toBe(0)
  expect(await save(1, 'campaign', [campaign('1', { state: 'PAUSED' }), campaign('2')])).toBe(1)
  expect((await campaigns(1)).map(c => [c.state, c.version])).toEqual([
    ['PAUSED', 2],
    ['ENABLED', 1],
  ])
})

test('the texts of keywords that were added or changed are available to the search once each, those of targets are not', async () => {
  const texts = async () => {
    const { rows } = await db.reading(14, tx =>
      sql<{ text: string }>`select text_lower as text from keyword_text where merchant_id = 14 order by 1`.execute(tx),
    )
    return rows.map(({ text }) => text)
  }
  await save(14, 'campaign', [campaign('1')])
  await save(14, 'adGroup', [group('2', '1')])
  const first = { ...keyword('3', '2'), campaignId: '1' }
  const product = { ...first, amazonId: '5', kind: 'PRODUCT', text: 'asin_same_as: B0', matchType: null }
  await save(14, 'target', [first, { ...first, amazonId: '4', text: 'TIDE', matchType: 'BROAD' }, product])
  expect(await texts()).toEqual(['tide'])
  await save(14, 'target', [{ ...first, text: 'Tide Pool' }])
  expect(await texts()).toEqual(['tide', 'tide pool'])
})

test('a change of ours on its way is not overwritten by what the marketplace held before', async () => {
  await save(2, 'campaign', [campaign('1')])
  await db.tenant(2, tx =>
    sql`update campaign set state = 'PAUSED', sync_state = 'PENDING' where merchant_id = 2`.execute(tx),
  )
  expect(await save(2, 'campaign', [campaign('1')])).toBe(0)
  expect((await campaigns(2))[0]?.state).toBe('PAUSED')
})

test('a change of ours that came to rest after the marketplace was asked is not overwritten by its older answer', async () => {
  await save(12, 'campaign', [campaign('1'), campaign('2')])
  const askedAt = new Date(at.getTime() + 60_000)
  const settled = new Date(askedAt.getTime() + 1000)
  await db.tenant(12, tx =>
    sql`update campaign set state = 'PAUSED', updated_at = ${settled} where merchant_id = 12 and amazon_id = '1'`.execute(
      tx,
    ),
  )
  const answer = [campaign('1'), campaign('2', { state: 'PAUSED' })]
  const owner = { merchantId: 12, profileId: 1 }
  expect(await db.tenant(12, tx => saveMirrored(tx, 'campaign', owner, answer, settled, { askedAt }))).toBe(1)
  expect((await campaigns(12)).map(c => c.state)).toEqual(['PAUSED', 'PAUSED'])
  const later = new Date(settled.getTime() + 1000)
  expect(await db.tenant(12, tx => saveMirrored(tx, 'campaign', owner, answer, later, { askedAt: later }))).toBe(1)
  expect((await campaigns(12))[0]?.state).toBe('ENABLED')
})

test('what a list left out is not archived while a change of ours waits for it, or came to rest since', async () => {
  await save(13, 'campaign', [campaign('1'), campaign('2'), campaign('3')])
  const began = new Date(Date.now() + 60_000)
  const settled = new Date(began.getTime() + 1000)
  await db.tenant(13, async tx => {
    await sql`update campaign set sync_state = 'PENDING' where merchant_id = 13 and amazon_id = '1'`.execute(tx)
    await sql`update campaign set updated_at = ${settled} where merchant_id = 13 and amazon_id = '2'`.execute(tx)
  })
  expect(
    await db.tenant(13, tx =>
      markGone(tx, 'campaign', { merchantId: 13, profileId: 1, adType: 'SPONSORED_PRODUCTS' }, [], began),
    ),
  ).toBe(1)
  expect((await campaigns(13)).map(c => [c.gone, c.state])).toEqual([
    [false, 'ENABLED'],
    [false, 'ENABLED'],
    [true, 'ARCHIVED'],
  ])
})

test('an import with only a state keeps all other edits, and adds new entities completely', async () => {
  const merchantId = 21
  await save(merchantId, 'campaign', [campaign('c1', { state: 'PAUSED' })])
  await db.tenant(merchantId, tx =>
    sql`update campaign set name = 'Renamed', daily_budget_micros = 25000000 where merchant_id = ${merchantId}`.execute(
      tx,
    ),
  )
  await db.tenant(merchantId, tx =>
    saveMirrored(tx, 'campaign', { merchantId, profileId: 1 }, [campaign('c1'), campaign('c2')], at, {
      update: 'STATE',
    }),
  )
  expect(await campaigns(merchantId)).toMatchObject([
    { amazon_id: 'c1', name: 'Renamed', state: 'ENABLED' },
    { amazon_id: 'c2', name: 'Campaign c2', state: 'ENABLED' },
  ])
})

test('children find their parents by the marketplace’s ids, and one without a parent is left out', async () => {
  await save(3, 'campaign', [campaign('1')])
  expect(await save(3, 'adGroup', [group('11', '1'), group('12', 'nowhere')])).toBe(1)
  expect(await save(3, 'target', [keyword('111', '11')])).toBe(1)
  const negative = {
    amazonId: '9',
    adType: 'SPONSORED_PRODUCTS',
    campaignId: '1',
    adGroupId: null,
    kind: 'KEYWORD',
    text: 'cheap',
    matchType: 'NEGATIVE_EXACT',
    expression: null,
    state: 'ENABLED',
    servingStatus: null,
  }
  expect(await save(3, 'negative', [negative])).toBe(1)
  const found = await db.tenant(3, tx => idsOf(tx, 'target', { merchantId: 3, profileId: 1 }, ['111', '112']))
  expect([...found.keys()]).toEqual(['111'])
})

test('what the marketplace no longer lists is gone, and comes back when it does', async () => {
  await save(4, 'campaign', [campaign('1'), campaign('2')])
  const later = new Date(Date.now() + 60_000)
  await db.tenant(4, tx =>
    markGone(tx, 'campaign', { merchantId: 4, profileId: 1, adType: 'SPONSORED_PRODUCTS' }, ['2'], later),
  )
  expect((await campaigns(4)).map(c => [c.gone, c.state])).toEqual([
    [true, 'ARCHIVED'],
    [false, 'ENABLED'],
  ])
  await save(4, 'campaign', [campaign('1')])
  expect((await campaigns(4))[0]).toMatchObject({ gone: false, state: 'ENABLED' })
})

test('a campaign that only reports know is kept, so that its money counts', async () => {
  await save(5, 'campaign', [campaign('1')])
  await db.tenant(5, tx => ensureCampaigns(tx, { merchantId: 5, profileId: 1 }, 'SPONSORED_BRANDS', ['1', '77'], at))
  expect((await campaigns(5)).map(c => c.amazon_id).sort()).toEqual(['1', '77'])
  expect((await campaigns(5)).find(c => c.amazon_id === '77')).toMatchObject({ name: 'Campaign 77', gone: true })
})

test('names are taken whatever their letters’ case', async () => {
  await save(6, 'campaign', [campaign('1', { name: 'Summer | Exact' })])
  expect(await db.tenant(6, tx => nameTaken(tx, 6, 1, ['SUMMER | exact', 'Winter']))).toEqual(['SUMMER | exact'])
})

test('a tenant sees no campaign of another; the stream’s look-up alone looks across', async () => {
  await save(7, 'campaign', [campaign('700')])
  expect(await db.tenant(8, tx => idsOf(tx, 'campaign', { merchantId: 7, profileId: 1 }, ['700']))).toEqual(new Map())
  expect(await campaignOwners(db.system, ['700', '701'])).toMatchObject([
    { amazonId: '700', merchantId: 7, profileId: 1 },
  ])
})

interface Line {
  entity: string
  field: string | null
  before: unknown
  after: unknown
  origin: string
  note: string | null
}
async function ledgerOf(merchantId: number): Promise<Line[]> {
  const { rows } = await db.tenant(merchantId, tx =>
    sql<Line>`select entity, field, before, after, origin, note from entity_change where merchant_id = ${merchantId} order by id`.execute(
      tx,
    ),
  )
  return rows
}

test('the ledger has what the console changed, and neither first imports nor what stayed the same', async () => {
  await save(41, 'campaign', [campaign('1'), campaign('2')])
  await save(41, 'adGroup', [group('g', '1')])
  await save(41, 'target', [keyword('k', 'g')])
  expect(await ledgerOf(41)).toEqual([])
  const placements = [{ placement: 'TOP_OF_SEARCH', percentage: 40 }]
  await save(41, 'campaign', [
    campaign('1', {
      dailyBudgetMicros: 12_500_000,
      servingStatus: 'CAMPAIGN_OUT_OF_BUDGET',
      bidding: { strategy: 'SALES_DOWN_ONLY', placements },
    }),
    campaign('2', { servingStatus: 'CAMPAIGN_PAUSED', bidding: { strategy: 'SALES_DOWN_ONLY', placements: [] } }),
  ])
  await save(41, 'target', [{ ...keyword('k', 'g'), bidMicros: 900_000 }])
  const shown = (await ledgerOf(41)).map(({ entity, field, before, after, origin }) => [
    entity,
    field,
    before,
    after,
    origin,
  ])
  expect(shown).toEqual([
    ['campaign', 'budget', 10, 12.5, 'MARKETPLACE'],
    ['campaign', 'placements', [], placements, 'MARKETPLACE'],
    ['target', 'bid', null, 0.9, 'MARKETPLACE'],
  ])
  await db.tenant(41, tx =>
    markGone(
      tx,
      'campaign',
      { merchantId: 41, adType: 'SPONSORED_PRODUCTS', profileId: 1 },
      ['1'],
      new Date(Date.now() + 60_000),
    ),
  )
  expect((await ledgerOf(41)).at(-1)).toMatchObject({ field: 'state', before: 'ENABLED', after: 'ARCHIVED' })
})

test('the ledger has what a launch created, and later its new state, once each', async () => {
  const owner = { merchantId: 42, profileId: 1 }
  const launch = { groupId: '00000000-0000-8000-8000-000000000007', accountId: 5 }
  const created = (state: string, update: 'ALL' | 'STATE') =>
    db.tenant(42, tx => saveMirrored(tx, 'campaign', owner, [campaign('1', { state })], at, { launch, update }))
  await created('PAUSED', 'ALL')
  await created('PAUSED', 'STATE')
  await created('ENABLED', 'STATE')
  expect((await ledgerOf(42)).map(({ field, before, after, origin }) => [field, before, after, origin])).toEqual([
    [null, null, null, 'LAUNCH'],
    ['state', 'PAUSED', 'ENABLED', 'LAUNCH'],
  ])
})
