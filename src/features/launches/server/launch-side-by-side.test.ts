import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { launchActs } from '../../../../tests/support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { patienceMs } from '../../../../tests/support/wait-until.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterAll(() => scene.close())

test('launches of one account are carried out three at a time, each whole and none twice', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => acts.begin()))
  const match = { vendor: 'ads', method: 'POST', path: '/sp/campaigns' } as const
  scene.world.faults.add({ match, kind: 'slow', delayMs: 1500, times: 5 })
  scene.watch()
  await scene.services.jobs.work(scene.services)
  const atOnce: number[] = []
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ active: number; finished: number }>`select
        (select count(*)::int from jobs.job where name = 'launch-campaigns' and state = 'active') as active,
        (select count(*)::int from launch where finished_at is not null) as finished`.execute(scene.services.db.system)
      atOnce.push(rows[0]?.active ?? 0)
      expect(rows[0]?.finished).toBe(ids.length)
    },
    { timeout: patienceMs, interval: 200 },
  )
  for (const id of ids) expect((await acts.view(id)).status).toBe('COMPLETED')
  // Workers who ask at the same moment do not see each other's choice yet; the embedded database answers one at a time.
  expect(Math.max(...atOnce)).toBeGreaterThanOrEqual(3)
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(scene.services.db.kind === 'embedded' ? 3 : 4)
  const names = [...scene.world.store.campaigns.values()].map(campaign => campaign.name)
  expect(new Set(names).size).toBe(names.length)
  expect(scene.calls.filter(c => c.method === 'POST' && c.path === '/sp/campaigns')).toHaveLength(5)
})
