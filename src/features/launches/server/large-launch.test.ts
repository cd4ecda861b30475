import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FaultKind } from '#sandbox/core/faults.ts'
import { launchActs, quickTiming } from '../../../../tests/support/launch-acts.ts'
import { type Call, type Fate, type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { bookLines } from '../../../../tests/support/launch-table/book-lines.ts'
import { amount } from '../../../../tests/support/launch-table/expected-tree.ts'
import { expectedLines } from '../../../../tests/support/launch-table/tree-lines.ts'
import { listMoreProducts } from '../../../../tests/support/many-products.ts'
import { runLaunch } from './run/run-launch.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
let products: { asin: string; sku: string; keywords: ReturnType<typeof keywordsOf> }[]
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
  products = (await listMoreProducts(scene, 100)).map((p, i) => ({ ...p, keywords: keywordsOf(i) }))
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

const matches = ['BROAD', 'PHRASE', 'EXACT'] as const
const textOf = (n: number) => `beach towel ${n}`
const bidOf = (n: number) => (50 + (n % 50)) / 100

/** 50 a product, of which some are the same: 1000 of each match type in all, as many as an ad group holds. */
const keywordsOf = (product: number) =>
  Array.from({ length: 50 }, (_, k) => {
    const n = (product * 50 + k) % 3000
    return { keyword: textOf(n), matchType: matches[n % 3] ?? 'EXACT', bid: bidOf(n) }
  })

const begin = () =>
  acts.begin({
    template: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
    setupMode: 'GUIDED',
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
    products,
  })

/** The launch is whole, and the books hold each entity once. */
const expectWhole = async (launchId: number) => {
  const { campaignName, status, steps, createdCount, created } = await acts.view(launchId)
  expect(steps.flatMap(s => s.errors)).toEqual([])
  expect(status).toBe('COMPLETED')
  // A campaign, 3 ad groups of 100 ads and 1000 keywords each; the answer lists the first of them.
  expect([createdCount, created.length]).toEqual([3304, 500])
  const numbers = Array.from({ length: 3000 }, (_, n) => n)
  const groups = matches.map((match, m) => ({
    name: `Keywords | ${['Broad', 'Phrase', 'Exact'][m]}`,
    defaultBid: 0.75,
    keywords: numbers.filter(n => n % 3 === m).map(n => `${match} ${textOf(n)} ${amount(bidOf(n))}`),
    targets: [],
    negatives: [],
  }))
  const whole = {
    suffix: 'Keywords | Manual',
    targeting: 'MANUAL' as const,
    budget: 60,
    bidding: 'DOWN' as const,
    topOfSearch: 0,
    groups,
  }
  const owner = { prefix: 'TL', campaignName, skus: products.map(p => p.sku) }
  expect(bookLines(scene.world.books, campaignName)).toEqual(expectedLines([whole], owner, 'ENABLED'))
}

const run = async (launchId: number, fate?: (call: Call) => Fate) => {
  const signal = scene.watch(fate)
  const killed = new Promise<'KILLED'>(resolve => signal.addEventListener('abort', () => resolve('KILLED')))
  const key = { merchantId: scene.merchantId, launchId }
  const ended = await Promise.race([killed, runLaunch(scene.services, key, { signal }, quickTiming)])
  if (ended === 'KILLED') await acts.loseLease(launchId)
  return ended
}

test('100 products with 50 keywords each are launched in a handful of calls', async () => {
  const id = await begin()
  expect(await run(id)).toEqual({ again: false })
  // Two sets of products to ask for, one call a step, three batches of keywords.
  expect(scene.calls.length).toBeLessThanOrEqual(9)
  await expectWhole(id)
})

test('with every kind of fault, in every step and batch, not one is lost or twice', async () => {
  const id = await begin()
  // Several on one path are met in this order, a request each; `skip` lets the first batch pass.
  const fault = (kind: FaultKind, path: string, extra: object = {}) =>
    scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path }, kind, ...extra })
  fault('malformed', '/sp/campaigns')
  fault('drop-after', '/sp/adGroups')
  fault('drop-before', '/sp/productAds')
  fault('drop-after', '/sp/productAds')
  fault('throttle', '/sp/keywords', { retryAfterSeconds: 0 })
  fault('drop-after', '/sp/keywords', { skip: 1 })
  fault('status', '/sp/keywords', { skip: 1, status: 503 })
  const passing = { selector: 'internalServerError', reason: 'INTERNAL_ERROR' }
  fault('partial', '/sp/keywords', { skip: 1, items: [0, 7, 999], ...passing })
  for (let round = 0; round < 5; round++) if (!(await run(id).then(end => end !== 'KILLED' && end.again))) break
  expect(scene.world.faults.list().map(f => f.kind)).toEqual([])
  await expectWhole(id)
})

test('killed once in every step, before or after the marketplace has heard, it comes out whole', async () => {
  const id = await begin()
  const writes: string[] = []
  const deaths: Record<string, Fate> = {
    'POST /sp/campaigns': 'HANG_BEFORE',
    'POST /sp/adGroups': 'HANG_AFTER',
    'POST /sp/productAds': 'HANG_BEFORE',
    'POST /sp/keywords': 'HANG_AFTER',
    'PUT /sp/campaigns': 'HANG_AFTER',
  }
  const fateOf = ({ method, path }: Call): Fate => {
    const write = `${method} ${path}`
    writes.push(write)
    // The second batch of keywords, the first call of the others.
    const nth = write === 'POST /sp/keywords' ? 2 : 1
    return writes.filter(w => w === write).length === nth ? (deaths[write] ?? 'PASS') : 'PASS'
  }
  let kills = 0
  for (; kills < 20; kills++) if ((await run(id, fateOf)) !== 'KILLED') break
  expect(kills).toBe(Object.keys(deaths).length)
  await expectWhole(id)
})
