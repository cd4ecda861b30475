import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import { type AdsClient, adsClient, campaignItem, startSmallSandbox } from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
beforeAll(async () => {
  sandbox = await startSmallSandbox()
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  sandbox.world.reset('small')
  ads = await adsClient(sandbox)
})

const setLimit = (limit: object | null) => sandbox.control('POST', 'limits', limit)
let made = 0
async function create() {
  const { status, headers } = await ads.call('POST', '/sp/campaigns', 'application/vnd.spCampaign.v3+json', {
    campaigns: [campaignItem(`Limited ${made++}`)],
  })
  return status === 429 ? `429 after ${headers.get('retry-after')}` : status
}
async function creates(count: number) {
  const answers: (number | string)[] = []
  for (let i = 0; i < count; i++) answers.push(await create())
  return answers
}
const passes = (seconds: number) => sandbox.world.clock.advance(seconds * 1000)

test('a profile has no limit until one is set, and none after a reset', async () => {
  expect(new Set(await creates(30))).toEqual(new Set([207]))
  await setLimit({ rate: 1, burst: 1 })
  expect(await creates(2)).toEqual([207, '429 after 1'])
  sandbox.world.reset('small')
  ads = await adsClient(sandbox)
  expect(await creates(2)).toEqual([207, 207])
})

test('a profile has its burst at once and its rate per second, and a Retry-After beyond', async () => {
  await setLimit({ rate: 0.5, burst: 2 })
  expect(await creates(3)).toEqual([207, 207, '429 after 2'])
  passes(2)
  expect(await creates(2)).toEqual([207, '429 after 2'])
  passes(60)
  expect(await creates(3)).toEqual([207, 207, '429 after 2'])
})

test('a caller that returns before its Retry-After is throttled again, though its bucket is full', async () => {
  await setLimit({ rate: 10, burst: 10 })
  const match = { vendor: 'ads', method: 'POST', path: '/sp/campaigns' }
  sandbox.world.faults.add({ match, kind: 'throttle', retryAfterSeconds: 60 })
  expect(await creates(2)).toEqual(['429 after 60', '429 after 60'])
  passes(59)
  expect(await create()).toBe('429 after 1')
  passes(1)
  expect(await create()).toBe(207)
  const refusals = sandbox.world.journal.list({ vendor: 'ads' }).filter(entry => entry.status === 429)
  expect(refusals.map(entry => entry.fault)).toEqual(['throttle', null, null])
})

test('nothing that is no limit is taken for one', async () => {
  expect([(await setLimit({ rate: 0, burst: 1 })).status, (await setLimit({ rate: 1 })).status]).toEqual([400, 400])
})
