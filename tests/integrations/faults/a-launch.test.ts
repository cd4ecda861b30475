import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { retryLaunch } from '#features/launches/server/change-launch.ts'
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

/** Everything that the marketplace has in campaigns of this name. */
function entitiesOf(name: string) {
  const { store } = scene.world
  const campaigns = acts.campaignsOf(name)
  const ids = new Set(campaigns.map(c => c.campaignId))
  const under = <T extends { campaignId: string }>(map: ReadonlyMap<string, T>) =>
    [...map.values()].filter(one => ids.has(one.campaignId))
  return {
    campaigns: campaigns.map(c => c.name).toSorted(),
    adGroups: under(store.adGroups).length,
    productAds: under(store.productAds).length,
    keywords: under(store.keywords).map(k => `${k.campaignId} ${k.keywordText} ${k.matchType}`),
    negatives: under(store.negativeKeywords).length,
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

test.each(passing)('a launch completes and creates everything once when %s answers with %j', async (path, fault) => {
  const id = await acts.begin()
  order(path, fault)
  await acts.run(id)
  const launch = await acts.view(id)
  expect(launch).toMatchObject({ status: 'COMPLETED', canRetry: false })
  const created = entitiesOf(launch.campaignName)
  expect(new Set(created.campaigns).size).toBe(5)
  expect(created.campaigns).toHaveLength(5)
  expect(new Set(created.keywords).size).toBe(created.keywords.length)
  const made = (entity: string) => launch.created.filter(c => c.entity === entity).length
  expect([created.adGroups, created.productAds, created.keywords.length, created.negatives]).toEqual(
    ['AD_GROUP', 'PRODUCT_AD', 'KEYWORD', 'NEGATIVE_KEYWORD'].map(made),
  )
  expect(acts.campaignsOf(launch.campaignName).every(c => c.state === 'ENABLED')).toBe(true)
})

test.each<FaultOrder>([
  { kind: 'status', status: 403, times: 100 },
  { kind: 'expired-token', times: 100 },
])('a launch rejected with %j pauses, says why, and continues when retried', async fault => {
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
  expect(entitiesOf(stopped.campaignName).campaigns).toHaveLength(5)
})

test.each<FaultOrder>([
  { kind: 'throttle', retryAfterSeconds: null, times: 100 },
  { kind: 'status', status: 503, times: 100 },
])('a launch waits while %j lasts, shows until when, and continues by itself', async fault => {
  const id = await acts.begin()
  // Every call from the ad groups on.
  scene.world.faults.add({ match: { vendor: 'ads', path: '/sp/adGroups*' }, ...fault })
  expect(await acts.run(id)).toMatchObject({ again: true })
  const resting = await acts.view(id)
  expect(resting).toMatchObject({ status: 'IN_PROGRESS', waitingUntil: expect.any(String) })
  expect(acts.campaignsOf(resting.campaignName).every(c => c.state === 'PAUSED')).toBe(true)
  scene.world.faults.clear()
  await acts.run(id)
  expect((await acts.view(id)).status).toBe('COMPLETED')
  expect(entitiesOf(resting.campaignName).campaigns).toHaveLength(5)
  expect(entitiesOf(resting.campaignName).adGroups).toBe(
    (await acts.view(id)).created.filter(c => c.entity === 'AD_GROUP').length,
  )
})
