import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { faultKinds, isAvailable } from '#sandbox/core/faults.ts'
import { bookSizes, expectWhole } from '../../../../tests/support/large-launch/expect-whole.ts'
import {
  type CallCounts,
  faultsOf,
  isCarriedOut,
  isMaking,
  LONG_REST_S,
  looksOf,
  nameOf,
  orderFaults,
  ROTATIONS,
} from '../../../../tests/support/large-launch/fault-rings.ts'
import { type JobLives, openJobLives } from '../../../../tests/support/large-launch/job-lives.ts'
import { largePayload, type Spread, usual, widest } from '../../../../tests/support/large-launch/large-payload.ts'
import { launchActs } from '../../../../tests/support/launch-acts.ts'
import { type Call, type Fate, type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { listMoreProducts } from '../../../../tests/support/many-products.ts'
import { launchJob, launchJobOf } from './launch-job.ts'
import { retryLaunch } from './change-launch.ts'
import { runLaunch } from './run/run-launch.ts'
import type { Timing } from './run/launch-run.ts'

// A lease that no busy machine outlasts; those who died lose theirs by hand.
const timing: Timing = { quietMs: 40, pollMs: 40, leaseMs: 60_000, maxSends: 3 }
// The restraint that the product keeps by itself; the marketplace of this file allows no more.
const limit = { rate: 10, burst: 20 }
const calls: CallCounts = new Map([
  // Of at most 50 products at once.
  ['POST /sp/targets/keywords/recommendations', 2],
  ['POST /sp/targets/bid/recommendations', 2],
  ['POST /sp/campaigns', 1],
  ['POST /sp/adGroups', 1],
  ['POST /sp/productAds', 1],
  // 1500 keywords and 1100 negatives, at most 1000 at once.
  ['POST /sp/keywords', 2],
  ['POST /sp/targets/list', 1],
  ['PUT /sp/targets', 1],
  ['POST /sp/negativeKeywords', 2],
  ['PUT /sp/campaigns', 1],
])

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
let lives: JobLives<{ merchantId: number; launchId: number; profileId: number }>
let products: { asin: string; sku: string }[]
beforeAll(async () => {
  scene = await openLaunchScene({ timeoutMs: 30_000, rate: limit })
  acts = launchActs(scene)
  products = await listMoreProducts(scene, 100)
  lives = await openJobLives(scene.services, launchJob)
  const set = await scene.sandbox.control('POST', 'limits', limit)
  expect(await set.json()).toEqual(limit)
})
afterEach(() => scene.world.faults.clear())
afterAll(async () => {
  await lives.close()
  await scene.close()
})

/** A launch that has everything before it, the marketplace's advice too; the sandbox's log begins with it. */
async function begin(spread: Spread = usual) {
  await lives.clear()
  await scene.services.db.system.deleteFrom('recommendation_answer').execute()
  // The profile's quota is whole again, as for a process that just started.
  scene.world.clock.advance(60_000)
  scene.world.journal.clear()
  const before = bookSizes(scene)
  return { id: await acts.begin(largePayload(products, spread)), before, spread }
}
type Begun = Awaited<ReturnType<typeof begin>>

const callOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace('/ads/na', '')}`
const seen = () => scene.world.journal.list({ vendor: 'ads' })

async function expectEnd({ id, before, spread }: Begun) {
  expect(seen().filter(entry => entry.status === 429 && entry.fault !== 'throttle')).toEqual([])
  await expectWhole(scene, acts, id, before, { skus: products.map(p => p.sku), spread })
}

test('100 products with 50 keywords each, 3000 of them different, are launched by 19 calls: none waits for its turn', async () => {
  const launch = await begin(widest)
  const key = { merchantId: scene.merchantId, launchId: launch.id }
  expect(await runLaunch(scene.restarted(), key, { signal: scene.watch() }, timing)).toEqual({ again: false })
  const counts = new Map([...calls, ['POST /sp/keywords', 3], ['POST /sp/negativeKeywords', 6]] as const)
  expect(seen().map(callOf)).toEqual([...counts].flatMap(([call, count]) => Array<string>(count).fill(call)))
  expect(seen()).toHaveLength(19)
  expect(seen().length).toBeLessThanOrEqual(limit.burst)
  await expectEnd(launch)
})

/** A seller restores a revoked grant. */
async function connectAgain() {
  const grant = scene.grants.get(await scene.connectAds('seller@sandbox.test'))
  scene.grants.set(scene.connectionId, grant ?? '')
}

/** A call that the sandbox will not answer is given up, as by the door's time limit. */
function givenUp({ method, path }: Call): Fate {
  const next = scene.world.faults.list().find(f => f.skip === 0 && f.match.method === method && f.match.path === path)
  return next?.kind === 'hang' ? 'OUT_OF_TIME' : 'PASS'
}

/** Runs a launch as its job does, and as its seller does who lost the connection; answers how often it rested. */
async function carryOut(id: number): Promise<number> {
  const key = { merchantId: scene.merchantId, launchId: id }
  let services = scene.restarted()
  let rests = 0
  for (let round = 0; round < 60; round++) {
    const ended = await runLaunch(services, key, { signal: scene.watch(givenUp) }, timing)
    if (ended.again) {
      expect(ended.afterSeconds).toBeGreaterThanOrEqual(LONG_REST_S)
      scene.world.clock.advance(ended.afterSeconds * 1000)
      services = scene.restarted()
      rests++
      continue
    }
    const { canRetry, steps } = await acts.view(id)
    if (!canRetry) break
    const failed = steps.filter(s => s.status === 'FAILED').flatMap(s => s.errors.map(e => e.reason))
    expect(failed).toEqual(['UPSTREAM_UNAUTHORIZED'])
    await connectAgain()
    await retryLaunch(await scene.caller(), id)
  }
  return rests
}

// By the marketplace's own log, over all turns.
const met = new Map<string, Set<string>>()
let rests = 0
test.each(Array.from({ length: ROTATIONS }, (_, turn) => turn))(
  'with a fault of each sort at every call, and at every look after one, it comes out whole (turn %i)',
  async turn => {
    const launch = await begin()
    orderFaults(scene, calls, turn)
    rests += await carryOut(launch.id)
    expect(scene.world.faults.list().map(f => `${f.kind} at ${f.match.path}`)).toEqual([])
    for (const entry of seen().filter(e => e.fault)) {
      const { fault, status } = entry
      const call = callOf(entry)
      met.set(call, met.get(call) ?? new Set())
      met.get(call)?.add(fault === 'status' ? `status ${status}` : (fault ?? ''))
    }
    for (const [call, batches] of calls) {
      const heard = seen().filter(e => callOf(e) === call && isCarriedOut(e.fault))
      const halves = heard.filter(e => e.fault === 'partial').length
      if (isMaking(call))
        expect([call, heard.length], 'what was made is not sent again').toEqual([call, batches + halves])
    }
    await expectEnd(launch)
  },
  120_000,
)

test('in these turns every call met every kind of fault', () => {
  const expectedCalls = [...calls.keys(), ...looksOf(calls)]
  const sorted = (all: Iterable<string>) => [...new Set(all)].toSorted()
  expect(Object.fromEntries([...met].map(([call, kinds]) => [call, sorted(kinds)]))).toEqual(
    Object.fromEntries(expectedCalls.map(call => [call, sorted(faultsOf(call).map(nameOf))])),
  )
  const ofReports = ['report-stuck', 'report-failed']
  const possible = faultKinds.filter(kind => isAvailable(kind, 'ads') && !ofReports.includes(kind))
  expect(sorted(expectedCalls.flatMap(call => faultsOf(call).map(f => f.kind)))).toEqual(possible.toSorted())
  // Each call was once asked to wait longer than its time limit.
  expect(rests).toBe(expectedCalls.length)
})

/** Kills each call twice, before and after the marketplace heard of it, and so each look that this leads to. */
function executioner() {
  const heard = new Map<string, number>()
  const deaths: string[] = []
  const fateOf = (call: Call): Fate => {
    const name = callOf(call)
    const no = heard.get(name) ?? 0
    heard.set(name, no + 1)
    // A batch that was made is found, not sent again; what was read or changed is asked for once more.
    const fates: Fate[] = isMaking(name) ? ['HANG_BEFORE', 'HANG_AFTER'] : ['HANG_BEFORE', 'HANG_AFTER', 'PASS']
    const fate = no < (calls.get(name) ?? 1) * fates.length ? (fates[no % fates.length] ?? 'PASS') : 'PASS'
    if (fate !== 'PASS') deaths.push(`${name} ${fate}`)
    return fate
  }
  return { fateOf, deaths }
}

/** Lives of workers, one after the other, until the launch is done; answers how often its seller had to ask again. */
async function outlive(id: number, { fateOf, deaths }: ReturnType<typeof executioner>): Promise<number> {
  const job = launchJobOf(timing)
  const { campaignName } = await acts.view(id)
  let retries = 0
  for (;;) {
    const life = await lives.next()
    if (!life) {
      const { canRetry, steps } = await acts.view(id)
      if (!canRetry) return retries
      // The queue gave up after so many deaths in a row; the marketplace refused nothing.
      expect(steps.flatMap(s => s.errors.map(e => e.reason))).toEqual(['INTERNAL'])
      retries++
      await retryLaunch(await scene.caller(), id)
      continue
    }
    const signal = scene.watch(fateOf)
    const killed = new Promise<'KILLED'>(resolve => signal.addEventListener('abort', () => resolve('KILLED')))
    const end = await Promise.race([killed, job.run(scene.restarted(), life.data, { ...life.run, signal })])
    if (end !== 'KILLED') {
      await lives.finish(life)
      continue
    }
    if (!deaths.includes('PUT /sp/campaigns HANG_AFTER'))
      expect(acts.campaignsOf(campaignName).filter(c => c.state !== 'PAUSED')).toEqual([])
    scene.world.clock.advance(60_000)
    await acts.loseLease(id)
    await lives.bury()
  }
}

test('killed before and after every call, it is resumed by the queue or by its seller, and completes', async () => {
  const launch = await begin()
  const death = executioner()
  const retries = await outlive(launch.id, death)
  const looks = looksOf(calls).map(look => [look, 1] as const)
  const twice = [...calls, ...looks].flatMap(([call, batches]) =>
    Array.from({ length: batches }, () => [`${call} HANG_BEFORE`, `${call} HANG_AFTER`]).flat(),
  )
  expect(death.deaths.toSorted()).toEqual(twice.toSorted())
  expect(retries).toBe(Math.floor(twice.length / ((launchJob.retryLimit ?? 0) + 1)))
  // What makes something was sent as often as undisturbed.
  for (const [call, count] of calls)
    if (isMaking(call)) expect([call, seen().filter(e => callOf(e) === call).length]).toEqual([call, count])
  await expectEnd(launch)
})
