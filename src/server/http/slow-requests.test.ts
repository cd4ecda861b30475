import { type AddressInfo, connect } from 'node:net'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { testServices } from '../../../tests/support/services.ts'
import { buildServer } from './build-server.ts'
import { route } from './route.ts'

const echo = defineEndpoint({
  method: 'POST',
  path: '/echo',
  summary: 'Takes a text of anybody',
  access: 'public',
  body: v.strictObject({ text: v.string() }),
  response: v.object({ text: v.string() }),
})

const requestTimeoutMs = 3000
let services: Awaited<ReturnType<typeof testServices>>
let app: Awaited<ReturnType<typeof buildServer>>
let port: number
let calls = 0
beforeAll(async () => {
  services = await testServices()
  const routes = [
    route(echo, async (_ctx, { body }) => {
      calls += 1
      return { text: body.text }
    }),
  ]
  const authenticate = async () => null
  app = await buildServer({ services, routes, authenticate, checkResponses: true, version: '1', requestTimeoutMs })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await services.close()
})

const head = (length: number) =>
  `POST /api/echo HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** Sends the start at once and one piece more every 20 ms; answers what came back before the connection was closed. */
function drip(start: string, rest: readonly string[]) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(start))
    let heard = ''
    let sent = 0
    const timer = setInterval(() => socket.writable && sent < rest.length && socket.write(rest[sent++] ?? ''), 20)
    socket.on('data', chunk => (heard += String(chunk)))
    socket.on('error', error => ((error as NodeJS.ErrnoException).code === 'EPIPE' ? undefined : reject(error)))
    socket.on('close', () => {
      clearInterval(timer)
      resolve(heard)
    })
  })
}
const problemOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))

test.each([
  ['body', `${head(50_000)}{"text":"`, Array(50_000).fill('x')],
  ['head', 'POST /api/echo HTTP/1.1\r\nX-Slow: ', Array(50_000).fill('x')],
])('a request whose %s comes drop by drop is cut off, in the common form', async (_part, start, rest) => {
  const before = calls
  const answer = await drip(start, rest)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(problemOf(answer)).toMatchObject({ message: 'The request took too long to arrive.', details: [] })
  expect(calls).toBe(before)
})

test('a request that arrives in time is answered, in however many pieces', async () => {
  const pieces = ['{"te', 'xt":"sl', 'ow"}']
  const answer = await drip(head(pieces.join('').length).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), pieces)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('what is no request is answered in the common form', async () => {
  const answer = await drip('NONSENSE\r\n\r\n', [])
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(problemOf(answer)).toMatchObject({ errorCode: 'VALIDATION_FAILED' })
})

test('a server waits thirty seconds for a request by default', async () => {
  const usual = await buildServer({
    services,
    routes: [],
    authenticate: async () => null,
    checkResponses: true,
    version: '1',
  })
  await usual.ready()
  expect(usual.server.requestTimeout).toBe(30_000)
  await usual.close()
})
