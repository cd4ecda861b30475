import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchActs, quickTiming } from '../../../../tests/support/launch-acts.ts'
import { type Call, type Fate, type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { createLaunch } from './create-launch.ts'
import { runLaunch } from './run/run-launch.ts'
import type { Timing } from './run/launch-run.ts'
import { undoLaunch } from './change-launch.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

const loseAnswers = (method: string, path: string, times = 6) =>
  scene.world.faults.add({ match: { vendor: 'ads', method, path }, kind: 'drop-after', times })
const callsOf = (call: string) => scene.calls.filter(({ method, path }) => `${method} ${path}` === call)
const run = (launchId: number, timing: Timing = quickTiming, fate?: (call: Call) => Fate, services = scene.services) =>
  runLaunch(services, { merchantId: scene.merchantId, launchId }, { signal: scene.watch(fate) }, timing)
/** With which whatever waits until the quiet is over takes ten minutes. */
const patient: Timing = { ...quickTiming, quietMs: 600_000 }

describe('a change whose answers are lost again and again', () => {
  test('is found done: the campaigns are ENABLED, and the launch says so', async () => {
    const id = await acts.begin()
    loseAnswers('PUT', '/sp/campaigns')
    await run(id, patient)
    expect(await acts.view(id)).toMatchObject({ status: 'COMPLETED', canRetry: false })
    expect(callsOf('PUT /sp/campaigns')).toHaveLength(1)
  })

  test('is found done: the automatic targets have their bids', async () => {
    const id = await acts.begin()
    loseAnswers('PUT', '/sp/targets')
    await run(id, patient)
    expect((await acts.view(id)).status).toBe('COMPLETED')
    expect(callsOf('PUT /sp/targets')).toHaveLength(1)
  })

  test('is sent again at once where it was not done, and given up where it never is', async () => {
    const match = { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' } as const
    const id = await acts.begin()
    scene.world.faults.add({ match, kind: 'drop-before', times: 2 })
    await run(id, patient)
    expect((await acts.view(id)).status).toBe('COMPLETED')
    expect(callsOf('PUT /sp/campaigns')).toHaveLength(3)

    const other = await acts.begin()
    scene.world.faults.add({ match, kind: 'drop-before', times: 6 })
    await run(other)
    const launch = await acts.view(other)
    expect(launch.steps.find(s => s.name === 'ENABLE')?.errors[0]?.reason).toBe('OUTCOME_UNKNOWN')
    expect([launch.status, callsOf('PUT /sp/campaigns').length]).toEqual(['PARTIAL', quickTiming.maxSends])
  })

  test('is found done by an undo: all is archived', async () => {
    const id = await acts.begin()
    await run(id)
    await undoLaunch(await scene.caller(), id)
    loseAnswers('POST', '/sp/campaigns/delete')
    await run(id, patient)
    expect((await acts.view(id)).undo).toBe('DONE')
    expect(callsOf('POST /sp/campaigns/delete')).toHaveLength(1)
  })
})

describe('a call of which it is not known whether it was heard', () => {
  test('costs no waiting where it was: it is found at the first look', async () => {
    const id = await acts.begin()
    for (const path of ['/sp/campaigns', '/sp/adGroups', '/sp/keywords']) loseAnswers('POST', path, 1)
    const began = performance.now()
    await run(id, { ...patient, pollMs: 60_000 })
    expect(performance.now() - began).toBeLessThan(20_000)
    expect((await acts.view(id)).status).toBe('COMPLETED')
    expect(callsOf('POST /sp/campaigns/list'), 'one for each name').toHaveLength(5)
  })

  test('is looked for ever more seldom, and made again only when the quiet is over', async () => {
    const id = await acts.begin()
    const match = { vendor: 'ads', method: 'POST', path: '/sp/campaigns' } as const
    scene.world.faults.add({ match, kind: 'drop-before' })
    const times: number[] = []
    const note = ({ method, path }: Call): Fate => {
      if (method === 'POST' && path.startsWith('/sp/campaigns')) times.push(performance.now())
      return 'PASS'
    }
    await run(id, { ...quickTiming, quietMs: 3000, pollMs: 100 }, note)
    expect((await acts.view(id)).status).toBe('COMPLETED')
    expect(callsOf('POST /sp/campaigns')).toHaveLength(2)
    const paths = scene.calls.filter(c => c.path.startsWith('/sp/campaigns') && c.method === 'POST').map(c => c.path)
    const looks = paths.filter(path => path.endsWith('/list')).length / 5
    expect(looks).toBeGreaterThanOrEqual(4)
    expect(looks).toBeLessThanOrEqual(8)
    const again = paths.lastIndexOf('/sp/campaigns')
    expect((times[again] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3000)
  })

  test('costs no waiting where it certainly was not: it is made as soon as there is somebody to take it', async () => {
    const id = await acts.begin()
    const refuse = ({ method, path }: Call): Fate =>
      method === 'POST' && path === '/sp/campaigns' ? 'REFUSED' : 'PASS'
    expect(await run(id, patient, refuse)).toEqual({ again: true, afterSeconds: 10 })
    expect(await run(id, patient)).toEqual({ again: false })
    expect((await acts.view(id)).status).toBe('COMPLETED')
    expect(callsOf('POST /sp/campaigns/list')).toEqual([])
  })
})

describe('a worker that stood still for longer than its lease', () => {
  const timing = { ...quickTiming, leaseMs: 800 }
  const hand = (launchId: number, token: string) =>
    scene.services.db.system
      .updateTable('launch')
      .set({ lease_token: token, lease_until: new Date(Date.now() + 60_000) })
      .where('id', '=', launchId)
      .execute()
  /** Pauses between the note that something is about to be sent and the sending itself. */
  const standStill = (launchId: number, meanwhile: () => Promise<unknown>) => {
    let isOver = false
    const { db } = scene.services
    const tenant: typeof db.tenant = async (ids, work) => {
      const result = await db.tenant(ids, work)
      const sending = db.system.selectFrom('launch_item').select('item_no').where('launch_id', '=', launchId)
      if (isOver || !(await sending.where('state', '=', 'SENDING').executeTakeFirst())) return result
      isOver = true
      await meanwhile()
      const until = performance.now() + timing.leaseMs + 400
      while (performance.now() < until);
      return result
    }
    return { ...scene.services, db: { ...db, tenant } }
  }

  test('goes on where nobody took the launch over', async () => {
    const id = await acts.begin()
    await run(
      id,
      timing,
      undefined,
      standStill(id, async () => undefined),
    )
    expect(callsOf('POST /sp/campaigns')).toHaveLength(1)
    expect((await acts.view(id)).status).toBe('COMPLETED')
  })

  test('sends nothing any more where another did', async () => {
    const id = await acts.begin()
    await run(
      id,
      timing,
      undefined,
      standStill(id, () => hand(id, 'another')),
    )
    expect(callsOf('POST /sp/campaigns')).toEqual([])
    await acts.loseLease(id)
    await run(id)
    expect((await acts.view(id)).status).toBe('COMPLETED')
  })

  test('writes nothing any more where another holds the launch', async () => {
    const id = await acts.begin()
    const key = { merchantId: scene.merchantId, launchId: id }
    const takeAway = ({ method, path }: Call): Fate => {
      if (method === 'POST' && path === '/sp/campaigns') void hand(id, 'another')
      return 'PASS'
    }
    expect(await run(id, quickTiming, takeAway)).toEqual({ again: false })
    const items = await scene.services.db.system
      .selectFrom('launch_item')
      .select('state')
      .where('merchant_id', '=', key.merchantId)
      .where('launch_id', '=', id)
      .where('step', '=', 'CAMPAIGNS')
      .execute()
    expect(new Set(items.map(item => item.state))).toEqual(new Set(['SENDING']))
    await acts.loseLease(id)
    await run(id)
    expect((await acts.view(id)).status).toBe('COMPLETED')
    expect(acts.campaignsOf((await acts.view(id)).campaignName)).toHaveLength(5)
  })
})

test('two launches of one account that want the same names at the same time: one has them', async () => {
  const payload = acts.payloadOf()
  const others = { ...payload, budget: 70 }
  const callers = [await scene.caller(), await scene.caller()] as const
  const ends = await Promise.allSettled([createLaunch(callers[0], payload), createLaunch(callers[1], others)])
  expect(ends.map(end => end.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(ends.find(end => end.status === 'rejected')?.reason).toMatchObject({ code: 'CONFLICT' })
})
