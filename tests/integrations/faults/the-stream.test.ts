import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { receiveHours, subscribeHours } from '#features/metrics/server/public.ts'
import { bookedHours, receivedHours } from '../../support/hour-sums.ts'
import { type FaultOrder, openProductScene, type ProductScene } from '../../support/product-scene.ts'

// Figures of the hour come as messages; the user sees them in the heatmap a little later, never twice.

const HOUR_MS = 3_600_000
/** A message that was handed out and not taken off the queue comes back after so long. */
const BACK_AFTER_MS = 45_000
let scene: ProductScene
let firstHour: Date
beforeAll(async () => {
  scene = await openProductScene({ login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX', country: 'US' })
  await scene.importStructure()
  await subscribeHours(scene.services, scene.profile)
  await receive()
  firstHour = new Date(Math.ceil(scene.world.clock.now().getTime() / HOUR_MS) * HOUR_MS)
  scene.world.clock.set(firstHour)
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

const receive = () =>
  receiveHours(scene.services, new Date(scene.services.clock.now().getTime() + 60_000), AbortSignal.timeout(20_000))
const booked = () => bookedHours(scene.world, scene.profile, firstHour)
const received = () => receivedHours(scene.services, scene.profile, firstHour)
/** Lets hours pass until the books say something new: a small seller has hours in which nobody comes. */
function untilSomebodyCame() {
  const before = JSON.stringify(booked())
  for (let hours = 0; hours < 48; hours++) {
    scene.world.clock.advance(HOUR_MS)
    if (JSON.stringify(booked()) !== before) return
  }
  throw new Error('nobody came for two days')
}

test.each<[FaultOrder, 'unseen' | 'later' | 'reported']>([
  [{ kind: 'duplicate-delivery', times: 30 }, 'unseen'],
  [{ kind: 'out-of-order', times: 30 }, 'unseen'],
  [{ kind: 'status', status: 500, times: 2 }, 'unseen'],
  [{ kind: 'drop-before', times: 1, skip: 1 }, 'unseen'],
  // What was received or acknowledged and not answered comes again, and counts once.
  [{ kind: 'drop-after', times: 1 }, 'later'],
  [{ kind: 'drop-after', times: 2, skip: 1 }, 'later'],
  [{ kind: 'malformed', times: 1 }, 'later'],
  [{ kind: 'hang', times: 1, skip: 1 }, 'later'],
  [{ kind: 'throttle', retryAfterSeconds: null, times: 100 }, 'reported'],
  [{ kind: 'expired-token', times: 100 }, 'reported'],
])('%j at the queue loses no hour and doubles none', async (fault, outcome) => {
  scene.calm({ timeoutMs: 150 })
  untilSomebodyCame()
  scene.order({ match: { vendor: 'sqs' }, ...fault })
  const ended = await receive().then(
    () => 'well',
    () => 'reported',
  )
  expect(ended).toBe(outcome === 'reported' ? 'reported' : 'well')
  scene.calm()
  if (outcome !== 'unseen') {
    scene.world.clock.advance(BACK_AFTER_MS)
    await receive()
  }
  const books = booked()
  expect(Object.keys(books).length).toBeGreaterThan(0)
  expect(await received()).toEqual(books)
})

test('a forged message changes no figure and is logged', async () => {
  scene.calm()
  const [campaign] = [...scene.world.store.campaigns.values()].filter(one => one.state === 'ENABLED')
  const forged = {
    Type: 'Notification',
    MessageId: 'm-1',
    TopicArn: 'arn:aws:sns:us-east-1:906013806264:sp-traffic',
    Message: JSON.stringify({
      idempotency_id: 'ff-forged',
      dataset_id: 'sp-traffic',
      marketplace_id: 'ATVPDKIKX0DER',
      currency: 'USD',
      advertiser_id: 'A4DRIFTWOODUSX',
      campaign_id: campaign?.campaignId,
      ad_group_id: '1',
      ad_id: '1',
      keyword_id: '1',
      time_window_start: firstHour.toISOString(),
      clicks: 1000,
      impressions: 1000,
      cost: 1000,
    }),
    Timestamp: firstHour.toISOString(),
    SignatureVersion: '2',
    Signature: 'Zm9yZ2Vk',
    SigningCertURL: 'https://sns.us-east-1.amazonaws.com.example.org/topics.pem',
  }
  const sent = await fetch(`${scene.sandbox.url}/sqs`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
    body: JSON.stringify({ MessageBody: JSON.stringify(forged) }),
  })
  expect(sent.status).toBe(200)
  const errorLog = vi.spyOn(scene.services.log, 'error')
  await receive()
  expect(errorLog.mock.calls).toEqual([[{ reason: expect.stringContaining('unknown host') }, expect.any(String)]])
  errorLog.mockRestore()
  expect(await received()).toEqual(booked())
})
