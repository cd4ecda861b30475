import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { testServices } from '../../../tests/support/services.ts'
import { buildServer } from './build-server.ts'
import { route } from './route.ts'

const rows = Array.from({ length: 500 }, (_, id) => ({ campaignId: id, impressions: id * 7, clicks: id % 11 }))
const row = v.object({ campaignId: v.number(), impressions: v.number(), clicks: v.number() })
const list = defineEndpoint({
  method: 'GET',
  path: '/rows',
  summary: 'Rows',
  access: 'public',
  response: v.object({ rows: v.array(row) }),
})
const few = defineEndpoint({ ...list, path: '/few' })
const add = defineEndpoint({
  method: 'POST',
  path: '/rows',
  summary: 'Add',
  access: 'public',
  body: v.object({ rows: v.array(row) }),
  response: v.object({ rows: v.array(row) }),
})
const table = defineEndpoint({
  method: 'GET',
  path: '/table',
  summary: 'Table',
  access: 'public',
  file: ['text/csv'],
  response: v.any(),
})
const halfTable = defineEndpoint({ ...table, path: '/half-table' })

const lineCount = 20_000
const restIsRead = Promise.withResolvers<void>()

async function* lines({ areLost = false } = {}) {
  for (let at = 0; at < lineCount; at++) {
    if (at === lineCount / 2) {
      if (areLost) throw new Error('The database has gone.')
      await restIsRead.promise
    }
    yield new TextEncoder().encode(`${at},campaign ${(at * 7919) % 100_003},${at % 11}\n`)
  }
}

let services: Awaited<ReturnType<typeof testServices>>
let app: Awaited<ReturnType<typeof buildServer>>
let url: string
beforeAll(async () => {
  services = await testServices()
  const file = { name: 'rows.csv', mediaType: 'text/csv' }
  app = await buildServer({
    services,
    checkResponses: true,
    version: '1.0.0',
    authenticate: async () => null,
    routes: [
      route(list, async () => ({ rows })),
      route(few, async () => ({ rows: rows.slice(0, 2) })),
      route(add, async (_ctx, { body }) => body),
      route(table, async () => ({ ...file, content: lines() })),
      route(halfTable, async () => ({ ...file, content: lines({ areLost: true }) })),
    ],
  })
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api`
})
afterAll(async () => {
  await app.close()
  await services.close()
})

const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: `/api${path}`, headers })

test('a long answer is compressed for a client that can read that, and is the same', async () => {
  const plain = await get('/rows')
  expect(plain.headers['content-encoding']).toBeUndefined()
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const packed = await get('/rows', { 'accept-encoding': accepted })
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': plain.headers['content-type'],
      etag: plain.headers.etag,
      vary: expect.stringMatching(/accept-encoding/i),
    })
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
  }
})

test('a short answer is sent as it is', async () => {
  const { headers } = await get('/few', { 'accept-encoding': 'br' })
  expect(headers['content-encoding']).toBeUndefined()
})

test('what the caller holds already is not sent again, whether a proxy made its tag weak or strong', async () => {
  const tag = String((await get('/rows')).headers.etag)
  for (const held of [tag, tag.replace('W/', ''), `"another", ${tag}`]) {
    const again = await get('/rows', { 'if-none-match': held, 'accept-encoding': 'br' })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  }
  expect((await get('/rows', { 'if-none-match': '"another"' })).statusCode).toBe(200)
})

test('a file is compressed and sent while it is written, and one that fails in the middle is no file', async () => {
  const headers = { 'accept-encoding': 'br, gzip' }
  const whole = await fetch(`${url}/table`, { headers })
  expect(whole.headers.get('content-encoding')).toBe('gzip')
  let text = ''
  for await (const part of whole.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    restIsRead.resolve()
  }
  expect(text.split('\n')).toHaveLength(lineCount + 1)
  const half = await fetch(`${url}/half-table`, { headers })
  await expect(half.text()).rejects.toThrow()
})

test('a compressed request is not unpacked, since a small one could become gigabytes', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/rows',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync(JSON.stringify({ rows: [] })),
  })
  expect(answer.statusCode).toBe(400)
})
