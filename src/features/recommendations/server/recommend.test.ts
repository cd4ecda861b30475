import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { recommendationEndpoints as endpoints } from '../contract.ts'
import { recommendCategories, recommendKeywords, recommendProducts } from './recommend.ts'

let scene: LaunchScene
beforeAll(async () => {
  scene = await openLaunchScene()
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

const asinAt = (i: number) => scene.products.filter(p => p.eligibility === 'ELIGIBLE')[i]?.asin ?? ''
const ask = async (strategy: 'PASSIVE' | 'NORMAL' | 'GROWTH', at = 0) =>
  recommendKeywords(await scene.caller(), { asins: [asinAt(at)], strategy, matchType: 'EXACT' })

test('keywords come in the asked match type, with the bid of the strategy and why', async () => {
  const [passive, normal, growth] = [await ask('PASSIVE'), await ask('NORMAL'), await ask('GROWTH')]
  expect(v.parse(endpoints.keywords.response, normal)).toEqual(normal)
  expect(normal.length).toBeGreaterThan(10)
  expect(normal.every(row => row.matchType === 'EXACT' && row.currency === 'USD')).toBe(true)
  const suggested = normal.findIndex(row => row.medianBid !== null)
  expect(suggested).toBeGreaterThanOrEqual(0)
  expect(passive[suggested]?.bid).toBe(normal[suggested]?.lowBid)
  expect(normal[suggested]?.bid).toBe(normal[suggested]?.medianBid)
  expect(growth[suggested]?.bid).toBe(normal[suggested]?.highBid)
  expect(growth[suggested]?.why).toMatch(/^High end of the marketplace’s suggested range[.,]/)
})

test('without a match type all three are answered', async () => {
  const rows = await recommendKeywords(await scene.caller(), { asins: [asinAt(0)], strategy: 'NORMAL' })
  expect(new Set(rows.map(r => r.matchType))).toEqual(new Set(['EXACT', 'PHRASE', 'BROAD']))
})

test('the marketplace is asked once a day for the same products, whatever the strategy', async () => {
  scene.watch()
  await ask('NORMAL', 1)
  await ask('GROWTH', 1)
  expect(scene.calls).toHaveLength(1)
})

test('categories and products to target come with bids, and never the seller’s own product', async () => {
  const input = { asins: [asinAt(2)], strategy: 'NORMAL' as const }
  const categories = await recommendCategories(await scene.caller(), input)
  const themes = await recommendProducts(await scene.caller(), input)
  expect(v.parse(endpoints.categories.response, categories)).toEqual(categories)
  expect(v.parse(endpoints.products.response, themes)).toEqual(themes)
  expect(categories.length).toBeGreaterThan(0)
  expect(categories.every(c => c.bid > 0)).toBe(true)
  const bids = themes.flatMap(t => t.asinBids)
  expect(bids.length).toBeGreaterThan(0)
  expect(bids.every(b => b.bid > 0 && b.asin !== input.asins[0])).toBe(true)
})

test.each([
  [{ kind: 'status', status: 503, times: 4 }, 'UPSTREAM_UNAVAILABLE'],
  [{ kind: 'expired-token', times: 2 }, 'UPSTREAM_UNAUTHORIZED'],
  [{ kind: 'status', status: 400 }, 'UPSTREAM_FAILED'],
] as const)('an answer of the marketplace such as %j is reported as %s', async (fault, code) => {
  const path = '/sp/targets/keywords/recommendations'
  scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path }, ...fault })
  await expect(ask('NORMAL', 4)).rejects.toMatchObject({ code })
})
