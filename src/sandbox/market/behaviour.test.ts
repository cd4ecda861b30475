import { describe, expect, test } from 'vitest'
import type { Store } from '../core/model/store.ts'
import { createMarket, type Market } from './create-market.ts'
import type { AdProduct, Fact } from './market.ts'
import {
  busyWorld,
  DAY,
  factsOf,
  HOUR,
  later,
  simulate,
  MADE,
  now,
  profileId,
  smallWorld,
  spend,
  sum,
} from '../../../tests/support/market-world.ts'

function copyCampaign(store: Store, suffix: string): void {
  const campaign = store.campaigns.get('c') ?? expect.unreachable()
  const [group, ad, keyword] = [store.adGroups.get('g'), store.productAds.get('a'), store.keywords.get('k')]
  if (!group || !ad || !keyword) expect.unreachable()
  const parents = { campaignId: `c${suffix}`, adGroupId: `g${suffix}` }
  store.campaigns.set(parents.campaignId, { ...campaign, campaignId: parents.campaignId, name: suffix })
  store.adGroups.set(parents.adGroupId, { ...group, ...parents })
  store.productAds.set(`a${suffix}`, { ...ad, ...parents, adId: `a${suffix}` })
  store.keywords.set(`k${suffix}`, { ...keyword, ...parents, keywordId: `k${suffix}` })
}

const of = (facts: readonly Fact[], campaignId: string): Fact[] => facts.filter(fact => fact.campaignId === campaignId)
const impressions = (facts: readonly Fact[]): number => sum(facts, fact => fact.impressions)
const factsFrom = (market: Market, adProduct: AdProduct): Fact[] =>
  market.facts(profileId, '2026-10-22', '2026-11-21', later(90), adProduct)

describe('a budget', () => {
  test('a budget runs out in the hour when spend reaches it, and no ad shows until midnight', () => {
    const market = createMarket(busyWorld({ bid: 6, budget: 9 }), { seed: 5, startsAt: new Date(MADE) })
    market.advance(now)
    const asOf = new Date(now.getTime() + 12 * HOUR)
    const days = Map.groupBy(factsOf(market, asOf), fact => fact.day)
    const unlimited = Map.groupBy(factsOf(simulate(busyWorld({ bid: 6 })), asOf), fact => fact.day)
    // Later, rivals have answered the campaign that wins more.
    const short = [...days].filter(([day]) => day < '2026-11-02' && spend(unlimited.get(day) ?? []) > 18e6)
    expect(short.length).toBeGreaterThan(0)
    for (const [day, facts] of short) {
      const last = Math.max(...facts.map(fact => fact.hour))
      const withoutEnd = unlimited.get(day) ?? []
      const upTo = (hour: number): number => spend(withoutEnd.filter(fact => fact.hour <= hour))
      // Until the money ran out it was a day like any other.
      expect(spend(facts.filter(fact => fact.hour < last))).toBe(upTo(last - 1))
      expect(spend(facts)).toBeLessThanOrEqual(upTo(last))
      expect(withoutEnd.some(fact => fact.hour > last)).toBe(true)
    }
  })

  test('lowering and raising a budget in mid-month adds nothing to the month', () => {
    const store = busyWorld({ bid: 6, budget: 30 })
    const market = createMarket(store, { seed: 5, startsAt: new Date(MADE) })
    const budgets = new Map<string, number>()
    for (let hour = 0; hour < 20 * 24; hour++) {
      const at = new Date(Date.parse('2026-11-01T07:30:00Z') + hour * HOUR)
      market.advance(at)
      const budget = hour % 24 < 12 ? 30 : 3
      const day = new Date(at.getTime() - 8 * HOUR).toISOString().slice(0, 10)
      budgets.set(day, Math.max(budgets.get(day) ?? 0, budget * 1e6))
      const campaign = store.campaigns.get('c') ?? expect.unreachable()
      store.campaigns.set('c', { ...campaign, budgetMicros: budget * 1e6 })
    }
    const facts = market.facts(profileId, '2026-11-02', '2026-11-19', later(0)).filter(fact => fact.costMicros > 0)
    const allowed = [...budgets].filter(([day]) => day >= '2026-11-01').reduce((total, [, budget]) => total + budget, 0)
    expect(spend(facts)).toBeGreaterThan(allowed / 10)
    expect(spend(facts)).toBeLessThanOrEqual(allowed)
  })
})

describe('campaigns of one seller', () => {
  test('two campaigns share a query, and what one stops bidding for goes to the other', () => {
    const alone = impressions(factsOf(simulate(smallWorld({ bid: 3 }))))
    const store = smallWorld({ bid: 3 })
    copyCampaign(store, '2')
    const both = factsOf(simulate(store))
    expect(impressions(both)).toBeGreaterThan(alone * 0.9)
    expect(impressions(both)).toBeLessThan(alone * 1.1)
    expect(impressions(of(both, 'c'))).toBeLessThan(alone * 0.65)
    const market = simulate(store)
    const second = store.campaigns.get('c2') ?? expect.unreachable()
    store.campaigns.set('c2', { ...second, state: 'PAUSED', updatedAt: now.getTime() })
    market.advance(later(30))
    const after = market.facts(profileId, '2026-11-22', '2026-12-20', later(60))
    expect(of(after, 'c2')).toEqual([])
    expect(impressions(of(after, 'c'))).toBeGreaterThan(impressions(of(both, 'c')) * 1.4)
  })

  test('a campaign ends on its last day, in one step or in many', () => {
    const ending = (): Store => {
      const store = smallWorld({ bid: 3 })
      const campaign = store.campaigns.get('c') ?? expect.unreachable()
      copyCampaign(store, '2')
      store.campaigns.set('c', { ...campaign, endDate: '2026-11-05' })
      return store
    }
    const once = factsOf(simulate(ending()))
    expect(of(once, 'c').at(-1)?.day).toBe('2026-11-05')
    const steps = createMarket(ending(), { seed: 5, startsAt: new Date(MADE) })
    for (let at = MADE; at < now.getTime(); at += 5 * DAY + HOUR) steps.advance(new Date(at))
    steps.advance(now)
    expect(factsOf(steps)).toEqual(once)
  })
})

test('a market that caches the structure reads the store again only after it is invalidated', () => {
  const store = smallWorld({ bid: 3 })
  const market = createMarket(store, { seed: 5, startsAt: new Date(MADE), cachesStructure: true })
  market.advance(now)
  const pause = () => {
    const campaign = store.campaigns.get('c') ?? expect.unreachable()
    store.campaigns.set('c', { ...campaign, state: 'PAUSED', updatedAt: now.getTime() })
  }
  market.advance(later(1))
  pause()
  market.advance(later(10))
  expect(market.facts(profileId, '2026-11-24', '2026-11-30', later(20)).length).toBeGreaterThan(0)
  market.invalidate(profileId)
  market.advance(later(20))
  expect(market.facts(profileId, '2026-12-03', '2026-12-10', later(30))).toEqual([])
})

test('listings sell without ads: total sales exceed attributed sales, and continue when the ads stop', () => {
  const store = busyWorld({ bid: 6 })
  const asin = store.productAds.get('a')?.asin
  const shop = ['A4DRIFTWOODUSX', 'ATVPDKIKX0DER', '2026-10-25', '2026-11-20'] as const
  const ordersOf = (market: Market): number =>
    market
      .salesByDay(...shop)
      .filter(day => day.asin === asin)
      .reduce((total, day) => total + day.orders, 0)
  const market = simulate(store)
  const attributed = sum(factsOf(market), fact => fact.purchases.filter(one => one.asin === asin).length)
  expect(ordersOf(market)).toBeGreaterThan(attributed)
  store.campaigns.clear()
  const without = ordersOf(simulate(store))
  expect(without).toBeGreaterThan(0)
  expect(without).toBeLessThan(ordersOf(market))
})

const stamp = { profileId, state: 'ENABLED' as const, createdAt: MADE, updatedAt: MADE }
const dates = { startDate: '2026-01-01', endDate: null, portfolioId: null }

function withBrand(change: { costType?: 'CPC' | 'VCPM'; lifetime?: number } = {}): Store {
  const store = smallWorld({ bid: 0.02 })
  const asin = store.productAds.get('a')?.asin ?? expect.unreachable()
  const parents = { campaignId: 'sb', adGroupId: 'sbg', ...stamp }
  store.brandCampaigns.set('sb', {
    ...stamp,
    ...dates,
    campaignId: 'sb',
    name: 'sb',
    budgetMicros: (change.lifetime ?? 5000) * 1e6,
    budgetType: change.lifetime ? 'LIFETIME' : 'DAILY',
    costType: change.costType ?? 'CPC',
    goal: change.costType === 'VCPM' ? 'BRAND_IMPRESSION_SHARE' : 'PAGE_VISIT',
    brandEntityId: 'ENTITY',
    bidOptimization: true,
    placements: [],
    productLocation: null,
    tags: {},
  })
  store.brandAdGroups.set('sbg', { ...parents, name: 'sbg' })
  const landingPage = { pageType: 'PRODUCT_LIST', url: '', asins: [asin] }
  store.brandAds.set('sba', {
    ...parents,
    adId: 'sba',
    name: 'sba',
    format: 'PRODUCT_COLLECTION',
    asins: [asin],
    landingPage,
    creative: {},
  })
  const bidMicros = change.costType === 'VCPM' ? 40e6 : 3e6
  const word = { keywordText: 'bottle', matchType: 'BROAD' as const, bidMicros }
  store.brandKeywords.set('sbk', { ...parents, ...word, keywordId: 'sbk' })
  return store
}

describe('Sponsored Brands', () => {
  test('Sponsored Brands have placements of their own and never appear in the figures of Sponsored Products', () => {
    const market = simulate(withBrand())
    const facts = factsFrom(market, 'SPONSORED_BRANDS')
    expect(new Set(facts.map(fact => `${fact.campaignId}|${fact.targetId}|${fact.adId}`))).toEqual(
      new Set(['sb|sbk|sba']),
    )
    expect(new Set(facts.map(fact => fact.placement))).toEqual(new Set(['PLACEMENT_TOP', 'PLACEMENT_REST_OF_SEARCH']))
    expect(of(factsOf(market), 'sb')).toEqual([])
    expect(market.budgetUsage('sb', new Date(now.getTime() - 12 * HOUR)).spentMicros).toBeGreaterThan(0)
  })

  test('a campaign with cost type VCPM pays per thousand viewable impressions, never more than its bid, and nothing for clicks', () => {
    const facts = factsFrom(simulate(withBrand({ costType: 'VCPM' })), 'SPONSORED_BRANDS')
    expect(sum(facts, fact => fact.clicks)).toBeGreaterThan(20)
    expect(facts.some(fact => fact.clicks === 0 && fact.costMicros > 0)).toBe(true)
    const perThousand = (1000 * spend(facts)) / sum(facts, fact => fact.viewableImpressions)
    expect(perThousand).toBeGreaterThan(1e6)
    expect(perThousand).toBeLessThan(42e6)
  })

  test('a campaign never costs more than its lifetime budget', () => {
    const facts = factsFrom(simulate(withBrand({ lifetime: 50 })), 'SPONSORED_BRANDS')
    expect(spend(facts)).toBeGreaterThan(45e6)
    expect(spend(facts)).toBeLessThanOrEqual(50e6)
  })
})

test('Sponsored Display appears on product pages, and some buyers only saw the ad', () => {
  const store = smallWorld({ bid: 0.02 })
  const { asin, sku } = store.productAds.get('a') ?? expect.unreachable()
  const parents = { campaignId: 'sd', adGroupId: 'sdg', ...stamp }
  const campaign = { tactic: 'T00020', costType: 'VCPM', budgetMicros: 5e9 } as const
  store.displayCampaigns.set('sd', { ...stamp, ...dates, ...campaign, campaignId: 'sd', name: 'sd' })
  const group = { defaultBidMicros: 60e6, bidOptimization: 'REACH', creativeType: 'IMAGE' } as const
  store.displayAdGroups.set('sdg', { ...parents, ...group, name: 'sdg' })
  store.displayAds.set('sda', { ...parents, adId: 'sda', asin, sku, adName: null })
  const target = { expression: [{ type: 'similarProduct' }], expressionType: 'MANUAL', bidMicros: null } as const
  store.displayTargets.set('sdt', { ...parents, ...target, expression: [...target.expression], targetId: 'sdt' })
  const facts = factsFrom(simulate(store), 'SPONSORED_DISPLAY')
  expect(facts.length).toBeGreaterThan(100)
  expect(facts.every(fact => /^b0[a-z0-9]{8}$/.test(fact.searchTerm))).toBe(true)
  const purchases = facts.flatMap(fact => fact.purchases)
  expect(purchases.some(purchase => purchase.byView)).toBe(true)
})

describe('a market event', () => {
  const day = Date.parse('2026-11-10T08:00:00Z')
  const under = (factors: Partial<Record<'demand' | 'rivals' | 'conversion', number>>): Store => {
    const store = busyWorld({ bid: 3 })
    const event = { eventId: 'e', profileId, categoryId: null, from: day, to: day + DAY }
    store.marketEvents.set('e', { ...event, demand: 1, rivals: 1, conversion: 1, ...factors })
    return store
  }
  const on = (facts: readonly Fact[]): Fact[] => facts.filter(fact => fact.day === '2026-11-10')
  // Buyers wait for a great day, and on Mondays rivals look back and may answer.
  const others = (facts: readonly Fact[]): Fact[] =>
    facts.filter(fact => fact.day < '2026-11-06' || (fact.day > '2026-11-10' && fact.day < '2026-11-16'))
  const orders = (facts: readonly Fact[]): number => sum(facts, fact => fact.orders.d30)
  const usual = factsOf(simulate(busyWorld({ bid: 3 })))

  test('brings more shoppers, who buy as usual, on its day alone', () => {
    const holiday = factsOf(simulate(under({ demand: 3 })))
    expect(spend(on(holiday))).toBeGreaterThan(2 * spend(on(usual)))
    expect(orders(on(holiday))).toBeGreaterThan(1.5 * orders(on(usual)))
    expect(others(holiday)).toEqual(others(usual))
  })

  test('lets buyers wait for a great day that is near', () => {
    const soon = (change: Parameters<typeof under>[0]): number => {
      const waiting = [1, 2, 3, 4, 5, 6]
        .flatMap(seed => factsOf(simulate(under(change), seed)))
        .filter(fact => fact.day >= '2026-11-06' && fact.day < '2026-11-09')
      expect(sum(waiting, fact => fact.orders.d30)).toBeGreaterThan(40)
      return sum(waiting, fact => fact.orders.d1) / sum(waiting, fact => fact.orders.d7)
    }
    expect(soon({ demand: 3 })).toBeLessThan(soon({ demand: 1.5 }) - 0.15)
  })

  test('lets shoppers click and not buy, and clicks cost less where rivals bid less', () => {
    const unsold = on(factsOf(simulate(under({ conversion: 0 }))))
    expect(orders(unsold)).toBe(0)
    expect(spend(unsold)).toBe(spend(on(usual)))
    const price = (facts: readonly Fact[]): number => spend(facts) / sum(facts, fact => fact.clicks)
    const easy = on(factsOf(simulate(under({ rivals: 0.4 }))))
    expect(price(easy)).toBeLessThan(0.8 * price(on(usual)))
    expect(impressions(easy)).toBeGreaterThan(1.1 * impressions(on(usual)))
  })

  test('does the same in one step or in many, and nothing to another account', () => {
    const advanced = (stepMs: number): Fact[] => {
      const market = createMarket(under({ demand: 3, rivals: 2 }), { seed: 5, startsAt: new Date(MADE) })
      market.advance(new Date(MADE + HOUR))
      for (let at = MADE + HOUR; at < now.getTime(); at += stepMs) market.advance(new Date(at))
      market.advance(now)
      return factsOf(market)
    }
    expect(advanced(7 * HOUR)).toEqual(advanced(40 * DAY))
    const elsewhere = under({ demand: 3 })
    const event = elsewhere.marketEvents.get('e') ?? expect.unreachable()
    elsewhere.marketEvents.set('e', { ...event, profileId: 1 })
    expect(factsOf(simulate(elsewhere))).toEqual(usual)
  })
})
