import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { retryLaunch } from '#features/launches/server/retry-launch.ts'
import { launchActs } from '../../support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../support/launch-scene.ts'
import type { FaultOrder } from '../../support/product-scene.ts'

// A launch makes five campaigns with all that belongs to them; whatever happens on the way, each is made once.

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene({ timeoutMs: 400, maxWaitMs: 300 })
  acts = launchActs(scene)
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

const order = (path: string, fault: FaultOrder) =>
  scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path }, ...fault })

/** All that the marketplace's books hold under campaigns of this name, each thing once. */
const booksOf = (name: string) => {
  const { store: books } = scene.world
  const campaigns = acts.campaignsOf(name)
  const ids = new Set(campaigns.map(c => c.campaignId))
  const under = <T extends { campaignId: string }>(map: ReadonlyMap<string, T>) =>
    [...map.values()].filter(one => ids.has(one.campaignId))
  return {
    campaigns: campaigns.map(c => c.name).toSorted(),
    adGroups: under(books.adGroups).length,
    productAds: under(books.productAds).length,
    keywords: under(books.keywords).map(k => `${k.campaignId} ${k.keywordText} ${k.matchType}`),
    negatives: under(books.negativeKeywords).length,
  }
}

const passing: [string, FaultOrder][] = [
  ['/sp/campaigns', { kind: 'throttle', retryAfterSeconds: 0.02, times: 2 }],
  ['/sp/adGroups', { kind: 'throttle', retryAfterSeconds: null, times: 2 }],
  ['/sp/campaigns', { kind: 'status', status: 500 }],
  ['/sp/keywords', { kind: 'status', status: 503 }],
  ['/sp/productAds', { kind: 'slow', delayMs: 100 }],
  ['/sp/campaigns', { kind: 'hang' }],
  ['/sp/campaigns', { kind: 'drop-before' }],
  ['/sp/campaigns', { kind: 'drop-after' }],
  ['/sp/adGroups', { kind: 'drop-after' }],
  ['/sp/keywords', { kind: 'drop-after' }],
  ['/sp/negativeKeywords', { kind: 'malformed' }],
  ['/sp/campaigns', { kind: 'malformed' }],
  ['/sp/keywords', { kind: 'expired-token' }],
  ['/sp/keywords', { kind: 'partial', items: [0], selector: 'throttledError', reason: 'THROTTLED' }],
]

test.each(passing)('at %s it meets %j, completes, and makes everything once', async (path, fault) => {
  const id = await acts.begin()
  order(path, fault)
  await acts.run(id)
  const launch = await acts.view(id)
  expect(launch).toMatchObject({ status: 'COMPLETED', canRetry: false })
  const books = booksOf(launch.campaignName)
  expect(new Set(books.campaigns).size).toBe(5)
  expect(books.campaigns).toHaveLength(5)
  expect(new Set(books.keywords).size).toBe(books.keywords.length)
  const made = (entity: string) => launch.created.filter(c => c.entity === entity).length
  expect([books.adGroups, books.productAds, books.keywords.length, books.negatives]).toEqual(
    ['AD_GROUP', 'PRODUCT_AD', 'KEYWORD', 'NEGATIVE_KEYWORD'].map(made),
  )
  expect(acts.campaignsOf(launch.campaignName).every(c => c.state === 'ENABLED')).toBe(true)
})

test.each<FaultOrder>([
  { kind: 'status', status: 403, times: 100 },
  { kind: 'expired-token', times: 100 },
])('shut out by %j it stands paused, says why, and goes on when tried again', async fault => {
  const id = await acts.begin()
  order('/sp/productAds', fault)
  await acts.run(id)
  const stopped = await acts.view(id)
  expect(stopped).toMatchObject({ status: 'PARTIAL', canRetry: true })
  expect(stopped.steps.find(s => s.name === 'PRODUCT_ADS')?.errors[0]).toMatchObject({
    reason: 'UPSTREAM_UNAUTHORIZED',
    message: expect.stringMatching(/connect/i),
  })
  expect(acts.campaignsOf(stopped.campaignName).every(c => c.state === 'PAUSED')).toBe(true)
  scene.world.faults.clear()
  await retryLaunch(await scene.caller(), id)
  await acts.run(id)
  expect((await acts.view(id)).status).toBe('COMPLETED')
  expect(booksOf(stopped.campaignName).campaigns).toHaveLength(5)
})

test.each<FaultOrder>([
  { kind: 'throttle', retryAfterSeconds: null, times: 100 },
  { kind: 'status', status: 503, times: 100 },
])('while %j lasts it rests, tells until when, and goes on by itself', async fault => {
  const id = await acts.begin()
  // Whatever is asked or sent from the ad groups on.
  scene.world.faults.add({ match: { vendor: 'ads', path: '/sp/adGroups*' }, ...fault })
  expect(await acts.run(id)).toMatchObject({ again: true })
  const resting = await acts.view(id)
  expect(resting).toMatchObject({ status: 'IN_PROGRESS', waitingUntil: expect.any(String) })
  expect(acts.campaignsOf(resting.campaignName).every(c => c.state === 'PAUSED')).toBe(true)
  scene.world.faults.clear()
  await acts.run(id)
  expect((await acts.view(id)).status).toBe('COMPLETED')
  expect(booksOf(resting.campaignName).campaigns).toHaveLength(5)
  expect(booksOf(resting.campaignName).adGroups).toBe(
    (await acts.view(id)).created.filter(c => c.entity === 'AD_GROUP').length,
  )
})
