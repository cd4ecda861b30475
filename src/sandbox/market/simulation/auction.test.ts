import { describe, expect, test } from 'vitest'
import { scenarios } from '../../scenarios/scenarios.ts'
import type { Campaign } from '../../core/model/store.ts'
import { createListing } from '../queries/listing.ts'
import { createQueryIndex } from '../queries/queries.ts'
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
    expect(total(1e6, { strategy: 'LEGACY_FOR_SALES' }, 1.4)).toBe(total(1e6, {}, 1.4))
    expect(total(1e6, { strategy: 'AUTO_FOR_SALES' }, 1.4)).toBeGreaterThan(total(1e6, {}, 1.4))
  })
})

test('a dearer product sells less per click, by its elasticity', () => {
  const dear = createListing({ ...product, priceMicros: product.priceMicros * 2 }, 5, product.priceMicros)
  const [plain, raised] = [listing, dear].map(
    one => productSlotsOf({ query, listing: one, fit: 1 }, 1e6, campaign)[1]?.conversion ?? 0,
  )
  expect((raised ?? 0) / (plain ?? 0)).toBeCloseTo(2 ** -listing.elasticity)
})
