import { describe, expect, test } from 'vitest'
import {
  busyWorld,
  DAY,
  factsOf,
  HOUR,
  later,
  MADE,
  now,
  profileId,
  simulate,
  smallWorld,
  sum,
} from '../../../tests/support/market-world.ts'
import { createMarket } from './create-market.ts'
import { createLocalHours } from './local-hours.ts'
import type { Drift, Fact } from './market.ts'
import { createListing } from './queries/listing.ts'
import { createQueryIndex } from './queries/queries.ts'
import { createRandom, mix } from './random.ts'
import { Sales } from './records/sales.ts'
import { categoryConversion, fortuneAt } from './simulation/conversion.ts'
import { demandFactor } from './simulation/demand.ts'
import { timesOfConversion, withinWeek } from './simulation/lag.ts'
import { leastRivals, rivalsAt } from './simulation/rivals.ts'
import { Standings } from './simulation/standings.ts'
import { wander } from './simulation/wander.ts'

const store = smallWorld()
const products = [...store.products.values()].filter(one => one.marketplaceId === 'ATVPDKIKX0DER')
const product = products[0] ?? expect.unreachable()
const { queries } = createQueryIndex('ATVPDKIKX0DER', products, 5)
const listing = createListing(product, 5, product.priceMicros)
const meanOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length
const deviationOf = (values: readonly number[]): number => {
  const mean = meanOf(values)
  return Math.sqrt(meanOf(values.map(value => (value - mean) ** 2)))
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('what moves by itself', () => {
  test('a path has its spread and half-life, whichever days are asked for first', () => {
    const paths = numbers(2000).map(i => [0, 20, 40].map(days => wander(mix(i, 9), 20_000 + days, 20)))
    const [first, later20, later40] = [0, 1, 2].map(i => paths.map(path => path[i] as number))
    expect(deviationOf(first ?? [])).toBeCloseTo(1, 1)
    const correlation = (other: readonly number[] = []): number =>
      meanOf(paths.map((path, i) => (path[0] ?? 0) * (other[i] ?? 0)))
    expect(correlation(later20)).toBeCloseTo(0.5, 1)
    expect(correlation(later40)).toBeCloseTo(0.25, 1)
    const backwards = numbers(50).map(i => [40, 20, 0].map(days => wander(mix(i, 9), 20_000 + days, 20)).reverse())
    expect(backwards).toEqual(paths.slice(0, 50))
  })

  test('rivals wander by 20 to 30 % in a drifting market and little in a calm one, and their money runs out at night', () => {
    const at = (day: number, hour: number, drift: Drift, query = queries[0] ?? expect.unreachable()): number =>
      Math.log(rivalsAt(query, { day, hour, weekday: 0 }, drift))
    const spreads = (drift: Drift): number =>
      meanOf(
        queries.slice(0, 200).map(query => deviationOf(numbers(150).map(i => at(18_000 + 20 * i, 10, drift, query)))),
      )
    expect(spreads('drifting')).toBeGreaterThan(0.2)
    expect(spreads('drifting')).toBeLessThan(0.35)
    expect(spreads('calm')).toBeLessThan(0.15)
    const night = meanOf(queries.map(query => at(20_000, 23, 'calm', query) - at(20_000, 17, 'calm', query)))
    expect(night).toBeLessThan(-0.08)
    for (const query of queries.slice(0, 50))
      for (const i of numbers(200))
        expect(rivalsAt(query, { day: 18_000 + i, hour: i % 24, weekday: 0 }, 'drifting')).toBeGreaterThanOrEqual(
          leastRivals(query, 'drifting'),
        )
  })

  test('shoppers buy at some hours up to a third more, and over a year as much as always', () => {
    const localHour = createLocalHours('UTC')
    const hours = numbers(365 * 24).map(i => localHour(480_000 + i))
    for (const seed of [1, 2, 3]) {
      const [demand, conversion] = [demandFactor, categoryConversion].map(of =>
        hours.map(one => of('289742', one, seed)),
      )
      const orders = meanOf((conversion ?? []).map((factor, i) => factor * (demand?.[i] as number)))
      expect(orders / meanOf(demand ?? [])).toBeGreaterThan(0.93)
      expect(orders / meanOf(demand ?? [])).toBeLessThan(1.07)
      expect(Math.max(...(conversion ?? []))).toBeLessThan(1.36 * 1.16 * 1.11)
    }
    const fortunes = (drift: Drift): number =>
      deviationOf(numbers(400).map(i => Math.log(fortuneAt(listing, 15_000 + 9 * i, drift).conversion)))
    expect(fortunes('drifting')).toBeGreaterThan(2 * fortunes('calm'))
  })

  test('a drifting market with rare searches is the same in one step, in many, and with a restart in between', () => {
    const options = { seed: 5, startsAt: new Date(MADE), drift: 'drifting', tail: true } as const
    const once = createMarket(busyWorld({ bid: 3 }), options)
    once.advance(new Date(MADE + HOUR))
    once.advance(now)
    const world = busyWorld({ bid: 3 })
    let steps = createMarket(world, options)
    steps.advance(new Date(MADE + HOUR))
    for (let at = MADE + HOUR; at < now.getTime(); at += 31 * HOUR) steps.advance(new Date(at))
    const saved = JSON.parse(JSON.stringify(steps.dump()))
    steps = createMarket(world, options)
    steps.restore(saved)
    steps.advance(now)
    expect(factsOf(steps)).toEqual(factsOf(once))
    expect(JSON.stringify(steps.dump().memory)).toBe(JSON.stringify(once.dump().memory))
    expect(factsOf(once)).not.toEqual(factsOf(simulate(busyWorld({ bid: 3 }))))
    const termsOf = (facts: readonly Fact[]) => [...Map.groupBy(facts, fact => fact.searchTerm).values()]
    expect(termsOf(factsOf(once)).length).toBeGreaterThan(
      1.5 * termsOf(factsOf(simulate(busyWorld({ bid: 3 })))).length,
    )
    const rare = termsOf(factsOf(once)).filter(facts => [1, 2, 3, 4].includes(sum(facts, fact => fact.clicks)))
    expect(rare.length).toBeGreaterThan(15)
  })
})

test('rivals who lose their share answer within weeks, those of a steady account do not', () => {
  const answersAfter = (bid: number): number[] => {
    const world = busyWorld({ bid: 0.5 })
    const market = simulate(world)
    const keyword = world.keywords.get('k') ?? expect.unreachable()
    world.keywords.set('k', { ...keyword, bidMicros: bid * 1e6 })
    market.advance(later(35))
    return (market.dump().memory?.answers ?? []).flatMap(([, { answers }]) => answers.map(([, level]) => level))
  }
  const [steady, raised] = [answersAfter(0.5), answersAfter(4)]
  expect(raised.length).toBeGreaterThan(5)
  expect(meanOf(raised)).toBeGreaterThan(meanOf(steady) + 0.2)
})

describe('what sales do to a listing', () => {
  const localHour = createLocalHours('UTC')
  /** Lives through days with so many orders each, with or without stock. */
  function live(standings: Standings, days: readonly [from: number, to: number], orders: number, inStock = true): void {
    const sales = new Sales()
    for (let hour = days[0] * 24; hour < days[1] * 24; hour++) {
      const local = localHour(480_000 + hour)
      if (local.hour === 3) sales.add(listing.key, hour, local.day, [orders, orders, 1e6 * orders, orders, orders])
      standings.pass(listing, local, { demand: 1, inStock }, sales)
    }
  }
  const usual = 24 * listing.organicOrders

  test('more orders than usual raise its rank after some days, and a time without stock costs rank and buyers for weeks', () => {
    const [advertised, absent] = [new Standings(), new Standings()]
    live(advertised, [0, 3], 3 * usual)
    const soon = advertised.rankOf(listing)
    live(advertised, [3, 30], 3 * usual)
    expect(soon).toBeGreaterThan(1)
    expect(advertised.rankOf(listing)).toBeGreaterThan(soon + 0.1)
    live(absent, [0, 20], 0, false)
    const [rank, trust] = [absent.rankOf(listing), absent.trustOf(listing)]
    expect(rank).toBeLessThan(0.85)
    expect(trust).toBeLessThan(0.7)
    live(absent, [20, 25], usual)
    expect(absent.trustOf(listing)).toBeLessThan(0.9)
    live(absent, [25, 45], usual)
    expect(absent.trustOf(listing)).toBeGreaterThan(0.97)
    expect(absent.rankOf(listing)).toBeGreaterThan(rank + 0.1)
  })

  test('an order that would have come anyway is missing among the others', () => {
    const standings = new Standings()
    live(standings, [0, 1], usual)
    standings.owe(listing)
    expect([standings.settle(listing, 2), standings.settle(listing, 2)]).toEqual([1, 2])
    const [brand, others] = [true, false].map(own =>
      queries.filter(query => (query.kind === 'own-brand') === own).map(query => query.loyalty),
    )
    expect(Math.min(...(brand ?? []))).toBeGreaterThanOrEqual(0.4)
    expect(Math.max(...(brand ?? []))).toBeLessThanOrEqual(0.7)
    expect(Math.max(...(others ?? []))).toBeLessThanOrEqual(0.15)
  })
})

test('buyers of dear things take longer, by the share that judges expect', () => {
  const [cheap, dear] = [0.4, 8].map(times =>
    createListing({ ...product, priceMicros: product.priceMicros * times }, 5, 1e7),
  )
  expect(dear?.slowness).toBeGreaterThan(1.5 * (cheap?.slowness ?? 0))
  const random = createRandom(7)
  for (const slowness of [0.5, 1, 2]) {
    const delays = numbers(20_000).map(() => timesOfConversion({ slowness, rushIn: null }, random).delayHours)
    expect(delays.filter(hours => hours < 168).length / delays.length).toBeCloseTo(withinWeek(slowness), 2)
    expect(delays.filter(hours => hours < 24).length / delays.length).toBeCloseTo(1 - 0.2 * slowness, 1)
  }
})

test('a suggested bid is about right, changes every few days, and is missing for words that hardly anybody types', () => {
  const market = simulate(smallWorld())
  const asin = product.asin
  const askedFor = queries.filter(query => query.kind === 'feature')
  const ratios = askedFor.flatMap(({ text, rivalBidMicros }) => {
    const range = market.suggestBid(profileId, [asin], { type: 'KEYWORD_EXACT_MATCH', value: text })
    return range ? [range.medianMicros / (1.05 * rivalBidMicros)] : []
  })
  expect(ratios.length).toBeGreaterThan(30)
  expect(meanOf(ratios)).toBeGreaterThan(0.85)
  expect(meanOf(ratios)).toBeLessThan(1.15)
  expect(deviationOf(ratios)).toBeGreaterThan(0.1)
  expect(deviationOf(ratios)).toBeLessThan(0.35)
  const bidOf = (value: string) => market.suggestBid(profileId, [asin], { type: 'KEYWORD_EXACT_MATCH', value })
  const before = bidOf('water bottle')
  market.advance(new Date(now.getTime() + 6 * DAY))
  expect(bidOf('water bottle')).not.toEqual(before)
  expect(bidOf('water bottle my grandmother had')).toBeNull()
})
