import { describe, expect, test } from 'vitest'
import type { Store, Campaign } from '../core/model/store.ts'
import { createLocalHours, HOUR_MS } from './local-hours.ts'
import {
  busyWorld,
  factsOf,
  later,
  MADE,
  simulate,
  now,
  profileId,
  smallWorld,
  sum,
} from '../../../tests/support/market-world.ts'
import type { Fact } from './market.ts'
import { rankAmong } from './records/search-term-ranks.ts'
import { createQueryIndex, type Query } from './queries/queries.ts'
import { createListing, type Listing, relevance } from './queries/listing.ts'
import { productSlotsOf } from './simulation/auction.ts'
import { createConditions } from './simulation/conditions.ts'
import { demandFactor } from './simulation/demand.ts'
import { Standings } from './simulation/standings.ts'

const SEED = 5
const shareOf = (facts: readonly Fact[]): number =>
  sum(facts, fact => fact.wonAtTop) / sum(facts, fact => fact.eligibleAtTop)

function raised(percentage: number): Store {
  const store = busyWorld({ bid: 1 })
  const campaign = store.campaigns.get('c') ?? expect.unreachable()
  store.campaigns.set('c', { ...campaign, placements: [{ placement: 'PLACEMENT_TOP', percentage }] })
  return store
}

/** The campaign's searches and product, made again from the seed, without the market. */
interface Auctions {
  campaign: Campaign
  listing: Listing
  bidMicros: number
  closeness: number
  queryOf: (text: string) => Query
}
function auctionsOf(store: Store): Auctions {
  const campaign = store.campaigns.get('c') ?? expect.unreachable()
  const { marketplaceId } = store.profiles.get(profileId) ?? expect.unreachable()
  const ad = store.productAds.get('a') ?? expect.unreachable()
  const keyword = store.keywords.get('k') ?? expect.unreachable()
  const listed = [...store.products.values()].filter(product => product.marketplaceId === marketplaceId)
  const product = listed.find(one => one.sku === ad.sku) ?? expect.unreachable()
  const { queries } = createQueryIndex(marketplaceId, listed, SEED)
  return {
    campaign,
    listing: createListing(product, SEED, product.priceMicros),
    bidMicros: keyword.bidMicros ?? expect.unreachable(),
    closeness: keyword.matchType === 'EXACT' ? 1.08 : 0.93,
    queryOf: text => queries.find(query => query.text === text) ?? expect.unreachable(),
  }
}

const localHour = createLocalHours('America/Los_Angeles')
const noEffect = { demand: 1, rivals: 1, conversion: 1 }
const conditions = createConditions({
  seed: SEED,
  drift: 'calm',
  effectOf: () => noEffect,
  answerOf: () => 1,
  standings: new Standings(),
})

/** What the campaign can expect of a query in an hour of average demand, under the conditions of that hour. */
function topOf({ campaign, listing, bidMicros, closeness }: Auctions, query: Query, hour: number) {
  const match = { query, listing, fit: relevance(query, listing) }
  const at = conditions.at(match, { hour, local: localHour(hour) }, Math.floor(MADE / HOUR_MS))
  const slots = productSlotsOf({ ...match, closeness }, bidMicros, campaign, at)
  const top = slots.find(slot => slot.placement === 'PLACEMENT_TOP') ?? expect.unreachable()
  return { top, all: slots.reduce((total, slot) => total + slot.impressions, 0) }
}

describe('the share of impressions at the top of search', () => {
  test('the share rises with the bid and stays between 0 and 1', () => {
    const shares = [0.2, 0.5, 1, 2, 5].map(bid => {
      const facts = factsOf(simulate(busyWorld({ bid })))
      for (const { wonAtTop, eligibleAtTop } of facts) expect(wonAtTop).toBeLessThanOrEqual(eligibleAtTop)
      return shareOf(facts)
    })
    for (const [i, share] of shares.entries()) expect(share).toBeGreaterThan(i === 0 ? 0 : (shares[i - 1] as number))
    expect(shares.at(-1)).toBeLessThan(1)
  })

  test('the share rises with the placement adjustment', () => {
    const shares = [0, 50, 300].map(percentage => shareOf(factsOf(simulate(raised(percentage)))))
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares[2]).toBeGreaterThan((shares[0] as number) * 2)
  })

  test('the share of one campaign on one day follows from its auctions of that day', () => {
    const store = busyWorld({ bid: 1 })
    const auctions = auctionsOf(store)
    const day = factsOf(simulate(store)).filter(fact => fact.day === '2026-10-30')
    expect(day.length).toBeGreaterThan(20)
    const won = sum(day, fact => (fact.placement === 'PLACEMENT_TOP' ? fact.impressions : 0))
    expect(won).toBeGreaterThan(0)
    expect(sum(day, fact => fact.wonAtTop)).toBe(won)
    const lost = sum(day, fact => {
      const { top, all } = topOf(auctions, auctions.queryOf(fact.searchTerm), fact.at / HOUR_MS)
      return (fact.impressions * (top.available - top.impressions)) / all
    })
    const eligible = sum(day, fact => fact.eligibleAtTop)
    // Each line is rounded to a whole auction.
    expect(Math.abs(eligible - won - lost)).toBeLessThan(day.length)
    expect(won / eligible).toBeCloseTo(won / (won + lost), 2)
  })

  test('a month has as many auctions as shoppers searched, and the bid wins its share of them', () => {
    const store = smallWorld({ bid: 1 })
    const auctions = auctionsOf(store)
    const query = auctions.queryOf('water bottle')
    let [available, won] = [0, 0]
    for (let hour = Date.parse('2026-10-22T12:00:00Z') / HOUR_MS; hour < now.getTime() / HOUR_MS - 1; hour++) {
      const demand = demandFactor(query.categoryId, localHour(hour), SEED)
      const { top } = topOf(auctions, query, hour)
      available += demand * top.available
      won += demand * top.impressions
    }
    const facts = factsOf(simulate(store)).filter(fact => fact.searchTerm === 'water bottle')
    const eligible = sum(facts, fact => fact.eligibleAtTop)
    expect(eligible / available).toBeGreaterThan(0.85)
    expect(eligible / available).toBeLessThan(1.15)
    expect(shareOf(facts) / (won / available)).toBeGreaterThan(0.8)
    expect(shareOf(facts) / (won / available)).toBeLessThan(1.2)
  })

  test('product pages have no top of search', () => {
    const store = busyWorld({ bid: 1 })
    store.keywords.clear()
    const group = store.adGroups.get('g') ?? expect.unreachable()
    const { defaultBidMicros: _, name: __, ...parents } = group
    const expression = [{ type: 'ASIN_SUBSTITUTE_RELATED' }]
    store.targets.set('t', { ...parents, targetId: 't', expression, expressionType: 'AUTO', bidMicros: 2e6 })
    const facts = factsOf(simulate(store))
    expect(facts.length).toBeGreaterThan(20)
    expect(sum(facts, fact => fact.eligibleAtTop)).toBe(0)
  })
})

describe('the rank for a search term', () => {
  const rankOf = (bid: number, text = 'water bottle') =>
    simulate(smallWorld({ bid })).searchTermRanks(profileId, [text], now)[0] ?? null

  test('a seller who outbids everybody ranks first, and the rank falls with the bid', () => {
    const [high, middle, low] = [50, 1, 0.25].map(bid => rankOf(bid) ?? expect.unreachable())
    expect(high?.rank).toBe(1)
    expect(high?.share).toBeGreaterThan(0.8)
    expect(middle?.share).toBeLessThan(high?.share ?? 0)
    expect(low?.share).toBeLessThan(middle?.share ?? 0)
    expect(low?.share).toBeGreaterThan(0)
    expect(low?.rank).toBeGreaterThan(3)
    for (const one of [high, middle, low]) expect(one?.share).toBeLessThanOrEqual(1)
  })

  test('close variants of a search term rank together, and there is no rank without impressions', () => {
    expect(rankOf(1, 'Water Bottles')).toEqual(rankOf(1))
    expect(rankOf(1, 'steel water bottle')).toBeNull()
    const market = simulate(smallWorld({ bid: 1 }))
    expect(market.searchTermRanks(profileId, ['water bottle'], later(60))).toEqual([null])
  })

  test('an account ranks among rivals who share what it did not win', () => {
    expect(rankAmong(1000, 0, 10)).toBe(1)
    expect(rankAmong(1, 1_000_000, 10)).toBe(11)
    // The odds of four rivals are 1 to 7, 3 to 5, 5 to 3 and 7 to 1: of 1,600 they have 24, 102, 283 and 1,190.
    expect([0, 50, 150, 600, 1300].map(won => rankAmong(won, 1600, 4))).toEqual([5, 4, 3, 2, 1])
  })
})
