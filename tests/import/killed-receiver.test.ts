import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { bookedHours, receivedHours } from '../support/hour-sums.ts'
import { openWatchedAccount, type WatchedAccount } from '../support/watched-account.ts'

// A process that dies while it takes messages off the queue: those that it did not acknowledge come again, to another one.

const HOUR_MS = 3_600_000
/** A message that was handed out and not taken off the queue comes back after so long. */
const BACK_AFTER_MS = 45_000
let account: WatchedAccount
let firstHour: Date
beforeAll(async () => {
  account = await openWatchedAccount(new Date('2026-06-01T16:00:00Z'))
  firstHour = new Date(Math.ceil(account.world.clock.now().getTime() / HOUR_MS) * HOUR_MS)
})
afterAll(() => account.close())

/** Services that die at the nth thing that they do to the database or the queue, and do nothing any more. */
function dyingAt(services: Services, n: number) {
  let left = n
  const underWay: Promise<unknown>[] = []
  const live = <A extends unknown[], R>(act: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      left -= 1
      if (left < 0) return Promise.reject(new Error('killed'))
      const acting = act(...args)
      underWay.push(acting)
      return acting
    }
  }
  const { db, integrations } = services
  const { amazonAds } = integrations
  const { stream } = amazonAds
  if (!stream) throw new Error('there is no stream')
  const mortal: Services = {
    ...services,
    db: Object.assign(Object.create(db) as typeof db, {
      tenant: live(db.tenant.bind(db) as (...args: unknown[]) => Promise<unknown>),
      transaction: live(db.transaction.bind(db) as (...args: unknown[]) => Promise<unknown>),
    }),
    integrations: {
      ...integrations,
      amazonAds: Object.assign(Object.create(amazonAds) as typeof amazonAds, {
        stream: {
          ...stream,
          receive: live(stream.receive.bind(stream)),
          acknowledge: live(stream.acknowledge.bind(stream)),
        },
      }),
    },
  }
  return { mortal, isDead: () => left < 0, end: () => Promise.allSettled(underWay) }
}

test('killed at any step, nothing is lost and nothing counts twice', async () => {
  const { services, world, profile } = account
  let steps = 0
  for (let isDead = true; isDead; steps++) {
    world.clock.advance(HOUR_MS)
    const life = dyingAt(services, steps)
    await account.receive(life.mortal).catch(() => undefined)
    isDead = life.isDead()
    // A connection of a dead process takes no more messages off the queue.
    await life.end()
    world.clock.advance(BACK_AFTER_MS)
    await account.receive()
    expect(await receivedHours(services, profile, firstHour)).toEqual(bookedHours(world, profile, firstHour))
  }
  // It receives, saves, announces and acknowledges at least.
  expect(steps).toBeGreaterThan(4)
  expect(Object.keys(bookedHours(world, profile, firstHour)).length).toBeGreaterThan(3)
})
