import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServices } from '../../../tests/support/services.ts'
import type { Actor } from '../context.ts'
import { buildServer } from './build-server.ts'

let services: Awaited<ReturnType<typeof testServices>>
let app: Awaited<ReturnType<typeof buildServer>>
let url: string
let loggedIn = true
let laterMs = 0

function actor(accountId: number): Actor {
  return {
    accountId,
    sessionId: 's',
    email: 'a@b.c',
    authorities: ['ACCOUNT_MANAGER'],
    merchantId: null,
    merchantRole: null,
    marketplaceId: null,
    merchantIds: [],
    hasAccess: true,
    mayConnect: true,
  }
}

beforeAll(async () => {
  services = await testServices()
  const clock = { now: () => new Date(services.clock.now().getTime() + laterMs) }
  app = await buildServer({
    services: { ...services, clock },
    routes: [],
    checkResponses: true,
    version: '1.0.0',
    authenticate: async token => (loggedIn ? actor(Number(token)) : null),
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await services.close()
})

async function listen(account: number) {
  const abort = new AbortController()
  const answer = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${account}`, accept: 'text/event-stream' },
    signal: abort.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const until = async (text: string) => {
    while (!heard.includes(text)) {
      const chunk = await reader?.read()
      if (!chunk || chunk.done) return heard
      heard += chunk.value
    }
    return heard
  }
  return { answer, until, stop: () => abort.abort() }
}

test('an account receives its own events when the transaction commits, and no one else’s', async () => {
  const mine = await listen(1)
  expect(mine.answer.headers.get('content-type')).toContain('text/event-stream')
  await mine.until('hello')
  await services.db.transaction(tx => services.events.publish(tx, [2], 'seeding', { id: 'theirs' }))
  await services.db
    .transaction(tx =>
      services.events.publish(tx, [1], 'seeding', { id: 'rolled-back' }).then(() => Promise.reject(new Error('no'))),
    )
    .catch(() => undefined)
  await services.db.transaction(tx => services.events.publish(tx, [1, 2], 'seeding', { id: 'mine' }))
  const heard = await mine.until('mine')
  expect(heard).toContain('event: seeding')
  expect(heard).not.toContain('theirs')
  expect(heard).not.toContain('rolled-back')
  mine.stop()
})

test('who was logged out hears nothing more', async () => {
  const mine = await listen(3)
  await mine.until('hello')
  const tell = (id: string) => services.db.transaction(tx => services.events.publish(tx, [3], 'seeding', { id }))
  laterMs = 31_000
  await tell('before')
  await mine.until('before')
  loggedIn = false
  laterMs = 62_000
  await tell('after')
  expect(await mine.until('after')).not.toContain('after')
  loggedIn = true
  laterMs = 0
})

test('a stream ends at once with its session, and only with its own', async () => {
  const mine = await listen(4)
  await mine.until('hello')
  const tell = (type: string, id: string) =>
    services.db.transaction(tx => services.events.publish(tx, [4], type, { id }))
  // Another session of the account ended.
  await tell('sessions-ended', 'elsewhere')
  await tell('seeding', 'still-open')
  expect(await mine.until('still-open')).not.toContain('sessions-ended')
  loggedIn = false
  const began = performance.now()
  await tell('sessions-ended', 'here')
  expect(await mine.until('never')).not.toContain('sessions-ended')
  expect(performance.now() - began).toBeLessThan(2000)
  loggedIn = true
})

test('an account and an address have so many streams and no more, until one of them ends', async () => {
  const statusOf = async (account: number) => {
    const stream = await listen(account)
    if (stream.answer.ok) await stream.until('hello')
    return { status: stream.answer.status, stop: stream.stop, answer: stream.answer }
  }
  const open = []
  for (let i = 0; i < 12; i++) open.push(await statusOf(5))
  expect(open.map(stream => stream.status)).toEqual(Array(12).fill(200))
  const refused = await statusOf(5)
  expect(refused.status).toBe(429)
  expect(Number(refused.answer.headers.get('retry-after'))).toBeGreaterThan(0)
  open.pop()?.stop()
  await expect.poll(async () => (await statusOf(5)).status).toBe(200)
  const others = []
  for (let account = 100; account < 120; account++) for (let i = 0; i < 6; i++) others.push(await statusOf(account))
  expect(others.some(stream => stream.status === 429)).toBe(true)
  for (const stream of [...open, ...others]) stream.stop()
})

test('a stream does not keep the server from stopping', async () => {
  const second = await buildServer({
    services,
    routes: [],
    checkResponses: true,
    version: '1.0.0',
    authenticate: async () => actor(9),
  })
  const address = await second.listen({ port: 0, host: '127.0.0.1' })
  const stream = await fetch(`${address}/api/events`, {
    headers: { authorization: 'Bearer 9', accept: 'text/event-stream' },
  })
  const ended = stream.text()
  await second.close()
  expect(await ended).toContain('hello')
})
