import { createHmac, timingSafeEqual } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { testServices } from '../../../tests/support/services.ts'
import { buildServer } from './build-server.ts'
import { route } from './route.ts'

const webhook = defineEndpoint({
  method: 'POST',
  path: '/webhooks/payments',
  access: 'public',
  summary: 'A payment event',
  rawBody: { mediaType: 'application/json', signatureHeader: 'Payment-Signature' },
  maxBodyBytes: 2048,
  response: v.object({ base64: v.string() }),
  errors: ['FORBIDDEN'],
})
const ordinary = defineEndpoint({
  method: 'POST',
  path: '/ordinary',
  access: 'public',
  summary: 'An ordinary call',
  body: v.object({ n: v.number() }),
  response: v.object({ n: v.number() }),
})

const sign = (bytes: Uint8Array) => createHmac('sha256', 'secret').update(bytes).digest()

let services: Awaited<ReturnType<typeof testServices>>
let app: Awaited<ReturnType<typeof buildServer>>
beforeAll(async () => {
  services = await testServices()
  app = await buildServer({
    services,
    checkResponses: true,
    version: '1.0.0',
    authenticate: async () => null,
    routes: [
      route(webhook, async (_ctx, { rawBody: { bytes, signature } }) => {
        const sent = Buffer.from(signature, 'hex')
        if (sent.length !== 32 || !timingSafeEqual(sent, sign(bytes)))
          throw new AppError('FORBIDDEN', 'Wrong signature.')
        return { base64: Buffer.from(bytes).toString('base64') }
      }),
      route(ordinary, async (_ctx, { body }) => body),
    ],
  })
})
afterAll(async () => {
  await app.close()
  await services.close()
})

function post(payload: Buffer, headers: Record<string, string> = {}) {
  return app.inject({
    method: 'POST',
    url: '/api/webhooks/payments',
    payload,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'payment-signature': sign(payload).toString('hex'),
      ...headers,
    },
  })
}

test('a signed webhook reaches its verb byte for byte', async () => {
  // Parsed and written again this would be another text: spaces, order, escapes, a number beyond 2^53.
  const payload = Buffer.from('{ "type":"paid",\n\t"b":1.0, "a":"\\u00e9é", "id":12345678901234567890 }\r\n')
  const answer = await post(payload)
  expect([answer.statusCode, answer.json()]).toEqual([200, { base64: payload.toString('base64') }])
})

test('a body changed on its way no longer fits its signature', async () => {
  const signature = sign(Buffer.from('{"type":"paid"}')).toString('hex')
  const answer = await post(Buffer.from('{"type": "paid"}'), { 'payment-signature': signature })
  expect(answer.json()).toMatchObject({ errorCode: 'FORBIDDEN' })
})

test('a webhook without a signature is a 400 that names the header', async () => {
  const answer = await app.inject({ method: 'POST', url: '/api/webhooks/payments', payload: { type: 'paid' } })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ errorCode: 'VALIDATION_FAILED', details: ['Payment-Signature is required'] })
})

test('a raw body over its limit is a 413, one of another media type a 415', async () => {
  expect((await post(Buffer.alloc(2049, ' '))).statusCode).toBe(413)
  expect((await post(Buffer.from('type=paid'), { 'content-type': 'text/plain' })).statusCode).toBe(415)
})

test('other endpoints still get their JSON parsed', async () => {
  const answer = await app.inject({ method: 'POST', url: '/api/ordinary', payload: { n: 1 } })
  expect(answer.json()).toEqual({ n: 1 })
})

test('the OpenAPI document names the media type, the limit and the signature header', async () => {
  const document = (await app.inject({ url: '/api/openapi.json' })).json()
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
  expect(document.paths['/webhooks/payments'].post).toMatchObject({
    parameters: [{ name: 'Payment-Signature', in: 'header', required: true }],
    requestBody: { description: 'At most 2 kB', required: true, content: { 'application/json': {} } },
    responses: { 200: {}, 400: {}, 403: {}, 413: {} },
    security: [],
  })
})
