import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServices } from '../../../tests/support/services.ts'
import type { Database } from '../db/open-database.ts'
import { type AccountEvent, createEvents } from './events.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

let services: Awaited<ReturnType<typeof testServices>>
beforeAll(async () => {
  services = await testServices()
})
afterAll(() => services.close())

test('an account hears what commits and concerns it, and nothing else', async () => {
  const heard: AccountEvent[] = []
  const stop = services.events.subscribe(1, event => heard.push(event))
  const { db, events } = services
  await expect(
    db.transaction(async tx => {
      await events.publish(tx, [1], 'undone', {})
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await events.publish(db.system, [2], 'theirs', {})
  await events.publish(db.system, [1, 2], 'both', { ids: [7] })
  await waitUntil(() => expect(heard).toEqual([{ type: 'both', data: { ids: [7] } }]))
  stop()
  const later: string[] = []
  events.subscribe(1, ({ type }) => later.push(type))
  await events.publish(db.system, [1], 'later', {})
  await waitUntil(() => expect(later).toEqual(['later']))
  expect(heard).toHaveLength(1)
})

test('what is no event of ours is passed over, and later ones are heard', async () => {
  const heard: string[] = []
  services.events.subscribe(3, ({ type }) => heard.push(type))
  for (const payload of ['no JSON', '{"accounts":"all"}', ''])
    await sql`select pg_notify('tideline_events', ${payload})`.execute(services.db.system)
  await services.events.publish(services.db.system, [3], 'real', {})
  await waitUntil(() => expect(heard).toEqual(['real']))
})

test('a connection over which nothing comes any more is replaced, once', async () => {
  const line = { isBroken: false, replaced: 0, beats: 0 }
  const listen: Database['listen'] = async (_channel, listener, options) => ({
    ping: async () => undefined,
    notify: async payload => {
      line.beats += 1
      if (!line.isBroken) listener(payload)
    },
    reconnect: () => {
      line.replaced += 1
      line.isBroken = false
      options?.onGap?.()
    },
    stop: async () => undefined,
  })
  const events = await createEvents({ listen }, services.log, { beatEveryMs: 5 })
  let gaps = 0
  events.onGap(() => (gaps += 1))
  line.isBroken = true
  await waitUntil(() => expect(line.replaced).toBe(1))
  const { beats } = line
  await waitUntil(() => expect(line.beats).toBeGreaterThan(beats + 5))
  await events.close()
  expect([line.replaced, gaps]).toEqual([1, 1])
})
