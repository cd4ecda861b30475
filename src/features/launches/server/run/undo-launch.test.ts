import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { launchActs, quickTiming } from '../../../../../tests/support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../../../../tests/support/launch-scene.ts'
import { giveUpLaunch } from './finish-launch.ts'
import { retryLaunch } from '../change-launch.ts'
import { undoLaunch } from '../change-launch.ts'
import { runLaunch } from './run-launch.ts'
import { currentProfile } from '#features/accounts/server/public.ts'
import { readGroup } from '#features/structure/server/changes/read-group.ts'
import { undoChanges } from '#features/structure/server/changes/undo-changes.ts'
import { pushJobs } from '#features/structure/server/push/send-changes.ts'
import { waitUntil } from '../../../../../tests/support/wait-until.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

describe('an undo', () => {
  test('archives every campaign of the launch and frees its names', async () => {
    const id = await acts.begin()
    await acts.run(id)
    const { campaignName } = await acts.view(id)
    const finished: unknown[] = []
    const caller = await scene.caller()
    const silence = scene.services.events.subscribe(caller.actor.accountId, event => {
      if (event.type === 'launch-finished') finished.push(event.data)
    })
    const announced = vi.spyOn(scene.services.jobs, 'announce')
    await undoLaunch(caller, id)
    await acts.run(id)
    await expect
      .poll(() => finished, { message: 'announced as an undo' })
      .toEqual([{ launchId: id, name: campaignName, status: 'UNDONE' }])
    expect(announced, 'no launch has failed in part').not.toHaveBeenCalled()
    silence()
    announced.mockRestore()
    expect(await acts.view(id)).toMatchObject({ undo: 'DONE', canRetry: false, created: [] })
    expect(acts.campaignsOf(campaignName).map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
    const mirrored = await scene.services.db.system
      .selectFrom('campaign')
      .select('state')
      .where('merchant_id', '=', scene.merchantId)
      .where('name', 'like', `%${campaignName}%`)
      .execute()
    expect(mirrored.map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
    await expect(undoLaunch(await scene.caller(), id)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    await expect(retryLaunch(await scene.caller(), id)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  })

  test('of a launch that stands half way archives that half, the lost answers included', async () => {
    const id = await acts.begin()
    const stop = scene.watch(call => (call.path === '/sp/campaigns' && call.method === 'POST' ? 'HANG_AFTER' : 'PASS'))
    const key = { merchantId: scene.merchantId, launchId: id }
    void runLaunch(scene.services, key, { signal: stop }, quickTiming).catch(() => undefined)
    await waitUntil(() => expect(stop.aborted).toBe(true))
    await acts.loseLease(id)
    const { campaignName } = await acts.view(id)
    expect(acts.campaignsOf(campaignName)).toHaveLength(5)
    await undoLaunch(await scene.caller(), id)
    await acts.run(id)
    expect((await acts.view(id)).undo).toBe('DONE')
    expect(acts.campaignsOf(campaignName).map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
  })

  test('that could not be done for a day, or whose job failed for good, can be asked again', async () => {
    const id = await acts.begin()
    await acts.run(id)
    await undoLaunch(await scene.caller(), id)
    const launches = scene.services.db.system.updateTable('launch').where('id', '=', id)
    await launches.set({ waits: 1000 }).execute()
    acts.fault('drop-before', '/sp/campaigns/list', { times: 50 })
    await acts.run(id)
    scene.world.faults.clear()
    expect(await acts.view(id)).toMatchObject({ undo: 'PARTIAL', status: 'COMPLETED' })
    expect((await undoLaunch(await scene.caller(), id)).undo).toBe('PENDING')
    await giveUpLaunch(scene.services, { merchantId: scene.merchantId, launchId: id })
    expect((await acts.view(id)).undo).toBe('PARTIAL')
    await undoLaunch(await scene.caller(), id)
    await acts.run(id)
    expect((await acts.view(id)).undo).toBe('DONE')
  })

  test('requested after everything is created but before the end is announced, undoes the launch', async () => {
    const id = await acts.begin()
    const { events } = scene.services
    const publish: typeof events.publish = async (tx, ...payloads) => {
      const done = tx.selectFrom('launch_step').where('launch_id', '=', id).where('name', '=', 'SAVE')
      if (await done.select('name').where('status', '=', 'COMPLETED').executeTakeFirst())
        await tx.updateTable('launch').set({ undo: 'PENDING' }).where('id', '=', id).where('undo', 'is', null).execute()
      await events.publish(tx, ...payloads)
    }
    const services = { ...scene.services, events: { ...events, publish } }
    const key = { merchantId: scene.merchantId, launchId: id }
    expect(await runLaunch(services, key, { signal: scene.watch() }, quickTiming)).toEqual({ again: false })
    const launch = await acts.view(id)
    expect(launch.undo).toBe('DONE')
    expect(acts.campaignsOf(launch.campaignName).map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
  })

  test('of a launch that has not begun makes nothing at all', async () => {
    const id = await acts.begin()
    await undoLaunch(await scene.caller(), id)
    await acts.run(id)
    const launch = await acts.view(id)
    expect([launch.undo, launch.status, launch.created]).toEqual(['DONE', 'FAILED', []])
    expect(acts.campaignsOf(launch.campaignName)).toEqual([])
  })

  test('of its changes in the history archives its campaigns, and what is in them counts as undone', async () => {
    const id = await acts.begin()
    acts.fault('partial', '/sp/keywords', { items: [0], selector: 'malformedValueError', reason: 'MALFORMED_VALUE' })
    await acts.run(id)
    scene.world.faults.clear()
    const launch = await acts.view(id)
    const ctx = await scene.caller()
    const { rows } = await sql<{
      groupId: string
      lines: number
    }>`select group_id as "groupId", count(*)::int as lines from entity_change
      where merchant_id = ${scene.merchantId} and origin = 'LAUNCH' and group_id::text like ${`%-${String(id).padStart(12, '0')}`}
      group by group_id`.execute(scene.services.db.system)
    const [{ groupId = '', lines = 0 } = {}] = rows
    // What the marketplace refused was never created, so there is nothing of it to undo.
    const refused = launch.steps.flatMap(step => step.errors).length
    expect(refused).toBeGreaterThan(0)
    const group = async () => readGroup(ctx, groupId, { page: 0, size: 1000 })
    const before = await group()
    // The four automatic targets came with their ad group.
    expect(before.items.filter(item => item.field === null).length).toBe(launch.createdCount + 4)
    const undone = await undoChanges(ctx, { groupId }, { force: false, skipNewer: false })
    expect(undone.outcomes.map(({ status }) => status)).toEqual(Array(lines).fill('UNDONE'))
    const key = { merchantId: scene.merchantId, profileId: (await currentProfile(ctx)).profileId }
    const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
    await pushJobs.campaign.run(scene.services, { ...key, adType: 'SPONSORED_PRODUCTS' }, job)
    expect(acts.campaignsOf(launch.campaignName).map(c => c.state)).toEqual(Array(5).fill('ARCHIVED'))
    const after = await group()
    expect(after).toMatchObject({ total: before.total, undone: before.total, rejected: 0, pending: 0 })
    // The launch itself finds nothing left to archive.
    await undoLaunch(ctx, id)
    await acts.run(id)
    expect((await acts.view(id)).undo).toBe('DONE')
  })
})
