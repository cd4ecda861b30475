import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, json, silentLog, startScriptedHost } from '../../../tests/support/scripted-host.ts'
import { createHttpClient, type HttpClient, type HttpPolicy } from './http-client.ts'
import { integerId } from './lossless.ts'
import {
  AmbiguousOutcome,
  UpstreamError,
  UpstreamForbidden,
  UpstreamMalformed,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
  UpstreamUnavailable,
} from './upstream-errors.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const quick: Partial<HttpPolicy> = { firstDelayMs: 1, maxDelayMs: 2, timeoutMs: 1000 }

async function scene(answers: Answer[], policy: Partial<HttpPolicy> = {}) {
  const host = await startScriptedHost(...answers)
  closers.push(host.close)
  const http = createHttpClient({ upstream: 'somewhere', log: silentLog, policy: { ...quick, ...policy } })
  const ask = (effect: 'read' | 'write', url = host.url) =>
    http
      .sendJson(
        { operation: 'ask', method: effect === 'read' ? 'GET' : 'POST', url, effect },
        z.object({ n: z.number() }),
      )
      .then(
        reply => reply.body.n,
        (error: unknown) => error,
      )
  return { host, http, ask }
}

const failing = json({ code: 'INTERNAL_ERROR', message: 'sorry' }, 503)
const fine = json({ n: 7 })

describe('a read', () => {
  it('is repeated after 5xx, a reset and a garbled answer, and then succeeds', async () => {
    const { host, ask } = await scene([failing, 'reset', { body: '{"n": 7' }, fine])
    expect(await ask('read')).toBe(7)
    expect(host.seen).toHaveLength(4)
  })

  it('is given up after three repeats as unavailable, with the status it last got', async () => {
    const { host, ask } = await scene([failing])
    const error = await ask('read')
    expect(error).toBeInstanceOf(UpstreamUnavailable)
    expect(error).toMatchObject({ status: 503, code: 'INTERNAL_ERROR', upstream: 'somewhere', operation: 'ask' })
    expect(host.seen).toHaveLength(4)
  })

  it('that stalls in the middle of its body is cut off by the time limit', async () => {
    const { ask } = await scene([{ body: '{"n":', stall: true }], { retries: 0 })
    expect(await ask('read')).toBeInstanceOf(UpstreamUnavailable)
  })

  it('of an unexpected shape is malformed, and says where', async () => {
    const { ask } = await scene([json({ n: 'seven' })])
    const error = await ask('read')
    expect(error).toBeInstanceOf(UpstreamMalformed)
    expect(String(error)).toContain('n:')
  })

  it('is parsed whatever its media type says', async () => {
    const { ask } = await scene([{ headers: { 'content-type': 'application/vnd.other.v9+json' }, body: '{"n":7}' }])
    expect(await ask('read')).toBe(7)
  })
})

describe('a write', () => {
  it.each([
    ['a 5xx', failing],
    ['a reset', 'reset'],
    ['a time-out', { stall: true }],
    ['an unreadable success', { body: '<html>' }],
  ] satisfies [string, Answer][])('that ends in %s is of unknown outcome and is not repeated', async (_, answer) => {
    const { host, ask } = await scene([answer, fine])
    expect(await ask('write')).toBeInstanceOf(AmbiguousOutcome)
    expect(host.seen).toHaveLength(1)
  })

  it('is repeated after 429, which means that nothing happened', async () => {
    const { host, ask } = await scene([json({ code: 'THROTTLED' }, 429), fine])
    expect(await ask('write')).toBe(7)
    expect(host.seen).toHaveLength(2)
  })

  it('to a host that refuses connections certainly did not happen', async () => {
    const { host, ask } = await scene([fine])
    await host.close()
    const error = await ask('write')
    expect(error).toBeInstanceOf(UpstreamUnavailable)
    expect(error).not.toBeInstanceOf(AmbiguousOutcome)
  })
})

describe('a refusal', () => {
  it.each([
    [401, UpstreamUnauthorized],
    [403, UpstreamForbidden],
    [400, UpstreamRejected],
    [404, UpstreamRejected],
    [422, UpstreamRejected],
  ])('%i has its own error at once', async (status, kind) => {
    const { host, ask } = await scene([json({ code: 'NO', details: 'not so' }, status, { 'x-amz-rid': 'R1' })])
    const error = await ask('read')
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({ status, code: 'NO', requestId: 'R1' })
    expect(String(error)).toContain('not so')
    expect(host.seen).toHaveLength(1)
  })

  it.each([
    [{ code: 'INVALID_ARGUMENT', message: 'bad', errors: [] }, 'INVALID_ARGUMENT', 'bad'],
    [{ code: '400', detail: 'bad' }, '400', 'bad'],
    [{ errors: [{ code: 'InvalidInput', message: 'bad', details: '' }] }, 'InvalidInput', 'bad'],
    [{ error: 'invalid_grant', error_description: 'bad' }, 'invalid_grant', 'bad'],
  ])('is read from each vendor form: %j', async (body, code, words) => {
    const { ask } = await scene([json(body, 400)])
    const error = await ask('read')
    expect(error).toMatchObject({ code })
    expect(String(error)).toContain(words)
  })
})

describe('a 429', () => {
  it('in HTML without Retry-After is repeated with our own delays, then reported', async () => {
    const html: Answer = {
      status: 429,
      headers: { 'content-type': 'text/html' },
      body: '<html><body><h1>Too many</h1></body></html>',
    }
    const { host, ask } = await scene([html])
    const error = await ask('read')
    expect(error).toBeInstanceOf(UpstreamThrottled)
    expect(String(error)).toContain('Too many')
    expect(host.seen).toHaveLength(4)
  })

  it('that asks for more patience than a call has is handed back with it', async () => {
    const { host, ask } = await scene([json({}, 429, { 'retry-after': '120' })])
    const error = await ask('read')
    expect(error).toBeInstanceOf(UpstreamThrottled)
    expect(error).toMatchObject({ retryAfterMs: 120_000 })
    expect(host.seen).toHaveLength(1)
  })

  it('holds back everybody who shares the bucket', async () => {
    const { host, http } = await scene([json({}, 429, { 'retry-after': '120' }), fine])
    const request = {
      operation: 'ask',
      method: 'GET',
      url: host.url,
      effect: 'read',
      bucket: { key: 'p', rate: { rate: 9, burst: 9 } },
    } as const
    const schema = z.unknown()
    await expect(http.sendJson(request, schema)).rejects.toBeInstanceOf(UpstreamThrottled)
    await expect(http.sendJson(request, schema)).rejects.toBeInstanceOf(UpstreamThrottled)
    expect(host.seen).toHaveLength(1)
    const other = { ...request, bucket: { ...request.bucket, key: 'q' } }
    expect((await http.sendJson(other, schema)).status).toBe(200)
  })
})

describe('a circuit', () => {
  const asks = (http: HttpClient, url: string, key: string) =>
    http
      .sendJson(
        { operation: 'ask', method: 'GET', url, effect: 'read', bucket: { key, rate: { rate: 99, burst: 99 } } },
        z.object({ n: z.number() }),
      )
      .then(
        reply => reply.body.n,
        (error: unknown) => error,
      )

  it('leaves a host alone after many failures in a row, tells for how long, then tries one call and goes on', async () => {
    const { host, ask } = await scene([failing, failing, failing, fine], {
      retries: 0,
      circuitFailures: 3,
      circuitOpenMs: 150,
    })
    for (let i = 0; i < 3; i++) expect(await ask('read')).toBeInstanceOf(UpstreamUnavailable)
    const left = await ask('write')
    expect(left).toBeInstanceOf(UpstreamUnavailable)
    expect(left).toMatchObject({ retryAfterMs: expect.any(Number) })
    expect(host.seen).toHaveLength(3)
    await expect.poll(() => ask('read')).toBe(7)
    expect(await ask('read')).toBe(7)
  })

  it.each([
    ['throttled', json({}, 429), UpstreamThrottled],
    ['refused', json({}, 403), UpstreamForbidden],
  ] as const)('leaves one account alone that is %s again and again, and no other', async (_, answer, kind) => {
    const { host, http } = await scene([answer, answer, answer, fine], { retries: 0, circuitFailures: 3 })
    for (let i = 0; i < 5; i++) expect(await asks(http, host.url, 'one')).toBeInstanceOf(kind)
    expect(host.seen).toHaveLength(3)
    expect(await asks(http, host.url, 'other')).toBe(7)
  })
})

it('keeps ids that are too long for a double to the last digit', async () => {
  const { http, host } = await scene([{ body: '{"id": 9223372036854775807, "list":[1234567890123456789], "n": 0.1}' }])
  const schema = z.object({ id: z.string(), list: z.array(z.string()), n: z.number() })
  const { body } = await http.sendJson({ operation: 'ask', method: 'GET', url: host.url, effect: 'read' }, schema)
  expect(body).toEqual({ id: '9223372036854775807', list: ['1234567890123456789'], n: 0.1 })
  expect(JSON.stringify({ id: integerId(body.id) })).toBe('{"id":9223372036854775807}')
  expect(() => integerId('1e3')).toThrow(SyntaxError)
})

it('follows no redirect', async () => {
  const { host, ask } = await scene([{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }], { retries: 0 })
  expect(await ask('read')).toBeInstanceOf(UpstreamError)
  expect(host.seen).toHaveLength(1)
})
