import { describe, expect, test } from 'vitest'
import { scenarios } from '../../scenarios/scenarios.ts'
import type { Campaign } from '../../core/model/store.ts'
import { createListing } from '../queries/listing.ts'
import { createQueryIndex, type Query } from '../queries/queries.ts'
import { productSlotsOf } from './auction.ts'

const { store } = scenarios.demo?.({ now: new Date('2026-11-21T11:30:00Z') }) ?? expect.unreachable()
const product = [...store.products.values()][0] ?? expect.unreachable()
const campaign: Campaign = {
  ...([...store.campaigns.values()][0] ?? expect.unreachable()),
  placements: [],
  strategy: 'MANUAL',
}
const listing = createListing(product, 5, product.priceMicros)
const query =
  createQueryIndex(product.marketplaceId, [product], 5).queries.find(one => one.kind === 'head') ?? expect.unreachable()

function total(bid: number, change: Partial<Campaign> = {}, fit = 1): number {
  return productSlotsOf({ query, listing, fit }, bid, { ...campaign, ...change }).reduce(
    (sum, slot) => sum + slot.impressions,
    0,
  )
}

describe('a bid', () => {
  test('wins more as it rises, never everything; a click costs less than the bid, ever more below it', () => {
    const topSlot = (bid: number) =>
      productSlotsOf({ query, listing, fit: 1 }, bid, campaign)[0] ?? expect.unreachable()
    for (let bid = 0.1 * query.rivalBidMicros; bid < 20 * query.rivalBidMicros; bid *= 1.5) {
      const [slot, higher] = [topSlot(bid), topSlot(bid * 1.5)]
      expect(higher.impressions).toBeGreaterThan(slot.impressions)
      expect(slot.impressions).toBeLessThan(slot.available)
      expect(slot.costMicros).toBeLessThan(bid)
      expect(higher.costMicros).toBeGreaterThan(slot.costMicros)
    }
    expect(topSlot(0).impressions).toBe(0)
  })

  test('is raised for a placement there and nowhere else', () => {
    const plain = productSlotsOf({ query, listing, fit: 1 }, 1e6, campaign)
    const raised = productSlotsOf({ query, listing, fit: 1 }, 1e6, {
      ...campaign,
      placements: [{ placement: 'PLACEMENT_TOP', percentage: 200 }],
    })
    expect(raised[0]?.impressions).toBeGreaterThan((plain[0]?.impressions ?? 0) * 1.3)
    expect(raised[0]?.capMicros).toBe(3e6)
    expect(raised.slice(1)).toEqual(plain.slice(1))
  })

  test('is raised for business shoppers on top of the placement, and apart from the others', () => {
    const placements: Campaign['placements'] = [
      { placement: 'PLACEMENT_TOP', percentage: 50 },
      { placement: 'SITE_AMAZON_BUSINESS', percentage: 100 },
    ]
    const slots = productSlotsOf({ query, listing, fit: 1 }, 1e6, { ...campaign, placements })
    expect(slots.map(slot => [slot.placement, slot.capMicros])).toEqual([
      ['PLACEMENT_TOP', 1.5e6],
      ['SITE_AMAZON_BUSINESS', 3e6],
      ['PLACEMENT_REST_OF_SEARCH', 1e6],
      ['SITE_AMAZON_BUSINESS', 2e6],
      ['PLACEMENT_PRODUCT_PAGE', 1e6],
      ['SITE_AMAZON_BUSINESS', 2e6],
    ])
  })

  test('never passes bid × placement × business × twice, whatever the strategy', () => {
    const placements: Campaign['placements'] = [
      { placement: 'PLACEMENT_TOP', percentage: 900 },
      { placement: 'SITE_AMAZON_BUSINESS', percentage: 50 },
    ]
    for (const fit of [0.01, 0.5, 1, 1.5, 4]) {
      const caps = (strategy: Campaign['strategy']): number =>
        Math.max(
          ...productSlotsOf({ query, listing, fit }, 1e6, { ...campaign, strategy, placements }).map(
            slot => slot.capMicros,
          ),
        )
      expect(caps('AUTO_FOR_SALES')).toBeLessThanOrEqual(1e6 * 10 * 1.5 * 2)
      expect(caps('LEGACY_FOR_SALES')).toBeLessThanOrEqual(1e6 * 10 * 1.5)
      expect(caps('MANUAL')).toBe(1e6 * 10 * 1.5)
    }
  })

  test('falls for a poor fit under down only, may rise under up and down, and stays when fixed', () => {
    expect(total(1e6, { strategy: 'LEGACY_FOR_SALES' }, 0.4)).toBeLessThan(total(1e6, {}, 0.4))
    // Whatever the marketplace guesses, it sees that this fits.
    expect(total(1e6, { strategy: 'LEGACY_FOR_SALES' }, 3)).toBe(total(1e6, {}, 3))
    expect(total(1e6, { strategy: 'AUTO_FOR_SALES' }, 3)).toBeGreaterThan(total(1e6, {}, 3))
  })
})

describe('the curves of a query', () => {
  const { queries } = createQueryIndex(product.marketplaceId, [product], 5)
  const topAt = (one: Query, bid: number) =>
    productSlotsOf({ query: one, listing, fit: 1 }, bid, campaign)[0] ?? expect.unreachable()
  const elasticityOf = (one: Query, figure: 'costMicros' | 'impressions', times: number): number => {
    const [low, high] = [0.9, 1.1].map(step => topAt(one, one.rivalBidMicros * times * step)[figure])
    return Math.log((high ?? 0) / (low ?? 0)) / Math.log(1.1 / 0.9)
  }
  const quantiles = (values: number[]): number[] => {
    const sorted = values.toSorted((a, b) => a - b)
    return [0.05, 0.5, 0.95].map(share => sorted[Math.floor(share * sorted.length)] as number)
  }

  test('prices of clicks follow bids with an elasticity of 0.6 to 0.8, other for each query', () => {
    const prices = quantiles(queries.map(one => elasticityOf(one, 'costMicros', 1)))
    expect(prices[0]).toBeGreaterThan(0.6)
    expect(prices[2]).toBeLessThan(0.85)
    expect((prices[2] ?? 0) - (prices[0] ?? 0)).toBeGreaterThan(0.1)
  })

  test('auctions won follow bids more steeply where rivals bid alike', () => {
    const won = quantiles(queries.map(one => elasticityOf(one, 'impressions', 0.3)))
    expect(won[0]).toBeLessThan(1.5)
    expect(won[2]).toBeGreaterThan(2.8)
  })

  test('an ad meant for the very query wins a little more than one meant for many, at any bid', () => {
    for (const bid of [0.3e6, 1e6, 3e6]) {
      const [close, wide] = [1.08, 0.93].map(closeness =>
        productSlotsOf({ query, listing, fit: 1, closeness }, bid, campaign).reduce(
          (sum, one) => sum + one.impressions,
          0,
        ),
      )
      expect(close).toBeGreaterThan(wide ?? 0)
      expect(close).toBeLessThan((wide ?? 0) * 1.6)
    }
  })
})

test('a dearer product sells less per click, by its elasticity, and gets fewer clicks', () => {
  const dear = createListing({ ...product, priceMicros: product.priceMicros * 2 }, 5, product.priceMicros)
  const [plain, raised] = [listing, dear].map(
    one => productSlotsOf({ query, listing: one, fit: 1 }, 1e6, campaign)[1] ?? expect.unreachable(),
  )
  expect((raised?.conversion ?? 0) / (plain?.conversion ?? 0)).toBeCloseTo(2 ** -listing.elasticity)
  expect((raised?.clickRate ?? 0) / (plain?.clickRate ?? 0)).toBeCloseTo(2 ** (-0.3 * listing.elasticity))
})
