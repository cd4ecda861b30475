import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExportedRow, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { BrandCampaign as BookedBrandCampaign } from '#sandbox/core/model/brands.ts'
import type { DisplayCampaign as BookedDisplayCampaign } from '#sandbox/core/model/display.ts'
import { openSandboxAccounts, type SandboxAccounts } from '../support/sandbox-accounts.ts'

const PROFILE = 4100000000000011
// Longer than a double can tell: one more would be the same number.
const longId = (n: number) => `90071992547409${String(n).padStart(5, '0')}`
const at = { profileId: PROFILE, state: 'ENABLED', createdAt: 1_772_000_000_000, updatedAt: 1_772_000_000_000 } as const

let world: SandboxAccounts
let profile: ProfileAds

function brandCampaign(n: number): BookedBrandCampaign {
  return {
    ...at,
    campaignId: longId(n),
    name: `Brand ${n}`,
    budgetMicros: 25_500_000,
    budgetType: 'DAILY',
    costType: 'CPC',
    goal: 'PAGE_VISIT',
    brandEntityId: 'ENTITY1',
    bidOptimization: false,
    placements: [{ placement: 'HOME', percentage: 20 }],
    productLocation: null,
    startDate: '2026-03-01',
    endDate: null,
    portfolioId: null,
    tags: {},
  }
}
function displayCampaign(n: number): BookedDisplayCampaign {
  return {
    ...at,
    campaignId: longId(n),
    name: `Display ${n}`,
    tactic: 'T00030',
    costType: 'VCPM',
    budgetMicros: 15_000_000,
    startDate: '2026-03-01',
    endDate: '2026-12-24',
    portfolioId: null,
  }
}

beforeAll(async () => {
  world = await openSandboxAccounts({ scenario: 'new-seller', login: 'seller@sandbox.test' })
  profile = world.ads.forProfile({ connectionId: world.connectionId, region: 'NA', profileId: String(PROFILE) })
  world.sandbox.world.change(books => {
    for (let n = 0; n < 130; n++) books.brandCampaigns.set(longId(n), brandCampaign(n))
    for (const [group, name] of [
      [longId(500), 'First'],
      [longId(501), 'Second'],
    ] as const)
      books.brandAdGroups.set(group, { ...at, adGroupId: group, campaignId: longId(0), name })
    const clause = { ...at, campaignId: longId(0) }
    // The second ad group's keyword is the one that a list of everything is known to miss.
    for (const [n, group] of [longId(500), longId(501)].entries())
      books.brandKeywords.set(longId(600 + n), {
        ...clause,
        keywordId: longId(600 + n),
        adGroupId: group,
        keywordText: `soap ${n}`,
        matchType: 'PHRASE',
        bidMicros: 1_230_000,
      })
    books.brandNegativeKeywords.set(longId(700), {
      ...clause,
      keywordId: longId(700),
      adGroupId: longId(500),
      keywordText: 'free',
      matchType: 'NEGATIVE_EXACT',
    })
    books.brandTargets.set(longId(800), {
      ...clause,
      targetId: longId(800),
      adGroupId: longId(501),
      expression: [{ type: 'ASIN_SAME_AS', value: 'B07R7V6KS8' }],
      bidMicros: 900_000,
    })
    for (let n = 2000; n < 2003; n++) books.displayCampaigns.set(longId(n), displayCampaign(n))
    books.displayAdGroups.set(longId(2100), {
      ...at,
      adGroupId: longId(2100),
      campaignId: longId(2000),
      name: 'Viewers',
      defaultBidMicros: 5_000_000,
      bidOptimization: 'REACH',
      creativeType: null,
    })
    books.displayTargets.set(longId(2200), {
      ...at,
      targetId: longId(2200),
      adGroupId: longId(2100),
      campaignId: longId(2000),
      expression: [{ type: 'views', value: [{ type: 'similarProduct' }, { type: 'lookback', value: '30' }] }],
      expressionType: 'MANUAL',
      bidMicros: null,
    })
  })
})
afterAll(() => world.close())

async function collect<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const rows: T[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}
const books = () => world.sandbox.world.store

describe('Sponsored Brands', () => {
  it('campaigns come page by page, whole, with ids to the last digit', async () => {
    const all = await profile.brands.campaigns.all({ states: ['ENABLED', 'PAUSED'], extended: true })
    expect(new Set(all.map(c => c.campaignId))).toEqual(new Set(books().brandCampaigns.keys()))
    expect(all.find(c => c.campaignId === longId(0))).toMatchObject({
      name: 'Brand 0',
      dailyBudgetMicros: 25_500_000,
      lifetimeBudgetMicros: null,
      bidding: { strategy: 'MANUAL', placements: [{ placement: 'HOME_PAGE', percentage: 20 }] },
      servingStatus: expect.any(String),
      createdAt: new Date(1_772_000_000_000),
    })
  })

  it('more than ten changes are sent in batches of ten, with an outcome per item', async () => {
    const changes = Array.from({ length: 12 }, (_, n) => ({
      campaignId: longId(n + 10),
      dailyBudgetMicros: n === 11 ? 1 : 30_000_000,
    }))
    const outcomes = await profile.brands.campaigns.update(changes)
    expect(outcomes.map(o => o.ok)).toEqual([...Array.from({ length: 11 }, () => true), false])
    expect(outcomes[11]).toMatchObject({ reason: 'BUDGET_TOO_LOW' })
    expect(books().brandCampaigns.get(longId(20))?.budgetMicros).toBe(30_000_000)
    expect(await profile.brands.campaigns.archive([longId(25)])).toMatchObject([{ ok: true, id: longId(25) }])
    expect(books().brandCampaigns.get(longId(25))?.state).toBe('ARCHIVED')
  })

  it('keywords and targets of named campaigns are all there, read and changed in the older words', async () => {
    const filter = { campaignIds: [longId(0)], states: ['ENABLED'] as const }
    const keywords = await collect(profile.brands.keywords.pages(filter))
    expect(keywords.map(k => [k.keywordId, k.text, k.matchType, k.bidMicros])).toEqual([
      [longId(600), 'soap 0', 'PHRASE', 1_230_000],
      [longId(601), 'soap 1', 'PHRASE', 1_230_000],
    ])
    expect(await collect(profile.brands.negativeKeywords.pages(filter))).toMatchObject([
      { keywordId: longId(700), matchType: 'NEGATIVE_EXACT', text: 'free' },
    ])
    expect(await collect(profile.brands.targets.pages(filter))).toMatchObject([
      { targetId: longId(800), expression: [{ type: 'ASIN_SAME_AS', value: 'B07R7V6KS8' }], bidMicros: 900_000 },
    ])
    const place = { adGroupId: longId(501), campaignId: longId(0) }
    const outcomes = await profile.brands.keywords.update([
      { ...place, keywordId: longId(601), bidMicros: 2_000_000, state: 'PAUSED' },
      { ...place, keywordId: longId(999), bidMicros: 2_000_000 },
    ])
    expect(outcomes).toMatchObject([
      { ok: true, id: longId(601) },
      { ok: false, reason: 'NOT_FOUND' },
    ])
    expect(books().brandKeywords.get(longId(601))).toMatchObject({ state: 'PAUSED', bidMicros: 2_000_000 })
    expect(await profile.brands.targets.update([{ ...place, targetId: longId(800), state: 'ARCHIVED' }])).toMatchObject(
      [{ ok: true, id: longId(800) }],
    )
    expect(books().brandTargets.get(longId(800))?.state).toBe('ARCHIVED')
  })
})

describe('Sponsored Display', () => {
  it('is read in our words: days with dashes, nested audiences, ids to the last digit', async () => {
    const campaigns = await collect(profile.display.campaigns.pages({ states: ['ENABLED'], extended: true }))
    expect(campaigns.map(c => c.campaignId).toSorted()).toEqual([longId(2000), longId(2001), longId(2002)])
    expect(campaigns[0]).toMatchObject({
      costType: 'VCPM',
      tactic: 'AUDIENCES',
      dailyBudgetMicros: 15_000_000,
      startDate: '2026-03-01',
      endDate: '2026-12-24',
      servingStatus: expect.any(String),
    })
    const filter = { campaignIds: [longId(2000)] }
    expect(await collect(profile.display.adGroups.pages(filter))).toMatchObject([
      { adGroupId: longId(2100), bidOptimization: 'REACH', defaultBidMicros: 5_000_000 },
    ])
    expect(await collect(profile.display.targets.pages(filter))).toMatchObject([
      {
        targetId: longId(2200),
        bidMicros: null,
        expression: [{ type: 'VIEWS', value: [{ type: 'SIMILAR_PRODUCT' }, { type: 'LOOKBACK', value: '30' }] }],
      },
    ])
    expect(await collect(profile.display.ads.pages(filter))).toEqual([])
  })

  it('is changed and archived item by item', async () => {
    const outcomes = await profile.display.campaigns.update([
      { campaignId: longId(2001), dailyBudgetMicros: 20_000_000, endDate: '2026-12-31' },
      { campaignId: longId(2009), state: 'PAUSED' },
      { campaignId: longId(2002), state: 'ARCHIVED' },
    ])
    expect(outcomes).toMatchObject([{ ok: true, id: longId(2001) }, { ok: false, reason: 'NOT_FOUND' }, { ok: true }])
    expect(books().displayCampaigns.get(longId(2001))).toMatchObject({
      budgetMicros: 20_000_000,
      endDate: '2026-12-31',
    })
    expect(books().displayCampaigns.get(longId(2002))?.state).toBe('ARCHIVED')
  })
})

describe('an export', () => {
  it('tells the whole structure of all advertising products', async () => {
    const requested = await profile.exports.request('campaigns')
    expect(requested).toMatchObject({ status: 'PROCESSING', url: null })
    world.sandbox.world.clock.advance(2000)
    const done = await profile.exports.get('campaigns', requested.exportId)
    const rows: ExportedRow[] = []
    for await (const row of profile.exports.rows(done.url ?? '')) rows.push(row)
    const ids = (product: string) => rows.filter(r => r.adProduct === product).map(r => r.campaignId)
    const live = <T extends { state: string }>(map: ReadonlyMap<string, T>) =>
      [...map].filter(([, one]) => one.state !== 'ARCHIVED').map(([id]) => id)
    expect(new Set(ids('SPONSORED_BRANDS'))).toEqual(new Set(live(books().brandCampaigns)))
    expect(new Set(ids('SPONSORED_DISPLAY'))).toEqual(new Set(live(books().displayCampaigns)))
    expect(rows.find(r => r.campaignId === longId(0))).toMatchObject({
      name: 'Brand 0',
      budgetMicros: 25_500_000,
      budgetPeriod: 'DAILY',
    })
  })
})

it('the change history tells who was changed to what', async () => {
  await profile.brands.campaigns.update([{ campaignId: longId(40), state: 'PAUSED' }])
  const now = world.sandbox.world.clock.now()
  const from = new Date(now.getTime() - 3_600_000)
  const events = await collect(profile.history.changes({ from, to: new Date(now.getTime() + 60_000) }))
  expect(events).toContainEqual(
    expect.objectContaining({
      entityType: 'CAMPAIGN',
      entityId: longId(40),
      changeType: 'STATUS',
      previousValue: 'ENABLED',
      newValue: 'PAUSED',
    }),
  )
})

it('a portfolio is created with a cap, listed, and reports its spend', async () => {
  const [made] = await profile.portfolios.create([
    { name: 'Autumn', budget: { policy: 'MONTHLY_RECURRING', amountMicros: 500_000_000, endDate: null } },
  ])
  if (!made?.ok) throw new Error(`not made: ${JSON.stringify(made)}`)
  const capped = { policy: 'MONTHLY_RECURRING', amountMicros: 750_500_000, endDate: null } as const
  expect(await profile.portfolios.update([{ portfolioId: made.id, name: 'Winter', budget: capped }])).toMatchObject([
    { ok: true, id: made.id },
  ])
  const all = await profile.portfolios.all()
  expect(all.find(p => p.portfolioId === made.id)).toMatchObject({ name: 'Winter', state: 'ENABLED', budget: capped })
  expect(await profile.advice.budgetUsage([made.id], 'PORTFOLIO')).toMatchObject([
    { id: made.id, budgetMicros: 750_500_000, usagePercent: 0 },
  ])
  const [brand] = await profile.advice.budgetUsage([longId(1)], 'SPONSORED_BRANDS')
  expect(brand).toMatchObject({ id: longId(1), budgetMicros: 25_500_000 })
})
