import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { queryInt } from '#shared/query-schemas.ts'
import { testServices } from '../../../tests/support/services.ts'
import type { Actor } from '../context.ts'
import { createLog } from '../log/log.ts'
import { buildServer } from './build-server.ts'
import { route } from './route.ts'

const probe = v.object({ id: v.number(), n: v.number() })
const read = defineEndpoint({
  method: 'GET',
  path: '/probes/:id',
  access: 'account',
  summary: 'Read',
  params: v.object({ id: queryInt }),
  query: v.strictObject({ n: v.optional(queryInt, 1) }),
  response: probe,
})
const create = defineEndpoint({
  method: 'POST',
  path: '/probes',
  access: 'account',
  summary: 'Create',
  status: 201,
  idempotencyKey: true,
  body: v.strictObject({
    n: v.pipe(v.number('A number is needed'), v.minValue(1, 'At least one')),
    note: v.optional(v.unknown()),
  }),
  response: probe,
})
const open = defineEndpoint({
  method: 'GET',
  path: '/open',
  summary: 'Open',
  access: 'public',
  response: v.object({ ok: v.boolean() }),
})
const secret = defineEndpoint({
  method: 'POST',
  path: '/secrets/:token',
  access: 'public',
  summary: 'Use',
  params: v.object({ token: v.string() }),
  response: v.object({ ok: v.boolean() }),
})
const changed = defineEndpoint({ ...read, path: '/changed/:id', changedIn: 2 })
const broken = defineEndpoint({ ...open, path: '/broken' })

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
let created = 0
let failure: Error | null = null
let services: Awaited<ReturnType<typeof testServices>>
const clock = { now: () => new Date(Math.floor(Date.now() / 60_000) * 60_000) }
let app: Awaited<ReturnType<typeof buildServer>>

beforeAll(async () => {
  services = await testServices({ clock })
  app = await buildServer({
    services,
    checkResponses: true,
    version: '1.0.0',
    authenticate: async token => (token.startsWith('user-') ? actor(Number(token.slice(5))) : null),
    routes: [
      route(read, async (_ctx, { params, query }) => ({ id: params.id, n: query.n })),
      route(create, async (_ctx, { body }) => {
        if (failure) throw failure
        return { id: ++created, n: body.n }
      }),
      route(changed, async (_ctx, { params, query }) => ({ id: params.id, n: query.n })),
      route(open, async () => ({ ok: true }), { rateLimit: { max: 3, windowSeconds: 60 } }),
      route(broken, async () => ({ ok: 'yes' }) as never),
    ],
  })
})
beforeEach(() => {
  created = 0
  failure = null
})
afterAll(async () => {
  await app.close()
  await services.close()
})

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { authorization: 'Bearer user-1', ...headers } })
function post(body: unknown, key: string | null, user = 1) {
  return app.inject({
    method: 'POST',
    url: '/api/probes',
    payload: body as object,
    headers: { authorization: `Bearer user-${user}`, ...(key && { 'idempotency-key': key }) },
  })
}

test('a call without a good token is 401 and says so in the common body', async () => {
  const answer = await app.inject({ url: '/api/probes/1', headers: { authorization: 'Bearer nonsense' } })
  expect(answer.statusCode).toBe(401)
  expect(answer.json()).toEqual({
    errorCode: 'UNAUTHENTICATED',
    message: 'Please log in.',
    details: [],
    requestId: expect.any(String),
  })
  expect(answer.headers['x-request-id']).toBe(answer.json().requestId)
})

test('an answer of any kind tells the time that the product goes by', async () => {
  for (const url of ['/api/open', '/api/probes/1', '/api/broken', '/api/nowhere']) {
    const { headers } = await app.inject({ url })
    expect(headers.date).toBe(clock.now().toUTCString())
  }
})

test('path and query are parsed and defaulted', async () => {
  expect((await get('/api/probes/7')).json()).toEqual({ id: 7, n: 1 })
  expect((await get('/api/probes/7?n=5')).json()).toEqual({ id: 7, n: 5 })
})

test('input that does not fit is 400 with one detail a field, in the schema’s words', async () => {
  const answer = await post({ n: 'x' }, 'k-invalid')
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({
    errorCode: 'VALIDATION_FAILED',
    details: ['A number is needed'],
    fields: { n: 'A number is needed' },
  })
})

test.each(['a\u0000b', 'a\ud800b'])('a text that no database keeps (%j) is refused, wherever it stands', async text => {
  for (const note of [text, [text], { [text]: 1 }]) {
    const answer = await post({ n: 1, note }, 'k-odd')
    expect(answer.statusCode).toBe(400)
    expect(answer.json().details).toContain('A text has a character that cannot be saved')
  }
  expect((await post({ n: 1, note: 'Größe 😀' }, 'k-even')).statusCode).toBe(201)
})

test('unknown fields are refused, in body and query', async () => {
  expect((await post({ n: 1, roles: ['ADMIN'] }, 'k-extra')).statusCode).toBe(400)
  expect((await get('/api/probes/7?admin=1')).statusCode).toBe(400)
})

test('broken JSON and other media types are refused', async () => {
  const headers = { authorization: 'Bearer user-1', 'idempotency-key': 'k-media' }
  const bad = await app.inject({
    method: 'POST',
    url: '/api/probes',
    payload: '{',
    headers: { ...headers, 'content-type': 'application/json' },
  })
  expect(bad.json()).toMatchObject({ errorCode: 'VALIDATION_FAILED' })
  const form = await app.inject({
    method: 'POST',
    url: '/api/probes',
    payload: 'n=1',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(form.statusCode).toBe(415)
})

test('twenty equal requests with one key do the work once, and all who get an answer get the same', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post({ n: 3 }, 'k-parallel')))
  expect(created).toBe(1)
  const done = answers.filter(a => a.statusCode === 201)
  expect(done.length).toBeGreaterThan(0)
  expect(new Set(done.map(a => a.body)).size).toBe(1)
  expect(answers.filter(a => a.statusCode !== 201).every(a => a.json().errorCode === 'IDEMPOTENCY_IN_FLIGHT')).toBe(
    true,
  )
  expect((await post({ n: 3 }, 'k-parallel')).json()).toEqual({ id: 1, n: 3 })
})

test('a key used again with another body is refused; another account’s same key is its own', async () => {
  await post({ n: 1 }, 'k-reuse')
  expect((await post({ n: 2 }, 'k-reuse')).json()).toMatchObject({ errorCode: 'IDEMPOTENCY_KEY_REUSED' })
  expect((await post({ n: 2 }, 'k-reuse', 2)).statusCode).toBe(201)
})

test('a failed call frees its key, so that it can be tried again', async () => {
  failure = new AppError('CONFLICT', 'Not now.')
  expect((await post({ n: 1 }, 'k-fail')).statusCode).toBe(409)
  failure = null
  expect((await post({ n: 1 }, 'k-fail')).statusCode).toBe(201)
})

test('a call that creates needs its key', async () => {
  expect((await post({ n: 1 }, null)).json()).toMatchObject({
    errorCode: 'VALIDATION_FAILED',
    details: ['Idempotency-Key is required'],
  })
})

test('a failure of ours tells nothing of the inside', async () => {
  failure = new Error('select * from secrets at /srv/app.ts')
  const answer = await post({ n: 1 }, 'k-500')
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toMatch(/select|srv/)
})

test('an answer that breaks its own contract is found out', async () => {
  const answer = await app.inject({ url: '/api/broken' })
  expect(answer.json()).toMatchObject({ errorCode: 'INTERNAL' })
})

test('too many calls are 429 with how long to wait', async () => {
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await app.inject({ url: '/api/open', remoteAddress: '10.9.9.9' }))
  expect(answers.map(a => a.statusCode)).toEqual([200, 200, 200, 429])
  expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(answers[3]?.json()).toMatchObject({ errorCode: 'RATE_LIMITED' })
})

test('every answer carries the security headers, and scripts only from here', async () => {
  const { headers } = await app.inject({ url: '/api/open', remoteAddress: '10.1.1.1' })
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('no-referrer')
})

test('health and figures are for the local interface only', async () => {
  expect((await app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' })
  expect((await app.inject({ url: '/metrics' })).body).toContain('http_request_duration_seconds')
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    expect((await app.inject({ url, remoteAddress: '10.0.0.1' })).statusCode).toBe(404)
    expect((await app.inject({ url, headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode).toBe(404)
  }
})

test('an unknown call is 404 in the common body', async () => {
  expect((await app.inject({ url: '/api/nothing' })).json()).toMatchObject({ errorCode: 'NOT_FOUND' })
})

test('the document of the calls is valid OpenAPI 3.1', async () => {
  const document = (await app.inject({ url: '/api/openapi.json' })).json()
  expect(document.openapi).toBe('3.1.0')
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
  const parameters = document.paths['/probes/{id}'].get.parameters as { name: string }[]
  expect(parameters.map(p => p.name)).toContain('If-None-Match')
  expect(parameters).toHaveLength(3)
})

test('a call that has changed is rejected from clients that were written before, and from nobody else', async () => {
  const old = await get('/api/changed/7', { 'x-build': '1-abc' })
  expect(old.statusCode).toBe(426)
  expect(old.json()).toMatchObject({
    errorCode: 'CLIENT_OUTDATED',
    message: expect.stringContaining('Reload the page'),
  })
  for (const named of ['2-abc', '3-dev', 'something else', ''])
    expect((await get('/api/changed/7', { 'x-build': named })).statusCode, named).toBe(200)
  expect((await get('/api/changed/7')).statusCode).toBe(200)
  expect((await get('/api/probes/7', { 'x-build': '1-abc' })).statusCode).toBe(200)
})

test('the log has the paths of requests, but no token that is part of one', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: line => void lines.push(line) } })
  const logging = await buildServer({
    services: { ...services, log },
    checkResponses: true,
    version: '1.0.0',
    authenticate: async () => null,
    routes: [route(secret, async () => ({ ok: true })), route(open, async () => ({ ok: true }))],
  })
  await logging.inject({ method: 'POST', url: '/api/secrets/mackerel' })
  await logging.inject({ url: '/api/open' })
  await logging.close()
  const text = lines.join('')
  expect(text).toContain('/api/secrets/:token')
  expect(text).toContain('/api/open')
  expect(text).not.toContain('mackerel')
})
