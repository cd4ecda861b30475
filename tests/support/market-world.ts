import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import type { Store } from '#sandbox/core/model/store.ts'
import { createMarket, type Market } from '#sandbox/market/create-market.ts'
import type { Fact } from '#sandbox/market/market.ts'

function missing(): never {
  throw new Error('the scenario lacks what the test world is made from')
}

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const now = new Date('2026-11-21T11:30:00Z')
export const later = (days: number): Date => new Date(now.getTime() + days * DAY)
export const US = 1100000000000011
export const MADE = now.getTime() - 30 * DAY

/** A world with one campaign of one exact keyword for one well-stocked product. */
export function smallWorld(
  change: { bid?: number; budget?: number; text?: string; matchType?: 'EXACT' | 'PHRASE' | 'BROAD' } = {},
): Store {
  const { store } = scenarios['new-seller']?.({ now }) ?? missing()
  const profile = store.profiles.get(4100000000000011) ?? missing()
  const product =
    [...store.products.values()].find(p => p.categoryId === '3741181' && p.eligibility === 'ELIGIBLE') ?? missing()
  product.fulfillable = 1_000_000
  const stamp = { state: 'ENABLED' as const, createdAt: MADE, updatedAt: MADE }
  const parents = { campaignId: 'c', adGroupId: 'g', profileId: profile.profileId, ...stamp }
  store.campaigns.set('c', {
    ...stamp,
    campaignId: 'c',
    profileId: profile.profileId,
    name: 'c',
    targetingType: 'MANUAL',
    budgetMicros: (change.budget ?? 5000) * 1e6,
    strategy: 'MANUAL',
    placements: [],
    startDate: '2026-01-01',
    endDate: null,
    portfolioId: null,
    tags: {},
  })
  store.adGroups.set('g', { ...parents, name: 'g', defaultBidMicros: 1e6 })
  store.productAds.set('a', { ...parents, adId: 'a', asin: product.asin, sku: product.sku })
  store.keywords.set('k', {
    ...parents,
    keywordId: 'k',
    keywordText: change.text ?? 'water bottle',
    matchType: change.matchType ?? 'EXACT',
    bidMicros: (change.bid ?? 1) * 1e6,
  })
  return store
}

export const profileId = 4100000000000011
/** The same with a keyword that meets every search for bottles, so that there is enough to count. */
export function busyWorld(change: { bid?: number; budget?: number }): Store {
  return smallWorld({ text: 'bottle', matchType: 'BROAD', ...change })
}

export function simulate(store: Store, seed = 5): Market {
  const market = createMarket(store, { seed, startsAt: new Date(MADE) })
  market.advance(now)
  return market
}

export function factsOf(market: Market, asOf = later(90)): Fact[] {
  return market.facts(profileId, '2026-10-22', '2026-11-21', asOf)
}

export function sum(facts: readonly Fact[], of: (fact: Fact) => number): number {
  return facts.reduce((total, fact) => total + of(fact), 0)
}

export const inOrder = (facts: readonly Fact[]): string[] => facts.map(fact => JSON.stringify(fact)).sort()
export const spend = (facts: readonly Fact[]): number => sum(facts, fact => fact.costMicros)
