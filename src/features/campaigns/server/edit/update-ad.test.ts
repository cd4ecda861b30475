import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { addTestAccount, addTestCampaign, type TestAccount, testCaller } from '../campaigns-test-account.ts'
import { campaignsJobs } from '../jobs.ts'
import { updateAd } from './update-ad.ts'

let services: Services & { close(): Promise<void> }
let account: TestAccount

beforeAll(async () => {
  services = await testServices({ jobs: campaignsJobs })
  account = await addTestAccount(services)
})
afterAll(() => services.close())

const added = (name: string) => addTestCampaign(services, account, { name })
const caller = (version: number | null = 1) => testCaller(services, account, version)

describe('a change of an ad', () => {
  test('pauses and enables it as pending', async () => {
    const { adId } = await added('Advertised')
    expect(await updateAd(await caller(), adId, 'PAUSED')).toMatchObject({ state: 'PAUSED', syncState: 'PENDING' })
    expect(await updateAd(await caller(2), adId, 'ENABLED')).toMatchObject({ state: 'ENABLED', version: 3 })
    expect(await updateAd(await caller(3), adId, 'ENABLED')).toMatchObject({ version: 3 })
  })

  test('is not for other merchants or the unauthorised', async () => {
    const { adId } = await added('Guarded ad')
    const stranger = await testCaller(services, await addTestAccount(services), 1)
    await expect(updateAd(stranger, adId, 'PAUSED')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const powerless = { ...(await caller()) }
    powerless.actor = { ...powerless.actor, authorities: [] }
    await expect(updateAd(powerless, adId, 'PAUSED')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
