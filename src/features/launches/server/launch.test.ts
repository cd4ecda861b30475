import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultKinds, isAvailable } from '#sandbox/core/faults.ts'
import type { FaultKind } from '#sandbox/core/faults.ts'
import type { Services } from '#server/context.ts'
import { launchActs, quickTiming } from '../../../../tests/support/launch-acts.ts'
import { openLaunchScene, type Call, type Fate, type LaunchScene } from '../../../../tests/support/launch-scene.ts'
import { bookLines } from '../../../../tests/support/launch-table/book-lines.ts'
import { planLines } from '../../../../tests/support/launch-table/tree-lines.ts'
import type { CreatePayloadInput } from '../launch-schema.ts'
import type { LaunchPlan } from '../plan/launch-plan.ts'
import { retryLaunch } from './change-launch.ts'
import { type RunResult, runLaunch } from './run/run-launch.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

type Input = Partial<CreatePayloadInput>

/** Runs until the launch rests; a killed run is given up without a word, like a killed process. */
async function run(
  launchId: number,
  { fate, services = scene.services }: { fate?: (call: Call) => Fate; services?: Services } = {},
): Promise<RunResult | 'KILLED'> {
  const signal = scene.watch(fate)
  const killed = new Promise<'KILLED'>(resolve => signal.addEventListener('abort', () => resolve('KILLED')))
  const key = { merchantId: scene.merchantId, launchId }
  const ended = await Promise.race([killed, runLaunch(services, key, { signal }, quickTiming)])
  if (ended === 'KILLED') await acts.loseLease(launchId)
  return ended
}
async function planOf(launchId: number): Promise<LaunchPlan> {
  const row = await scene.services.db.system
    .selectFrom('launch')
    .select('plan')
    .where('id', '=', launchId)
    .executeTakeFirstOrThrow()
  return row.plan as LaunchPlan
}

/** The books hold what was planned, each entity once, and nothing else. */
async function expectWhole(launchId: number) {
  const launch = await acts.view(launchId)
  expect(launch.steps.flatMap(s => s.errors)).toEqual([])
  expect(launch.status).toBe('COMPLETED')
  const plan = await planOf(launchId)
  expect(bookLines(scene.world.store, launch.campaignName)).toEqual(planLines(plan, 'ENABLED'))
  return { launch, plan }
}
/** From the very first call: nothing that the marketplace recommended is at hand. */
async function beginAfresh(input: Input): Promise<number> {
  await scene.services.db.system.deleteFrom('recommendation_answer').execute()
  return acts.begin({ budget: 60.07, ...input })
}

const funnel = {
  input: { includeHighImpact: true } satisfies Input,
  calls: [
    'POST /sp/targets/keywords/recommendations',
    'POST /sp/targets/bid/recommendations',
    'POST /sp/campaigns',
    'POST /sp/adGroups',
    'POST /sp/productAds',
    'POST /sp/keywords',
    'POST /sp/targets/list',
    'PUT /sp/targets',
    'POST /sp/negativeKeywords',
    'PUT /sp/campaigns',
  ],
}
const target = {
  input: { template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN', productTargetType: 'PRODUCT' } satisfies Input,
  calls: [
    'POST /sp/targets/products/recommendations',
    'POST /sp/targets/bid/recommendations',
    'POST /sp/campaigns',
    'POST /sp/adGroups',
    'POST /sp/productAds',
    'POST /sp/targets',
    'PUT /sp/campaigns',
  ],
}
const walks = [
  ['a funnel', funnel],
  ['product targets', target],
] as const

describe.each(walks)('%s', (_, { input, calls }) => {
  test('is made as planned, to the cent, by these calls alone: no more than 12', async () => {
    const id = await beginAfresh(input)
    expect(await run(id)).toEqual({ again: false })
    expect(scene.calls.map(c => `${c.method} ${c.path}`)).toEqual(calls)
    expect(calls.length).toBeLessThanOrEqual(12)
    await expectWhole(id)
  })

  test.each(['HANG_BEFORE', 'HANG_AFTER'] as const)(
    'killed once at each of its calls (%s) resumes: nothing is lost and nothing is duplicated',
    async fate => {
      const id = await beginAfresh(input)
      const met = new Set<string>()
      const once = ({ method, path }: Call): Fate => {
        const call = `${method} ${path}`
        if (met.has(call) || !calls.includes(call)) return 'PASS'
        met.add(call)
        return fate
      }
      let kills = 0
      while ((await run(id, { fate: once })) === 'KILLED') kills++
      expect([kills, [...met]]).toEqual([calls.length, calls])
      await expectWhole(id)
    },
  )
})

describe('a funnel', () => {
  test('is seen in the structure as soon as it is made', async () => {
    const id = await acts.begin({ includeHighImpact: true, targetAcos: 27.5 })
    await run(id)
    const { launch, plan } = await expectWhole(id)
    expect(launch.created.filter(c => c.entity === 'CAMPAIGN')).toHaveLength(6)
    const mirrored = await scene.services.db.system
      .selectFrom('campaign')
      .select(['name', 'state', 'daily_budget_micros', 'target_acos', 'launched_at'])
      .where('merchant_id', '=', scene.merchantId)
      .where('name', 'like', `%${launch.campaignName}%`)
      .execute()
    expect(mirrored.map(c => `${c.name} ${c.state} ${c.daily_budget_micros}`).toSorted()).toEqual(
      plan.campaigns.map(c => `${c.name} ENABLED ${c.dailyBudgetMicros}`).toSorted(),
    )
    expect(mirrored.map(c => c.target_acos)).toEqual(mirrored.map(() => 27.5))
    expect(mirrored.filter(c => c.launched_at === null)).toEqual([])
    await run(id)
    expect(scene.calls, 'run again, it asks nothing').toEqual([])
  })

  test('killed again and again, at every other call, comes out whole', async () => {
    const id = await acts.begin({ includeHighImpact: true })
    let kills = 0
    for (let round = 0; round < 40; round++) {
      const at = 2 + (round % 3)
      const fate = ({ no }: Call): Fate => (no === at ? (round % 2 ? 'HANG_AFTER' : 'HANG_BEFORE') : 'PASS')
      if ((await run(id, { fate })) !== 'KILLED') break
      kills++
    }
    expect(kills).toBeGreaterThan(3)
    await expectWhole(id)
  })
})

test('a marketplace whose lists lag behind is looked at again before anything is sent again', async () => {
  const id = await beginAfresh(funnel.input)
  const makings = funnel.calls.filter(call => /^POST \/sp\/\w+$/.test(call)).map(call => call.split(' ')[1])
  for (const path of makings) {
    scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path }, kind: 'drop-after' })
    scene.world.faults.add({
      match: { vendor: 'ads', path: `${path}/list` },
      kind: 'late-list',
      delayMs: 600_000,
      times: 2,
    })
  }
  const key = { merchantId: scene.merchantId, launchId: id }
  const patient = { ...quickTiming, quietMs: 600_000 }
  expect(await runLaunch(scene.services, key, { signal: scene.watch() }, patient)).toEqual({ again: false })
  expect(scene.world.faults.list()).toEqual([])
  expect(scene.calls.filter(c => c.method === 'POST' && makings.includes(c.path)).map(c => c.path)).toEqual(makings)
  await expectWhole(id)
})

/** A seller restores a revoked grant. */
async function connectAgain() {
  const grant = scene.grants.get(await scene.connectAds('seller@sandbox.test'))
  scene.grants.set(scene.connectionId, grant ?? '')
}

const faults: [FaultKind, object][] = [
  ['drop-before', {}],
  ['drop-after', {}],
  ['hang', {}],
  ['status', { status: 500 }],
  ['status', { status: 503 }],
  ['throttle', { retryAfterSeconds: 0 }],
  ['malformed', {}],
  ['partial', { items: [0], selector: 'internalServerError', reason: 'INTERNAL_ERROR' }],
  ['late-list', { delayMs: 600_000 }],
  ['expired-token', {}],
  ['revoked-grant', {}],
  ['slow', { delayMs: 20 }],
]

test('every kind of fault that a launch can meet is walked', () => {
  const ofReports: readonly FaultKind[] = ['report-stuck', 'report-failed']
  const met = faultKinds.filter(kind => isAvailable(kind, 'ads') && !ofReports.includes(kind))
  expect([...new Set(faults.map(([kind]) => kind))].toSorted()).toEqual(met.toSorted())
})

describe.each(faults)('a marketplace that answers once at every step with %s %j', (kind, extra) => {
  // An answer that never comes is waited for no longer than it takes to be sure.
  const services = () => (kind === 'hang' ? scene.impatient(700) : scene.services)

  /** A launch that meets the fault at each of its calls, and goes on as its job, or its seller, would. */
  const walk = async ({ input, calls }: { input: Input; calls: readonly string[] }) => {
    const id = await beginAfresh(input)
    for (const call of calls) {
      const [method = '', path] = call.split(' ')
      scene.world.faults.add({ match: { vendor: 'ads', method, path }, kind, ...extra })
    }
    const door = services()
    for (let round = 0; round < calls.length * 2; round++) {
      const ended = await run(id, { services: door })
      if (ended === 'KILLED') throw new Error('nothing kills here')
      if (ended.again) continue
      if (!(await acts.view(id)).canRetry) break
      if (kind === 'revoked-grant') await connectAgain()
      await retryLaunch(await scene.caller(), id)
    }
    expect(scene.world.faults.list().map(f => f.match.path)).toEqual([])
    await expectWhole(id)
  }

  test('leads in a funnel to neither a loss nor a duplicate', () => walk(funnel))
  test('leads in product targets to neither a loss nor a duplicate', () => walk(target))
})
