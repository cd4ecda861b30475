import { describe, expect, test } from 'vitest'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { scenarios } from '../scenarios/scenarios.ts'
import { createMarket } from './create-market.ts'
import {
  HOUR,
  DAY,
  now,
  later,
  US,
  MADE,
  smallWorld,
  profileId,
  busyWorld,
  simulate,
  factsOf,
  sum,
  inOrder,
  spend,
} from '../../../tests/support/market-world.ts'
import type { Fact } from './market.ts'

describe('the auction', () => {
  test('raising a bid raises spend, and each step buys fewer clicks for its money', () => {
    const bids = [0.75, 1.5, 3, 6]
    const runs = bids.map(bid => factsOf(simulate(smallWorld({ bid }))))
    const costs = runs.map(spend)
    for (let i = 1; i < bids.length; i++) expect(costs[i]).toBeGreaterThan(costs[i - 1] as number)
    const clicks = runs.map(facts => sum(facts, fact => fact.clicks))
    const perMoney = costs.map((cost, i) => (clicks[i] as number) / cost)
    for (let i = 1; i < bids.length; i++) expect(perMoney[i]).toBeLessThan(perMoney[i - 1] as number)
  })

  test('no click costs more than the bid', () => {
    const facts = factsOf(simulate(busyWorld({ bid: 0.83 }))).filter(fact => fact.clicks > 0)
    expect(facts.length).toBeGreaterThan(30)
    for (const fact of facts) expect(fact.costMicros / fact.clicks).toBeLessThanOrEqual(830_000)
  })

  test('relevant queries sell, and irrelevant ones do not at any price', () => {
    const facts = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(seed => factsOf(simulate(busyWorld({ bid: 20 }), seed)))
    const irrelevant = ['disposable', 'label maker', 'glass baby', 'cleaning tablets']
    const isIrrelevant = (fact: Fact): boolean => irrelevant.some(word => fact.searchTerm.startsWith(word))
    const rate = (some: readonly Fact[]): number => sum(some, fact => fact.orders.d30) / sum(some, fact => fact.clicks)
    expect(sum(facts.filter(isIrrelevant), fact => fact.clicks)).toBeGreaterThan(200)
    expect(rate(facts.filter(isIrrelevant))).toBeLessThan(0.01)
    expect(rate(facts.filter(fact => !isIrrelevant(fact)))).toBeGreaterThan(0.02)
    expect(rate(facts.filter(fact => !isIrrelevant(fact)))).toBeLessThan(0.2)
  })
})

describe('negatives', () => {
  test('a negative blocks exactly the queries it matches', () => {
    const plain = factsOf(simulate(smallWorld({ text: 'water bottle', matchType: 'BROAD' })))
    const store = smallWorld({ text: 'water bottle', matchType: 'BROAD' })
    store.negativeKeywords.set('n', {
      keywordId: 'n',
      adGroupId: null,
      campaignId: 'c',
      profileId,
      keywordText: 'kids',
      matchType: 'NEGATIVE_PHRASE',
      state: 'ENABLED',
      createdAt: MADE - DAY,
      updatedAt: MADE - DAY,
    })
    const blocked = factsOf(simulate(store))
    const isBlocked = (fact: Fact): boolean => fact.searchTerm.split(' ').includes('kids')
    expect(plain.filter(isBlocked).length).toBeGreaterThan(0)
    expect(inOrder(blocked)).toEqual(inOrder(plain.filter(fact => !isBlocked(fact))))
  })
})

describe('budgets', () => {
  const daily = (facts: readonly Fact[]): Map<string, number> => {
    const days = new Map<string, number>()
    for (const fact of facts) days.set(fact.day, (days.get(fact.day) ?? 0) + fact.costMicros)
    return days
  }

  test('a day never costs more than twice its budget, nor a month more than the sum of its days', () => {
    const market = createMarket(busyWorld({ bid: 6, budget: 9 }), { seed: 5, startsAt: new Date(MADE) })
    market.advance(now)
    const days = daily(market.facts(profileId, '2026-10-22', '2026-11-21', new Date(now.getTime() + 12 * HOUR)))
    const unlimited = daily(factsOf(simulate(busyWorld({ bid: 6 }))))
    expect(Math.max(...unlimited.values())).toBeGreaterThan(18e6)
    expect(Math.max(...days.values())).toBeGreaterThan(8e6)
    expect(Math.max(...days.values())).toBeLessThanOrEqual(18e6)
    const november = [...days].filter(([day]) => day.startsWith('2026-11'))
    expect(november.reduce((total, [, cost]) => total + cost, 0)).toBeLessThanOrEqual(9e6 * november.length)
  })

  test('the share of today’s budget grows through the day and starts at zero at the profile’s midnight', () => {
    const store = busyWorld({ bid: 3, budget: 40 })
    const market = createMarket(store, { seed: 5, startsAt: new Date(MADE) })
    const midnight = new Date('2026-11-20T08:00:00Z')
    market.advance(new Date('2026-11-21T07:59:00Z'))
    const noon = market.budgetUsage('c', new Date('2026-11-20T20:00:00Z')).spentMicros
    const night = market.budgetUsage('c', new Date('2026-11-21T06:59:00Z'))
    expect(night.spentMicros).toBeGreaterThan(noon)
    expect(night.share).toBeCloseTo(night.spentMicros / 40e6)
    expect(market.budgetUsage('c', midnight).spentMicros).toBeLessThan(noon)
  })
})

describe('lateness', () => {
  test('all clicks are reported after 12 hours, and some invalid ones are removed within 72', () => {
    const market = simulate(busyWorld({ bid: 6 }))
    const on = (hours: number): Fact[] =>
      market.facts(profileId, '2026-11-19', '2026-11-19', new Date(Date.parse('2026-11-20T08:00:00Z') + hours * HOUR))
    const impressions = (facts: readonly Fact[]): number => sum(facts, fact => fact.impressions)
    const clicks = (facts: readonly Fact[]): number => sum(facts, fact => fact.clicks)
    expect(impressions(on(0))).toBeLessThan(impressions(on(12)))
    expect(impressions(on(12))).toBe(impressions(on(72)))
    expect(clicks(on(72))).toBeLessThanOrEqual(clicks(on(12)))
    const days = Array.from({ length: 20 }, (_, i) => addDays('2026-10-25', i))
    const month = (hours: number): number =>
      days.reduce(
        (total, day) =>
          total +
          clicks(
            market.facts(profileId, day, day, new Date(Date.parse(`${addDays(day, 1)}T08:00:00Z`) + hours * HOUR)),
          ),
        0,
      )
    expect(month(73)).toBeLessThan(month(12))
    expect(month(73)).toBeGreaterThan(month(12) * 0.9)
    expect(month(73)).toBe(month(1000))
  })

  test('orders of a day grow, and are final after the attribution window and the last restatement', () => {
    const market = simulate(busyWorld({ bid: 6 }))
    const on = (day: string, asOf: Date): Fact[] => market.facts(profileId, day, day, asOf)
    const after = (day: string, days: number): Date => new Date(Date.parse(`${day}T08:00:00Z`) + days * DAY)
    const days = Array.from({ length: 20 }, (_, i) => addDays('2026-10-25', i))
    const orders = (asOfDays: number, window: 'd7' | 'd14'): number =>
      days.reduce((total, day) => total + sum(on(day, after(day, asOfDays)), fact => fact.orders[window]), 0)
    expect(orders(1, 'd7')).toBeLessThan(orders(9, 'd7'))
    for (const day of days) expect(on(day, after(day, 62))).toEqual(on(day, after(day, 300)))
    expect(orders(44, 'd14')).toBe(orders(300, 'd14'))
    expect(orders(37, 'd7')).toBe(orders(300, 'd7'))
  })

  test('a longer attribution window never counts less', () => {
    for (const { orders, salesMicros, units } of factsOf(simulate(busyWorld({ bid: 6 })))) {
      for (const windows of [orders, salesMicros, units]) {
        expect(windows.d1).toBeLessThanOrEqual(windows.d7)
        expect(windows.d7).toBeLessThanOrEqual(windows.d14)
        expect(windows.d14).toBeLessThanOrEqual(windows.d30)
      }
    }
  })
})

describe('a world’s time', () => {
  test('the same seed gives the same figures, in one step or in many; another seed gives others', () => {
    const steps = createMarket(smallWorld(), { seed: 5, startsAt: new Date(MADE) })
    for (let at = MADE; at < now.getTime(); at += 7 * HOUR) steps.advance(new Date(at))
    steps.advance(now)
    const once = factsOf(simulate(smallWorld()))
    expect(factsOf(steps)).toEqual(once)
    expect(factsOf(simulate(smallWorld(), 6))).not.toEqual(once)
  })

  test('a restart in between changes nothing', () => {
    const store = smallWorld()
    const first = createMarket(store, { seed: 5, startsAt: new Date(MADE) })
    first.advance(new Date(now.getTime() - 10 * DAY))
    const second = createMarket(store, { seed: 5, startsAt: new Date(MADE) })
    second.restore(JSON.parse(JSON.stringify(first.dump())))
    second.advance(now)
    expect(factsOf(second)).toEqual(factsOf(simulate(smallWorld())))
  })

  test('a change counts from its own moment on', () => {
    const store = smallWorld({ bid: 3 })
    const market = simulate(store)
    const campaign = store.campaigns.get('c') ?? expect.unreachable()
    store.campaigns.set('c', { ...campaign, state: 'PAUSED', updatedAt: now.getTime() })
    market.advance(later(3))
    expect(market.facts(profileId, '2026-11-22', '2026-11-24', later(9))).toEqual([])
    expect(factsOf(market).length).toBeGreaterThan(100)
  })

  test('the night when clocks go back has a 25th hour, and every figure belongs to one day', () => {
    const market = simulate(smallWorld({ bid: 6 }))
    const facts = factsOf(market)
    const days = new Set(facts.map(fact => fact.day))
    expect(days.has('2026-11-01')).toBe(true)
    for (const day of days) for (const fact of facts.filter(f => f.day === day)) expect(fact.hour).toBeLessThan(24)
    const apart = [...days].flatMap(day => market.facts(profileId, day, day, later(90)))
    expect(apart).toEqual(facts)
  })
})

describe('stock', () => {
  test('orders use up stock, and a product without stock shows no ad', () => {
    const store = smallWorld({ bid: 6 })
    const market = simulate(store)
    const product = [...store.products.values()].find(p => p.fulfillable === 1_000_000) ?? expect.unreachable()
    Object.assign(product, { fulfillable: 5, inboundWorking: 0, inboundShipped: 0, inboundReceiving: 0 })
    market.advance(later(20))
    expect(product.fulfillable).toBe(0)
    expect(market.facts(profileId, '2026-12-05', '2026-12-10', later(40))).toEqual([])
  })
})

describe('sales', () => {
  test('sales include organic and advertised orders, with more sessions than orders, and nothing of future days', () => {
    const store = busyWorld({ bid: 6 })
    const market = simulate(store)
    const shop = ['A4DRIFTWOODUSX', 'ATVPDKIKX0DER'] as const
    const sales = market.salesByDay(...shop, '2026-10-22', '2026-12-31')
    expect(
      sales
        .map(day => day.day)
        .sort()
        .at(-1),
    ).toBe('2026-11-21')
    for (const day of sales) expect(day.units).toBeGreaterThanOrEqual(day.orders)
    const orders = sales.reduce((total, day) => total + day.orders, 0)
    expect(sales.reduce((total, day) => total + day.sessions, 0)).toBeGreaterThan(orders * 3)
    const asin = factsOf(market)[0]?.asin
    const advertised = sales.filter(day => day.asin === asin).reduce((total, day) => total + day.orders, 0)
    const alone = simulate(scenarios['new-seller']?.({ now }).store ?? expect.unreachable()).salesByDay(
      ...shop,
      '2026-10-22',
      '2026-11-21',
    )
    const organic = alone.filter(day => day.asin === asin).reduce((total, day) => total + day.orders, 0)
    expect(organic).toBeGreaterThan(0)
    expect(advertised).toBeGreaterThan(organic)
  })

  test('the orders of the hours add up to those of the days and end now', () => {
    const market = simulate(busyWorld({ bid: 6 }))
    const shop = ['A4DRIFTWOODUSX', 'ATVPDKIKX0DER'] as const
    const [from, to] = ['2026-11-01', '2026-11-07']
    const week = [startOfDayIn(from, 'America/Los_Angeles'), startOfDayIn('2026-11-08', 'America/Los_Angeles')] as const
    const hours = market.ordersByHour(...shop, ...week)
    const sumOf = (rows: { orders: number; units: number; salesMicros: number }[]): number[] =>
      (['orders', 'units', 'salesMicros'] as const).map(key => rows.reduce((sum, row) => sum + row[key], 0))
    expect(sumOf(hours)).toEqual(sumOf(market.salesByDay(...shop, from, to)))
    expect(new Set(hours.map(row => row.hour)).size).toBeGreaterThan(7 * 12)
    const all = market.ordersByHour(...shop, new Date(0), new Date('2027-06-01T00:00:00Z'))
    expect(Math.max(...all.map(row => row.hour))).toBeLessThan(now.getTime() / 3_600_000)
    const restored = createMarket(busyWorld({ bid: 6 }), { seed: 1, startsAt: now })
    restored.restore(JSON.parse(JSON.stringify(market.dump())))
    expect(restored.ordersByHour(...shop, ...week)).toEqual(hours)
  })
})

describe('suggestions', () => {
  test('suggestions come best first, in the language of the marketplace', () => {
    const { store, seed, startsAt } = scenarios.demo?.({ now }) ?? expect.unreachable()
    const market = createMarket(store, { seed, startsAt })
    for (const profile of store.profiles.values()) {
      const product = [...store.products.values()].find(
        p => p.sellerId === profile.sellerId && p.marketplaceId === profile.marketplaceId,
      )
      const suggestions = market.suggestKeywords(profile.profileId, [product?.asin ?? ''], 20)
      expect(suggestions.length).toBeGreaterThan(5)
      expect(suggestions.map(one => one.score)).toEqual(suggestions.map(one => one.score).sort((a, b) => b - a))
      const bid = market.suggestBid(profile.profileId, [product?.asin ?? ''], {
        type: 'KEYWORD_EXACT_MATCH',
        value: suggestions[0]?.text ?? '',
      })
      expect(bid?.lowMicros).toBeLessThan(bid?.highMicros ?? 0)
      expect(market.suggestCategories(profile.profileId, [product?.asin ?? ''])[0]?.categoryId).toBe(
        product?.categoryId,
      )
    }
    expect(market.suggestBid(US, [], { type: 'KEYWORD_EXACT_MATCH', value: 'zyxwv' })).toBeNull()
  })
})
