import { afterAll, beforeAll } from 'vitest'
import type { Services } from '#server/context.ts'
import { testServices } from './services.ts'
import { addTestAccount, addTestCampaign, type TestAccount, testCaller } from './campaign-account.ts'
import { structureJobs } from '#features/structure/server/push/send-changes.ts'

/** Services and one account for a file of tests of changes. Filled before the first test. */
export function editScene() {
  const scene = {} as { services: Services & { close(): Promise<void> }; account: TestAccount }
  beforeAll(async () => {
    scene.services = await testServices({ jobs: structureJobs })
    scene.account = await addTestAccount(scene.services)
  })
  afterAll(() => scene.services.close())
  return Object.assign(scene, {
    /** A campaign of the account, with an ad group, an ad and a keyword. */
    added: (name: string, more: { state?: string; budget?: number } = {}) =>
      addTestCampaign(scene.services, scene.account, { name, ...more }),
    /** Who edits it, on top of a version. */
    caller: (version: number | null = 1) => testCaller(scene.services, scene.account, version),
    /** Who belongs to another merchant. */
    stranger: async () => testCaller(scene.services, await addTestAccount(scene.services), 1),
    /** Who may look and change nothing. */
    powerless: async () => {
      const ctx = await testCaller(scene.services, scene.account, 1)
      return { ...ctx, actor: { ...ctx.actor, authorities: [] } }
    },
  })
}
