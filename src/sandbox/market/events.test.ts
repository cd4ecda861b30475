import { expect, test } from 'vitest'
import type { EventKindName } from '../core/market-events.ts'
import { marketEvent } from '../core/market-events.ts'
import type { Store } from '../core/model/store.ts'
import { scenarios } from '../scenarios/scenarios.ts'
import { busyWorld, inOrder, MADE, now, profileId, spend, sum } from '../../../tests/support/market-world.ts'
import { createMarket } from './create-market.ts'
import type { Fact } from './market.ts'

const day = '2026-11-12'
const from = Date.parse('2026-11-12T08:00:00Z')
const category = '3741181'

function ample(): Store {
  const store = busyWorld({ bid: 2 })
  for (const product of store.products.values()) product.fulfillable = 1_000_000_000
  return store
}

const [advertised] = [...ample().productAds.values()].map(ad => ad.asin)

/** Facts of the account and all orders of its advertised product, by day, with an event of a day or from a day on. */
function play(
  event?: { kind: EventKindName; size?: number; lastsMs?: number; asin?: string; categoryId?: string },
  seed = 5,
) {
  const store = ample()
  if (event) store.marketEvents.set('e', marketEvent({ eventId: 'e', from, ...event }))
  const market = createMarket(store, { seed, startsAt: new Date(MADE) })
  market.advance(now)
  const facts = market.facts(profileId, '2026-10-22', '2026-11-21', new Date(now.getTime() + 90 * 86_400_000))
  const { sellerId, marketplaceId } = store.profiles.get(profileId) ?? expect.unreachable()
  const sales = market.salesByDay(sellerId, marketplaceId, '2026-11-01', '2026-11-20')
  return { facts, sales: sales.filter(one => one.asin === advertised) }
}
const on = (facts: readonly Fact[], isWithin: (text: string) => boolean): Fact[] =>
  facts.filter(one => isWithin(one.day))
const before = (facts: readonly Fact[]): string[] => inOrder(on(facts, text => text < day)).map(withoutOrders)
/** Orders come days after a click, so an event changes what became of earlier ones. */
const withoutOrders = (fact: string): string => fact.replace(/"orders".*$/, '')
const impressions = (facts: readonly Fact[]): number => sum(facts, fact => fact.impressions)

test('a page that is down neither sells nor shows ads for two days, and nothing else is different', () => {
  const [plain, down] = [play(), play({ kind: 'LISTING_DOWN', ...(advertised && { asin: advertised }) })]
  expect(before(down.facts)).toEqual(before(plain.facts))
  expect(on(plain.facts, text => text === day).length).toBeGreaterThan(20)
  expect(on(down.facts, text => text === day || text === '2026-11-13')).toEqual([])
  expect(on(down.facts, text => text === '2026-11-14').length).toBeGreaterThan(20)
  const closed = down.sales.filter(one => one.day === '2026-11-13').reduce((count, one) => count + one.sessions, 0)
  expect(closed).toBe(0)
})

test('a coupon lowers what buyers pay and raises how many buy, on its days', () => {
  const isWithin = (text: string): boolean => text >= day && text < '2026-11-19'
  const runs = [5, 6, 7, 8, 9, 10].map(seed => ({
    plain: on(play(undefined, seed).facts, isWithin),
    coupon: on(play({ kind: 'COUPON', size: 0.4, ...(advertised && { asin: advertised }) }, seed).facts, isWithin),
  }))
  const own = runs.flatMap(({ coupon }) => coupon.flatMap(one => one.purchases)).filter(one => one.sameSku)
  const product = [...ample().products.values()].find(one => one.asin === advertised) ?? expect.unreachable()
  for (const { salesMicros, units } of own) expect(salesMicros / units / product.priceMicros).toBeCloseTo(0.6, 2)
  const rate = (facts: readonly Fact[]): number => sum(facts, one => one.orders.d30) / sum(facts, one => one.clicks)
  expect(own.length).toBeGreaterThan(50)
  expect(rate(runs.flatMap(run => run.coupon))).toBeGreaterThan(1.4 * rate(runs.flatMap(run => run.plain)))
})

test('a day of offers brings three times the shoppers, a new rival takes impressions at a higher price', () => {
  const plain = play()
  const sale = play({ kind: 'SALE_DAY' })
  const ratio = impressions(on(sale.facts, text => text === day)) / impressions(on(plain.facts, text => text === day))
  expect(ratio).toBeGreaterThan(2)
  expect(ratio).toBeLessThan(3.5)
  const isAfter = (text: string): boolean => text >= day
  const rival = on(play({ kind: 'COMPETITOR', size: 0.6, categoryId: category }).facts, isAfter)
  const undisturbed = on(plain.facts, isAfter)
  expect(impressions(rival)).toBeLessThan(0.9 * impressions(undisturbed))
  const price = (facts: readonly Fact[]): number => spend(facts) / sum(facts, one => one.clicks)
  expect(price(rival)).toBeGreaterThan(price(undisturbed))
})

test('a scenario has a list of events for each of its accounts, the same each time', () => {
  const eventful = () => scenarios.eventful?.({ now }) ?? expect.unreachable()
  const { store, seed, startsAt } = eventful()
  expect([...eventful().store.marketEvents]).toEqual([...store.marketEvents])
  for (const { profileId: id } of store.profiles.values()) {
    const own = [...store.marketEvents.values()].filter(event => event.profileId === id)
    expect(own.length).toBeGreaterThan(6)
    expect(own.some(event => event.from < now.getTime())).toBe(true)
    expect(own.some(event => event.isClosed)).toBe(true)
  }
  const market = createMarket(store, { seed, startsAt, cachesStructure: true })
  market.advance(now)
  const copy = createMarket(store, { seed, startsAt, cachesStructure: true })
  copy.restore(JSON.parse(JSON.stringify(market.dump())))
  expect(copy.dump()).toEqual(market.dump())
})
