import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultKind } from '#sandbox/core/faults.ts'
import { openWholeEmulator, type WholeEmulator } from './fuzz/whole-emulator.ts'

let open: WholeEmulator
beforeAll(async () => {
  open = await openWholeEmulator()
})
beforeEach(() => open.world.faults.clear())
afterAll(() => open.close())

const denied = { code: 'MissingAuthenticationToken', message: 'Access to requested resource is denied.' }
const fullPath = expect.stringMatching(/^Could not find resource for full path: https:\/\/.*\/sp\/nothing$/)
const bodyOf = ({ text }: { text: string }): unknown => JSON.parse(text)

describe('an address that does not exist is answered in the vendor’s words', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE'])('by the Selling Partner API: %s', async method => {
    for (const url of ['/sp/na/orders/v9/orders', '/sp/na', '/sp/xx/sellers/v1/account', '/sp/na/sellers/v1']) {
      const answer = await open.ask({ method, url })
      expect([url, answer.status, bodyOf(answer)]).toEqual([url, 403, { errors: [denied] }])
      expect(answer.headers['x-amzn-requestid']).toEqual(expect.any(String))
    }
  })

  test.each(['GET', 'POST', 'PUT', 'DELETE'])('by the Ads API: %s', async method => {
    const answer = await open.ask({ method, url: '/ads/na/sp/nothing' })
    const body = { code: 'NOT_FOUND', details: fullPath, requestId: expect.any(String) }
    expect([answer.status, bodyOf(answer)]).toEqual([404, body])
    expect(answer.headers['x-amz-rid']).toEqual(expect.any(String))
  })

  test('by the Ads API: calls of version 2 that have ended, a method that a path has not, a host that is none', async () => {
    const ended = await open.ask({ method: 'GET', url: '/ads/na/v2/sp/campaigns' })
    expect([ended.status, bodyOf(ended)]).toMatchObject([404, { code: 'NOT_FOUND', details: 'Method Not Found' }])
    for (const [method, url] of [
      ['GET', '/ads/na/sp/campaigns'],
      ['GET', '/ads/xx/sp/campaigns'],
    ] as const)
      expect((await open.ask({ method, url })).status).toBe(404)
  })

  test('by the storage of files and by the log-in', async () => {
    const file = await open.ask({ method: 'GET', url: '/s3/nothing' })
    expect([file.status, file.headers['content-type']]).toEqual([404, 'application/xml'])
    expect(file.text).toContain('<Code>NoSuchKey</Code>')
    const login = await open.ask({ method: 'POST', url: '/lwa/auth/o2/nothing' })
    expect([login.status, bodyOf(login)]).toMatchObject([404, { error: 'invalid_request' }])
  })

  test('and one that cannot be read at all as well', async () => {
    const seller = await open.ask({ method: 'GET', url: '/sp/na/%zz' })
    expect([seller.status, bodyOf(seller)]).toMatchObject([400, { errors: [{ code: 'InvalidInput' }] }])
    const ads = await open.ask({ method: 'GET', url: '/ads/na/sd/campaigns/%zz' })
    expect([ads.status, bodyOf(ads)]).toEqual([400, { code: 'INVALID_ARGUMENT', details: expect.any(String) }])
    const long = await open.ask({ method: 'GET', url: `/ads/na/sd/campaigns/${'1'.repeat(600)}` })
    expect([long.status >= 400 && long.status < 500, Object.keys(bodyOf(long) as object)]).toEqual([
      true,
      expect.arrayContaining(['code', 'details']),
    ])
  })
})

/** Lets a fault happen to a call. */
async function faulted(vendor: string, method: string, url: string, kind: FaultKind, more = {}) {
  open.world.faults.add({ match: { vendor }, kind, ...more })
  return open.ask({ method, url, headers: { 'content-type': 'application/json' }, body: '{}' })
}

// Every call of a family, and the fields by which it refuses a request, none but these.
const families: [string, string, string, (status: number) => object][] = [
  ['ads', 'POST', '/ads/na/sp/campaigns/list', () => ({ code: expect.any(String), message: expect.any(String) })],
  ['ads', 'POST', '/ads/na/sb/v4/ads/list', () => ({ code: expect.any(String), message: expect.any(String) })],
  ['ads', 'POST', '/ads/na/portfolios', () => ({ code: expect.any(String), message: expect.any(String) })],
  ['ads', 'GET', '/ads/na/sd/campaigns', () => ({ code: expect.any(String), details: expect.any(String) })],
  ['ads', 'GET', '/ads/na/sb/keywords', () => ({ code: expect.any(String), details: expect.any(String) })],
  [
    'ads',
    'POST',
    '/ads/na/sp/targets/keywords/recommendations',
    status => ({ code: String(status), details: expect.any(String) }),
  ],
  ['ads', 'POST', '/ads/na/history', status => ({ code: String(status), details: expect.any(String) })],
  ['ads', 'POST', '/ads/na/reporting/reports', status => ({ code: String(status), detail: expect.any(String) })],
  ['ads', 'POST', '/ads/na/campaigns/export', () => ({ message: expect.any(String) })],
  [
    'sp',
    'GET',
    '/sp/na/sellers/v1/account',
    () => ({ errors: [{ code: expect.any(String), message: expect.any(String), details: '' }] }),
  ],
  ['lwa', 'POST', '/lwa/auth/o2/token', () => ({ error: expect.any(String), error_description: expect.any(String) })],
  ['sqs', 'POST', '/sqs', () => ({ __type: expect.any(String), message: expect.any(String) })],
]

describe('an injected fault has the shape of its API, and no other', () => {
  test.each(families)('%s: %s %s', async (vendor, method, url, shape) => {
    for (const status of [400, 404, 500, 503]) {
      const answer = await faulted(vendor, method, url, 'status', { status })
      expect([answer.status, bodyOf(answer)]).toEqual([status, shape(status)])
    }
    const throttled = await faulted(vendor, method, url, 'throttle')
    const status = vendor === 'sqs' ? 400 : 429
    expect([throttled.status, bodyOf(throttled)]).toEqual([status, shape(status)])
  })

  test.each(['/ads/na/sp/campaigns/list', '/ads/na/reporting/reports', '/ads/na/sd/campaigns'])(
    'a token is refused by the gateway before all families: %s',
    async url => {
      const answer = await faulted('ads', 'POST', url, 'expired-token')
      const body = { code: 'UNAUTHORIZED', details: expect.any(String), requestId: expect.any(String) }
      expect([answer.status, bodyOf(answer)]).toEqual([401, body])
    },
  )

  test('the Selling Partner API throttles without Retry-After and rate, unless the fault has them', async () => {
    const { headers } = await faulted('sp', 'GET', '/sp/na/sellers/v1/account', 'throttle')
    expect(headers).toMatchObject({ 'x-amzn-requestid': expect.any(String) })
    expect(headers).not.toHaveProperty('retry-after')
    expect(headers).not.toHaveProperty('x-amzn-ratelimit-limit')
    const ordered = await faulted('sp', 'GET', '/sp/na/sellers/v1/account', 'throttle', { retryAfterSeconds: 3 })
    expect(ordered.headers).toMatchObject({ 'retry-after': '3' })
  })

  test('the storage of files speaks XML and throttles by 503', async () => {
    for (const [kind, status, code] of [
      ['throttle', 503, 'SlowDown'],
      ['expired-token', 403, 'AccessDenied'],
    ] as const) {
      const answer = await faulted('s3', 'GET', '/s3/snapshots/a/b', kind)
      expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/xml'])
      expect(answer.text).toContain(`<Code>${code}</Code>`)
    }
  })
})
