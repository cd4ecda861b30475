import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProfileAds } from '#integrations/amazon-ads/index.ts'
import { openSandboxAccounts, type SandboxAccounts } from '../support/sandbox-accounts.ts'

let world: SandboxAccounts
let profile: ProfileAds
let japan: ProfileAds
let asins: string[]

function asinsOf(marketplaceId: string) {
  return [...world.sandbox.world.store.products.values()]
    .filter(p => p.marketplaceId === marketplaceId && ['A1HARBORLANEUS', 'A3MINATOSHOJI1'].includes(p.sellerId))
    .map(p => p.asin)
}

beforeAll(async () => {
  world = await openSandboxAccounts({ login: 'agency@sandbox.test' })
  const open = (region: 'NA' | 'FE', profileId: string) =>
    world.ads.forProfile({ connectionId: world.connectionId, region, profileId })
  profile = open('NA', '1100000000000011')
  japan = open('FE', '3100000000000011')
  asins = asinsOf('ATVPDKIKX0DER').slice(0, 3)
})
afterAll(() => world.close())

it('keywords come with bids that agree with the bid recommendations, in dollars and in yen', async () => {
  for (const [ads, currency, products] of [
    [profile, 'USD', asins],
    [japan, 'JPY', asinsOf('A1VC38T7YXB528').slice(0, 3)],
  ] as const) {
    const subject = { asins: products }
    const keywords = await ads.advice.keywords({ subject, currency, max: 10 })
    expect(keywords.length).toBeGreaterThan(0)
    const [first] = keywords
    const bids = await ads.advice.bids({
      subject,
      bids: [{ type: 'KEYWORD', matchType: first?.matchType ?? 'BROAD', text: first?.keyword ?? '' }],
    })
    expect(bids[0]?.subject).toEqual({ type: 'KEYWORD', matchType: first?.matchType, text: first?.keyword })
    // The keyword's bids are rounded to the currency's smallest unit, the others are not.
    expect(Math.abs((bids[0]?.medianMicros ?? 0) - (first?.bidMicros ?? 0))).toBeLessThanOrEqual(
      currency === 'JPY' ? 500_000 : 5_000,
    )
  }
})

it('categories, products and themes are found for own products', async () => {
  const [categories, products, themes] = await Promise.all([
    profile.advice.categories(asins),
    profile.advice.products(asins, 5),
    profile.advice.productThemes(asins),
  ])
  expect(categories[0]).toMatchObject({
    categoryId: expect.any(String),
    name: expect.any(String),
    minProducts: expect.any(Number),
  })
  expect(products).toHaveLength(5)
  expect(themes[0]?.asins.length).toBeGreaterThan(0)
})

it('nothing is said of strangers’ products', async () => {
  expect(await profile.advice.keywords({ subject: { asins: ['B000000000'] }, currency: 'USD' })).toEqual([])
  expect(await profile.advice.categories(['B000000000'])).toEqual([])
  expect(await profile.advice.eligibility([{ asin: 'B000000000' }])).toMatchObject([{ status: 'INELIGIBLE' }])
})

it('every own product is known, with its eligibility', async () => {
  const [facts, eligibility] = await Promise.all([
    profile.advice.productFacts({ asins }),
    profile.advice.eligibility(asins.map(asin => ({ asin }))),
  ])
  expect(facts.map(f => f.asin).toSorted()).toEqual(asins.toSorted())
  expect(facts[0]).toMatchObject({ currency: 'USD', priceMicros: expect.any(Number), title: expect.any(String) })
  expect(eligibility.map(e => e.asin)).toEqual(asins)
})

it('budget usage is reported for existing campaigns', async () => {
  const campaigns = await profile.campaigns.all({ states: ['ENABLED'] })
  const usage = await profile.advice.budgetUsage([...campaigns.slice(0, 3).map(c => c.campaignId), '1'])
  expect(usage.map(u => u.budgetMicros)).toEqual(campaigns.slice(0, 3).map(c => c.dailyBudgetMicros))
})
