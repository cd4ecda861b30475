import { describe, expect, test } from 'vitest'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { hasUnitPrecision } from '#shared/money.ts'
import type { Store } from '../core/model/store.ts'
import { createMarket } from '../market/create-market.ts'
import { absurdNames } from './hostile.ts'
import { scenarios } from './scenarios.ts'

const now = new Date('2026-11-21T11:30:00Z')
const make = (name: string): { store: Store; seed: number; startsAt: Date } =>
  scenarios[name]?.({ now }) ?? expect.unreachable()

describe.each(['demo', 'new-seller', 'hostile'])('%s', name => {
  const { store } = make(name)

  test('obeys the marketplace’s limits', () => {
    for (const campaign of store.campaigns.values()) {
      const profile = store.profiles.get(campaign.profileId) ?? expect.unreachable()
      const limits = marketplaceByAmazonId(profile.marketplaceId) ?? expect.unreachable()
      expect(campaign.budgetMicros).toBeGreaterThanOrEqual(limits.minDailyBudgetMicros)
      expect(hasUnitPrecision(campaign.budgetMicros, profile.currency)).toBe(true)
      const groups = [...store.adGroups.values()].filter(group => group.campaignId === campaign.campaignId)
      const bids = [...store.keywords.values(), ...store.targets.values()]
        .filter(one => one.campaignId === campaign.campaignId)
        .flatMap(one => one.bidMicros ?? [])
      for (const bid of [...groups.map(group => group.defaultBidMicros), ...bids]) {
        expect(bid).toBeGreaterThanOrEqual(limits.minBidMicros)
        expect(hasUnitPrecision(bid, profile.currency)).toBe(true)
      }
      expect(groups.length).toBeGreaterThan(0)
    }
  })

  test('has unique campaign names within a profile, and unique ids', () => {
    const names = [...store.campaigns.values()].map(campaign => `${campaign.profileId}|${campaign.name}`)
    expect(new Set(names).size).toBe(names.length)
    const { campaigns, adGroups, productAds, keywords, targets, negativeKeywords, negativeTargets } = store
    const ids = [campaigns, adGroups, productAds, keywords, targets, negativeKeywords, negativeTargets].flatMap(map => [
      ...map.keys(),
    ])
    expect(new Set(ids).size).toBe(ids.length)
    for (const profileId of store.profiles.keys()) expect(Number.isSafeInteger(profileId)).toBe(true)
  })

  test('is the same each time it is made, and never shares what it made', () => {
    expect(make(name).store).toEqual(store)
    expect(make(name).store.products).not.toBe(store.products)
  })
})

describe('demo', () => {
  const { store, seed, startsAt } = make('demo')
  const profilesOf = (email: string): string[] => {
    const ids = store.logins.find(login => login.email === email)?.sellerIds ?? []
    return [...store.profiles.values()]
      .filter(profile => ids.includes(profile.sellerId))
      .map(profile => profile.countryCode)
  }

  test('has an agency on three continents, a beginner with two profiles, and somebody with none', () => {
    expect(profilesOf('agency@sandbox.test')).toEqual(['US', 'CA', 'DE', 'JP'])
    expect(profilesOf('seller@sandbox.test')).toEqual(['US', 'MX'])
    expect(profilesOf('empty@sandbox.test')).toEqual([])
    const own = [...store.campaigns.values()].filter(campaign => campaign.profileId === 4100000000000011)
    expect(own).toHaveLength(3)
  })

  test('has products in every condition that the product must show', () => {
    const products = [...store.products.values()]
    expect(new Set(products.map(product => product.eligibility))).toEqual(
      new Set(['ELIGIBLE', 'INELIGIBLE', 'ELIGIBLE_WITH_WARNING']),
    )
    expect(products.some(product => product.fulfillable === 0)).toBe(true)
    expect(new Set([...store.campaigns.values()].map(campaign => campaign.state))).toEqual(
      new Set(['ENABLED', 'PAUSED', 'ARCHIVED']),
    )
  })

  test('has figures of every profile with campaigns from 95 days ago to yesterday, and some days at their budget', () => {
    const market = createMarket(store, { seed, startsAt })
    market.advance(now)
    let fullDays = 0
    for (const { profileId } of store.profiles.values()) {
      const budgets = new Map(
        [...store.campaigns.values()].filter(c => c.profileId === profileId).map(c => [c.campaignId, c.budgetMicros]),
      )
      if (budgets.size === 0) continue
      const ends = [market.facts(profileId, '2026-08-18', '2026-08-24', now)]
      ends.push(market.facts(profileId, '2026-11-12', '2026-11-20', now))
      expect(ends.map(facts => new Set(facts.map(fact => fact.day)).size)).toEqual([7, 9])
      const facts = ends.flat()
      const costs = new Map<string, number>()
      for (const fact of facts) {
        const key = `${fact.campaignId}|${fact.day}`
        costs.set(key, (costs.get(key) ?? 0) + fact.costMicros)
      }
      for (const [key, cost] of costs) if (cost >= 0.95 * (budgets.get(key.split('|')[0] ?? '') ?? 0)) fullDays++
    }
    expect(fullDays).toBeGreaterThan(20)
  })
})

describe('demo, by size', () => {
  test('has about 200 campaigns of all three ad products', () => {
    const { store } = make('demo')
    const counts = [store.campaigns, store.brandCampaigns, store.displayCampaigns].map(collection => collection.size)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(190)
    expect(Math.min(...counts)).toBeGreaterThan(5)
  })
})

describe('large', () => {
  const { store } = make('large')

  test('has 20,000 campaigns and 500,000 keywords, none twice in an ad group', () => {
    expect([store.campaigns.size, store.adGroups.size, store.keywords.size]).toEqual([20_000, 20_000, 500_000])
    const first = [...store.adGroups.values()].slice(0, 50).map(group => group.adGroupId)
    const own = [...store.keywords.values()].filter(keyword => first.includes(keyword.adGroupId))
    const texts = own.map(({ adGroupId, matchType, keywordText }) => `${adGroupId}|${matchType}|${keywordText}`)
    expect(new Set(texts).size).toBe(50 * 25)
  })

  test('has one profile with half of it, and campaigns in every state', () => {
    const ofProfile = Map.groupBy(store.campaigns.values(), campaign => campaign.profileId)
    expect(Math.max(...[...ofProfile.values()].map(campaigns => campaigns.length))).toBe(10_000)
    const states = Map.groupBy(store.campaigns.values(), campaign => campaign.state)
    for (const state of ['ENABLED', 'PAUSED', 'ARCHIVED'] as const)
      expect(states.get(state)?.length).toBeGreaterThan(3000)
  })
})

describe('hostile', () => {
  const { store, seed, startsAt } = make('hostile')
  const profile = [...store.profiles.values()][0] ?? expect.unreachable()

  test('has absurd names, titles from right to left, zero prices and ten thousand negatives on one campaign', () => {
    const names = [...store.campaigns.values()].map(campaign => campaign.name)
    expect(names).toEqual(expect.arrayContaining([...absurdNames]))
    const products = [...store.products.values()]
    expect(products.some(product => /\p{Script=Arabic}/u.test(product.title))).toBe(true)
    expect(products.some(product => product.priceMicros === 0)).toBe(true)
    const negatives = Map.groupBy(store.negativeKeywords.values(), negative => negative.campaignId)
    expect(Math.max(...[...negatives.values()].map(list => list.length))).toBeGreaterThanOrEqual(10_000)
  })

  test('trades all the same, through the night when the clocks went back', () => {
    const market = createMarket(store, { seed, startsAt })
    market.advance(now)
    const night = market.facts(profile.profileId, '2026-10-25', '2026-10-25', now)
    const hours = Map.groupBy(night, fact => fact.hour)
    const twice = [...hours].filter(([, facts]) => new Set(facts.map(fact => fact.at)).size === 2)
    expect(twice.map(([hour]) => hour)).toEqual([1])
    expect(night.every(fact => Number.isFinite(fact.costMicros) && Number.isFinite(fact.salesMicros.d7))).toBe(true)
  })
})
