import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Profile } from '#features/accounts/server/public.ts'
import type { EntityName } from '#features/structure/contract.ts'
import { importStructure } from '#features/structure/server/public.ts'
import { pushJobs, structureJobs } from '#features/structure/server/push/send-changes.ts'
import { getCampaign, pickCampaigns } from '#features/structure/server/read-campaigns.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import type { Ctx, Services } from '#server/context.ts'
import { connectSeller } from './connected-seller.ts'
import { servicesWithOutside } from './outside.ts'

/** How a job is run that is not the last try. */
export const firstTry = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }

/** An imported account at an emulated marketplace, whose changes are sent by hand. Filled before the first test. */
export function changesScene() {
  const scene = {} as {
    services: Services & { close(): Promise<void> }
    sandbox: Sandbox
    ctx: Ctx
    profile: Profile
  }
  let untouched: number[] = []
  beforeAll(async () => {
    Object.assign(scene, await servicesWithOutside({ jobs: structureJobs }))
    const { services } = scene
    const seller = await connectSeller(services, { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS' })
    scene.ctx = seller.ctx
    scene.profile = seller.profiles.find(own => own.countryCode === 'US') as Profile
    const progress = { signal: AbortSignal.timeout(60_000), onProgress: async () => undefined }
    await importStructure(services, scene.profile, progress)
    untouched = (await pickCampaigns(scene.ctx))
      .filter(one => one.state === 'ENABLED' && one.adType === 'SPONSORED_PRODUCTS')
      .map(one => one.id)
  })
  afterEach(() => scene.sandbox.world.faults.clear())
  afterAll(() => scene.services.close())

  const own = (id: number) => getCampaign(scene.ctx, String(id))
  const door = () =>
    scene.services.integrations.amazonAds.forProfile({
      connectionId: scene.profile.connectionId,
      region: scene.profile.region,
      profileId: scene.profile.amazonProfileId,
    })
  return {
    scene,
    own,
    door,
    /** Who edits on top of a version. */
    at: (version: number): Ctx => ({ ...scene.ctx, ifMatch: version }),
    /** Sends what is pending of an entity. */
    push: (entity: EntityName, part: Partial<typeof firstTry> = {}, adType = 'SPONSORED_PRODUCTS') => {
      const { merchantId, profileId } = scene.profile
      return pushJobs[entity].run(scene.services, { merchantId, profileId, adType }, { ...firstTry, ...part })
    },
    /** A running campaign that no other test has touched. */
    campaign: async () => {
      const id = untouched.pop()
      if (id === undefined) throw new Error('the scenario has too few campaigns')
      return own(id)
    },
    atMarketplace: async (amazonId: string) => {
      const all = await door().campaigns.all({ states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })
      const found = all.find(one => one.campaignId === amazonId)
      if (!found) throw new Error('the marketplace has no such campaign')
      return found
    },
    /** Changes of campaigns fail at the marketplace. */
    fail: (kind: 'drop-after' | 'drop-before' | 'status' | 'partial', more: object = {}) =>
      scene.sandbox.world.faults.add({
        match: { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' },
        kind,
        times: 100,
        ...more,
      }),
  }
}
