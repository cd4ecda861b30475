import { deflateSync, crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Authority, Ctx, Services } from '#server/context.ts'
import { buildServer } from '#server/http/build-server.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { testServices } from '../../../../tests/support/services.ts'
import type { BrandingProfile } from '../contract.ts'
import { brandingRoutes } from './routes.ts'

let services: Services & { close(): Promise<void> }
let app: Awaited<ReturnType<typeof buildServer>>
const callers = new Map<string, Ctx>()
beforeAll(async () => {
  services = await testServices()
  for (const name of ['one', 'two', 'seller']) {
    const authorities: Authority[] = name === 'seller' ? ['ACCOUNT_MANAGER'] : ['ACCOUNT_MANAGER', 'AGENCY']
    callers.set(name, await callerOf(services, await addAccount(services), authorities))
  }
  app = await buildServer({
    services,
    routes: brandingRoutes,
    checkResponses: true,
    version: '1',
    authenticate: async token => {
      const caller = callers.get(token)
      return caller ? { ...caller.actor, hasAccess: true } : null
    },
  })
})
afterAll(async () => {
  await app.close()
  await services.close()
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
async function call(who: string, method: Method, path: string, payload?: object | Buffer, type?: string) {
  const reply = await app.inject({
    method,
    url: `/api/branding-profiles${path}`,
    headers: { authorization: `Bearer ${who}`, ...(type && { 'content-type': type }) },
    ...(payload && { payload }),
  })
  const { statusCode: status, rawPayload: bytes, headers } = reply
  const isJson = String(headers['content-type']).startsWith('application/json')
  return { status, bytes, headers, body: isJson ? reply.json() : null }
}
const content = { name: 'Harbor', primaryColor: '#123ABC', accentColor: '#b45309', footer: 'Harbor Agency · Bremen' }
const create = async (who: string, changes: object = {}): Promise<BrandingProfile> => {
  const { status, body } = await call(who, 'POST', '', { ...content, ...changes })
  expect(status).toBe(201)
  return body
}

function upload(who: string, id: number, file: Buffer, name = 'logo.png', mediaType = 'image/png') {
  const boundary = 'xxBOUNDARYxx'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mediaType}\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return call(who, 'POST', `/${id}/logo`, payload, `multipart/form-data; boundary=${boundary}`)
}

test('the first profile is the default, names are unique, and the default can be another or none', async () => {
  const first = await create('one')
  expect(first).toMatchObject({ ...content, primaryColor: '#123abc', isDefault: true, logoUrl: null })
  const second = await create('one', { name: 'Anchor' })
  expect(second.isDefault).toBe(false)
  expect((await call('one', 'POST', '', { ...content, name: 'HARBOR' })).body.message).toContain('“HARBOR” already')
  expect((await call('one', 'PUT', `/${second.id}`, { ...content, name: 'harbor' })).status).toBe(409)
  expect((await call('one', 'PUT', `/${second.id}`, { ...content, name: 'Pier' })).body.name).toBe('Pier')
  expect((await call('one', 'PUT', '/default', { id: second.id })).body.profile.id).toBe(second.id)
  expect((await call('one', 'GET', '')).body.content.map((p: BrandingProfile) => [p.name, p.isDefault])).toEqual([
    ['Harbor', false],
    ['Pier', true],
  ])
  expect((await call('one', 'PUT', '/default', { id: null })).body).toEqual({ profile: null })
  expect((await call('one', 'GET', '/default')).body).toEqual({ profile: null })
  for (const { id } of [first, second]) expect((await call('one', 'DELETE', `/${id}`)).status).toBe(204)
  expect((await call('one', 'DELETE', `/${first.id}`)).status).toBe(404)
})

test('another agency finds nothing of a profile, and who is no agency may not ask', async () => {
  const own = await create('two')
  const logo = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#08f' } })
    .png()
    .toBuffer()
  const { body } = await upload('two', own.id, logo)
  const file = String(body.logoUrl).replace('/branding-profiles', '')
  expect((await call('two', 'GET', file)).status).toBe(200)
  const calls: [Method, string, object?][] = [
    ['PUT', `/${own.id}`, content],
    ['DELETE', `/${own.id}`],
    ['PUT', '/default', { id: own.id }],
    ['GET', file],
  ]
  for (const [who, status] of [
    ['one', 404],
    ['seller', 403],
  ] as const) {
    for (const [method, path, sent] of calls) expect((await call(who, method, path, sent)).status).toBe(status)
    expect((await upload(who, own.id, logo)).status).toBe(status)
  }
  expect((await call('two', 'GET', '/default')).body.profile).toEqual({ ...body, isDefault: true })
})

const picture = {
  create: { width: 900, height: 300, channels: 4 as const, background: { r: 0, g: 90, b: 200, alpha: 0.5 } },
}

test.each(['png', 'jpeg', 'webp'] as const)('a %s is encoded again as a PNG without its metadata', async format => {
  const { id } = await create('one', { name: `Logo ${format}` })
  const file = await sharp(picture)
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .toFormat(format)
    .toBuffer()
  const { status, body } = await upload('one', id, file, '../../x.svg', 'text/html')
  expect(status).toBe(200)
  const answer = await call('one', 'GET', body.logoUrl.replace('/branding-profiles', ''))
  expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
  const saved = await sharp(answer.bytes).metadata()
  expect(saved).toMatchObject({ format: 'png', width: 512, height: 171 })
  expect(saved.exif).toBeUndefined()
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
/** A PNG with one bit for each of `side` × `side` pixels. */
function bomb(side: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side), { level: 9 })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

test('what is no harmless picture is rejected with a sentence, and changes nothing', async () => {
  const { id } = await create('one', { name: 'Rejected' })
  const png = await sharp(picture).png().toBuffer()
  const jpeg = await sharp(picture).jpeg().toBuffer()
  const script = Buffer.from('<script>alert(1)</script>')
  const large = bomb(30_000)
  expect(large.length).toBeLessThan(200_000)
  const cases: [string, Buffer, number, string][] = [
    ['an SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'SVG files are not'],
    ['a GIF', Buffer.from(`GIF89a${'\0'.repeat(40)}`), 415, 'GIF files are not'],
    ['a page', script, 415, 'not a PNG, JPEG or WebP'],
    ['nothing', Buffer.alloc(0), 415, 'not a PNG, JPEG or WebP'],
    ['a page that begins like a PNG', Buffer.concat([png.subarray(0, 8), script]), 422, 'does not end where'],
    ['a JPEG with a page behind it', Buffer.concat([jpeg, script]), 422, 'does not end where'],
    ['a PNG with a page behind it', Buffer.concat([png, script]), 422, 'does not end where'],
    ['half a PNG', png.subarray(0, png.length / 2), 422, 'does not end where'],
    ['a PNG with a hole', Buffer.concat([png.subarray(0, 60), png.subarray(90)]), 422, 'damaged'],
    ['a bomb', large, 422, '30,000 × 30,000 pixels'],
    ['3 MB', Buffer.concat([png, Buffer.alloc(3 * 2 ** 20)]), 413, 'at most 2 MB'],
  ]
  const before = process.memoryUsage().rss
  for (const [what, file, status, sentence] of cases) {
    const answer = await upload('one', id, file)
    expect([what, answer.status]).toEqual([what, status])
    expect(answer.body.message).toContain(sentence)
  }
  // Unpacked, the bomb alone would take 112 MB.
  expect(process.memoryUsage().rss - before).toBeLessThan(80e6)
  expect((await call('one', 'POST', `/${id}/logo`, { file: 'x' })).body.message).toBe('Choose a file to upload.')
  const broken = await call('one', 'POST', `/${id}/logo`, Buffer.from('--x\r\n'), 'multipart/form-data; boundary=x')
  expect(broken).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_FAILED' } })
  const { body } = await call('one', 'GET', '')
  expect(body.content.find((p: BrandingProfile) => p.id === id).logoUrl).toBeNull()
})
