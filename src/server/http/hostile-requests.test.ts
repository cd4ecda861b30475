import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { testServices } from '../../../tests/support/services.ts'
import type { Actor } from '../context.ts'
import { buildServer } from './build-server.ts'
import { route } from './route.ts'

const actor: Actor = {
  accountId: 1,
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
const lists = v.strictObject({ items: v.array(v.string('Must be a text')), any: v.optional(v.unknown()) })
const small = defineEndpoint({
  method: 'POST',
  path: '/small',
  summary: 'Takes little, of anybody',
  access: 'public',
  maxBodyBytes: 2000,
  body: lists,
  response: v.null(),
})
const large = defineEndpoint({
  method: 'POST',
  path: '/large',
  access: 'account',
  summary: 'Takes much, after a log-in',
  maxBodyBytes: 2_000_000,
  body: lists,
  response: v.null(),
})
const refusing = defineEndpoint({
  method: 'POST',
  path: '/refusing',
  summary: 'Finds many problems',
  access: 'public',
  response: v.null(),
})

let services: Awaited<ReturnType<typeof testServices>>
let app: Awaited<ReturnType<typeof buildServer>>
beforeAll(async () => {
  services = await testServices()
  app = await buildServer({
    services,
    checkResponses: true,
    version: '1.0.0',
    authenticate: async token => (token === 'good' ? actor : null),
    routes: [
      route(small, async () => null),
      route(large, async () => null),
      route(refusing, async () => {
        const details = Array.from({ length: 10_000 }, (_, i) => `Problem ${i} ${'x'.repeat(1000)}`)
        throw new AppError('RULE_VIOLATED', 'y'.repeat(5000), {
          details,
          extra: { fields: Object.fromEntries(details.map(text => [text, text])) },
        })
      }),
    ],
  })
})
afterAll(async () => {
  await app.close()
  await services.close()
})

function post(url: string, payload: string, token = 'good') {
  return app.inject({
    method: 'POST',
    url: `/api${url}`,
    payload,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
}

test('a body beyond what its call takes is 413 in the common body', async () => {
  const body = (length: number) => JSON.stringify({ items: ['x'.repeat(length)] })
  expect((await post('/small', body(1900))).statusCode).toBe(200)
  const refused = await post('/small', body(2000))
  expect(refused.statusCode).toBe(413)
  expect(refused.json()).toMatchObject({ errorCode: 'PAYLOAD_TOO_LARGE', details: [] })
  expect((await post('/large', body(9000))).statusCode).toBe(200)
})

test('an answer to a log-in is kept by nobody', async () => {
  expect((await post('/large', '{"items":[]}')).headers['cache-control']).toBe('no-store')
})

test('what the body says is not looked at before the log-in', async () => {
  expect((await post('/large', '{'.repeat(1000), 'bad')).statusCode).toBe(401)
  expect((await post('/large', '{'.repeat(1000))).statusCode).toBe(400)
})

test.each([
  ['lists 5,000 deep', `{"items":[],"any":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['objects 5,000 deep', `{"items":[],"any":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
  ['200,000 items', `{"items":[${Array(200_000).fill('1').join()}]}`],
  ['100,000 items', `{"items":[${Array(100_000).fill('1').join()}]}`],
  ['100,000 odd texts', `{"items":[${Array(100_000).fill('"\\u0000"').join()}]}`],
  ['names of a megabyte', `{"${'x'.repeat(1_000_000)}":1}`],
  ['an unknown name of 9,000 characters', `{"items":[],"${'\\u0001'.repeat(9000)}":1}`],
])('a body with %s is 400, with an answer that is small', async (_name, payload) => {
  const answer = await post('/large', payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ errorCode: 'VALIDATION_FAILED' })
  expect(answer.rawPayload.length).toBeLessThan(20_000)
})

test('a failure tells so much and no more, however much it has found', async () => {
  const answer = await post('/refusing', '{}')
  expect(answer.statusCode).toBe(422)
  expect(answer.rawPayload.length).toBeLessThan(20_000)
  expect(answer.json().details[0]).toMatch(/^Problem 0 x+…$/)
})
