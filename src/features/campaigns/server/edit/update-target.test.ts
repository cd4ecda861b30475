import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { addTestAccount, addTestCampaign, type TestAccount, testCaller } from '../campaigns-test-account.ts'
import { campaignsJobs } from '../jobs.ts'
import { updateTarget } from './update-target.ts'

let services: Services & { close(): Promise<void> }
let account: TestAccount

beforeAll(async () => {
  services = await testServices({ jobs: campaignsJobs })
  account = await addTestAccount(services)
})
afterAll(() => services.close())

const added = (name: string, more: { budget?: number } = {}) => addTestCampaign(services, account, { name, ...more })
const caller = (version: number | null = 1) => testCaller(services, account, version)

describe('a change of a keyword', () => {
  test('sets its bid and state as pending', async () => {
    const { keywordId } = await added('Bids')
    const changed = await updateTarget(await caller(), 'keyword', { id: keywordId, bid: 0.9, state: 'PAUSED' })
    expect(changed).toMatchObject({ bid: 0.9, state: 'PAUSED', syncState: 'PENDING', version: 2 })
    await expect(updateTarget(await caller(1), 'keyword', { id: keywordId, bid: 1 })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      extra: { current: { bid: 0.9 } },
    })
  })

  test('keeps its bid under the campaign’s budget and within the marketplace’s limits', async () => {
    const { keywordId } = await added('Small', { budget: 2 })
    const tried = async (bid: number) => updateTarget(await caller(), 'keyword', { id: keywordId, bid })
    await expect(tried(2.01)).rejects.toMatchObject({
      extra: { fields: { bid: 'The bid must not be higher than the campaign’s daily budget of 2 USD' } },
    })
    await expect(tried(0.01)).rejects.toMatchObject({ details: ['The bid must be between 0.02 and 1000 USD'] })
    expect((await tried(2)).bid).toBe(2)
  })

  test('archives it; an automatic group can only be paused', async () => {
    const { keywordId } = await added('Given up')
    const gone = await updateTarget(await caller(), 'keyword', { id: keywordId, state: 'ARCHIVED' })
    expect(gone).toMatchObject({ state: 'ARCHIVED', syncState: 'PENDING' })
    const { keywordId: auto } = await added('Automatic')
    await services.db.system.updateTable('target').set({ kind: 'AUTO' }).where('id', '=', auto).execute()
    await expect(updateTarget(await caller(), 'target', { id: auto, state: 'ARCHIVED' })).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
  })

  test('is not found as a target, nor by another merchant', async () => {
    const { keywordId } = await added('Kinds')
    await expect(updateTarget(await caller(), 'target', { id: keywordId, bid: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const stranger = await testCaller(services, await addTestAccount(services), 1)
    await expect(updateTarget(stranger, 'keyword', { id: keywordId, bid: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
