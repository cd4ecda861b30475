import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
}, 120_000)
afterEach(() => scene.calm())
afterAll(() => scene.close())

const receive = () =>
  receiveHours(scene.services, new Date(scene.services.clock.now().getTime() + 60_000), AbortSignal.timeout(20_000))
const booked = () => bookedHours(scene.world, scene.profile, firstHour)
const received = () => receivedHours(scene.services, scene.profile, firstHour)

test.each<[FaultOrder, 'unseen' | 'later' | 'told']>([
  [{ kind: 'duplicate-delivery', times: 30 }, 'unseen'],
  [{ kind: 'out-of-order', times: 30 }, 'unseen'],
  [{ kind: 'status', status: 500, times: 2 }, 'unseen'],
  [{ kind: 'drop-before', times: 1, skip: 1 }, 'unseen'],
  // What was received or acknowledged and not answered comes again, and counts once.
  [{ kind: 'drop-after', times: 1 }, 'later'],
  [{ kind: 'drop-after', times: 2, skip: 1 }, 'later'],
  [{ kind: 'malformed', times: 1 }, 'later'],
  [{ kind: 'hang', times: 1, skip: 1 }, 'later'],
  [{ kind: 'throttle', retryAfterSeconds: null, times: 100 }, 'told'],
  [{ kind: 'expired-token', times: 100 }, 'told'],
])('%j at the queue loses no hour and doubles none', async (fault, outcome) => {
  scene.calm({ timeoutMs: 150 })
  scene.world.clock.advance(HOUR_MS)
  scene.order({ match: { vendor: 'sqs' }, ...fault })
  const ended = await receive().then(
    () => 'well',
    () => 'told',
  )
  expect(ended).toBe(outcome === 'told' ? 'told' : 'well')
  scene.calm()
  if (outcome !== 'unseen') {
    scene.world.clock.advance(BACK_AFTER_MS)
    await receive()
  }
  const books = booked()
  expect(Object.keys(books).length).toBeGreaterThan(0)
  expect(await received()).toEqual(books)
})
