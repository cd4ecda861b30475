import { beforeAll, expect, test } from 'vitest'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import type { Store } from '#sandbox/core/model/store.ts'
import { createMarket, type Market } from '../create-market.ts'
import { fraction, mix } from '../random.ts'
import { DAY, HOUR, now, US } from '../../../../tests/support/market-world.ts'
import type { Fact } from '../market.ts'
import { type Expected, expectedKeys, nothing } from './expect.ts'
import { judge } from './judge.ts'
import { multipleOracle, profitOracle } from './oracle.ts'

const DAYS = 25
const marginOf = () => 0.35

interface World {
  store: Store
  market: Market
}

function open(change: (store: Store) => void = () => {}): World {
  const { store } = scenarios.small?.({ now }) ?? {}
  if (!store) throw new Error('no small scenario')
  for (const product of store.products.values()) product.fulfillable = 10_000_000
  change(store)
  const market = createMarket(store, { seed: 11, startsAt: new Date(now.getTime() - DAY), cachesStructure: true })
  market.advance(now)
  return { store, market }
}

const scaleBudgets = (factor: number) => (store: Store) => {
  for (const collection of [store.campaigns, store.brandCampaigns, store.displayCampaigns])
    for (const campaign of collection.values()) campaign.budgetMicros *= factor
}

const countOf = (facts: readonly Fact[]): Omit<Expected, 'profitMicros'> => {
  const sum = nothing()
  for (const fact of facts) {
    sum.impressions += fact.impressions
    sum.clicks += fact.clicks
    sum.costMicros += fact.costMicros
    sum.orders += fact.orders.d30
    sum.salesMicros += fact.salesMicros.d30
    sum.orders7 += fact.orders.d7
    sum.sales7Micros += fact.salesMicros.d7
  }
  return sum
}

/** By how many standard errors the days of a market differ from what the judge expected of each in the morning. */
function differences({ store, market }: World): Record<string, number> {
  const days: { expected: Expected; day: string }[] = []
  let at = new Date('2026-11-22T08:00:00Z')
  for (let i = 0; i < DAYS; i++) {
    market.advance(at)
    days.push({ expected: judge(market, store, US, at).total, day: at.toISOString().slice(0, 10) })
    at = new Date(at.getTime() + DAY)
  }
  market.advance(at)
  const settled = new Date(at.getTime() + 90 * DAY)
  const products = ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY'] as const
  const counts = days.map(({ day }) => countOf(products.flatMap(one => market.facts(US, day, day, settled, one))))
  return Object.fromEntries(
    expectedKeys
      .filter(key => key !== 'profitMicros')
      .map(key => {
        const gaps = days.map(({ expected }, i) => (counts[i] as Expected)[key] - expected[key])
        const mean = gaps.reduce((sum, gap) => sum + gap, 0) / DAYS
        const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / (DAYS - 1)
        return [key, mean / Math.sqrt(variance / DAYS)]
      }),
  )
}

// Where money runs out, the last searches of the day are shown though none of their clicks is paid, and nobody judges those.
const paid = expectedKeys.filter(key => key !== 'profitMicros' && key !== 'impressions')

test.each([
  ['lasts', scaleBudgets(20), [...paid, 'impressions']],
  ['runs out in campaigns', scaleBudgets(0.5), paid],
  [
    'runs out in the account',
    (store: Store) => {
      const profile = store.profiles.get(US)
      if (profile) store.profiles.set(US, { ...profile, dailyBudgetMicros: 30e6 })
    },
    paid,
  ],
])('days bring what was expected of them in the morning, where money %s', (_, change, keys) => {
  const errors = differences(open(change))
  for (const key of keys) expect(Math.abs(errors[key] as number), key).toBeLessThan(3)
})

let world: World
beforeAll(() => {
  world = open()
})

test('the parts of a judgement add up to the whole, and a day without limits is the sum of its hours', () => {
  const { store, market } = world
  const options = { withBudgets: false, marginOf }
  const { total, campaigns, targets } = judge(market, store, US, now, options)
  const hours = Array.from({ length: 24 }, (_, i) => new Date(Date.parse('2026-11-21T08:00:00Z') + i * HOUR))
  const byHour = hours.map(at => judge(market, store, US, at, { ...options, span: 'HOUR' }).total)
  for (const key of expectedKeys) {
    for (const parts of [[...campaigns.values()], [...targets.values()], byHour])
      expect(parts.reduce((sum, part) => sum + part[key], 0) / total[key]).toBeCloseTo(1, 9)
  }
})

const bidsOf = (store: Store, bids: ReadonlyMap<string, number>): void => {
  for (const [id, bidMicros] of bids) {
    const keyword = store.keywords.get(id)
    if (keyword) store.keywords.set(id, { ...keyword, bidMicros })
    const target = store.targets.get(id)
    if (target) store.targets.set(id, { ...target, bidMicros })
  }
}

/** What the judge itself thinks of other bids, for Sponsored Products. */
function withBids({ store, market }: World, bids: ReadonlyMap<string, number>): Expected {
  bidsOf(store, bids)
  const { targets } = judge(market, store, US, now, { withBudgets: false, marginOf })
  const sum = nothing()
  for (const [id, expected] of targets) if (bids.has(id)) for (const key of expectedKeys) sum[key] += expected[key]
  return sum
}

test('no bids are found that bring more than those of the oracles', () => {
  const { store, market } = world
  const best = profitOracle(market, store, US, now, { marginOf })
  const seen = withBids(world, best.bids)
  for (const key of expectedKeys) expect(seen[key] / best.expected[key]).toBeCloseTo(1, 6)
  const limit = best.expected.costMicros / 3
  const poor = profitOracle(market, store, US, now, { marginOf, totalBudgetMicros: limit })
  const most = multipleOracle(market, store, US, now, { marginOf, targetAcos: 0.25 })
  expect(poor.expected.costMicros).toBeLessThanOrEqual(limit)
  expect(most.expected.costMicros / most.expected.sales7Micros).toBeLessThanOrEqual(0.25)
  expect(most.expected.profitMicros).toBeLessThanOrEqual(best.expected.profitMicros)
  for (let i = 0; i < 16; i++) {
    // Half of them shake the best bids a little, the others are all over the place.
    const spread = i % 2 === 0 ? 0.3 : 3
    const base = [best, poor][i % 4 < 2 ? 0 : 1]?.bids ?? best.bids
    const bids = new Map(
      [...base].map(([id, bid], n) => [
        id,
        Math.max(20_000, Math.round((bid / 1e4) * Math.exp(spread * (fraction(mix(i, n)) - 0.5))) * 1e4),
      ]),
    )
    const tried = withBids(world, bids)
    expect(tried.profitMicros).toBeLessThan(best.expected.profitMicros)
    if (tried.costMicros <= limit) expect(tried.profitMicros).toBeLessThan(poor.expected.profitMicros * 1.005)
  }
})
