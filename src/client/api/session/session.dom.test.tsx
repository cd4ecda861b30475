import { locks } from 'node:worker_threads'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { ApiError, NetworkError, ShapeError } from '../api-error.ts'
import { call } from '../call.ts'
import {
  configureSession,
  freshAccessToken,
  getSession,
  renewalLock,
  sessionUser,
  setSession,
  signOut,
} from './session.ts'

const token = (expSeconds: number, name = 'a') => `${name}.${btoa(JSON.stringify({ exp: expSeconds }))}.sig`
const lasting = token(4_000_000_000, 'lasting')
const endpoint = defineEndpoint({
  method: 'POST',
  path: '/things/:id',
  access: 'account',
  summary: 'make',
  params: v.object({ id: v.number() }),
  body: v.object({ name: v.string() }),
  response: v.object({ ok: v.boolean() }),
  idempotencyKey: true,
})

// The network is the outside; what goes out and comes back is set here.
const requests: { url: string; headers: Headers; body: string | null }[] = []
let answer: () => Promise<Response>
let signedOut = 0

beforeEach(() => {
  localStorage.clear()
  requests.length = 0
  signedOut = 0
  answer = () => Promise.resolve(Response.json({ ok: true }))
  configureSession({
    refresh: () => Promise.reject(new Error('not expected')),
    onSignedOut: () => {
      signedOut += 1
    },
  })
  vi.stubGlobal('fetch', (url: string, init: { headers: Headers; body: string | null }) => {
    requests.push({ url, headers: init.headers, body: init.body })
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())

const make = (options = {}) => call(endpoint, { params: { id: 7 }, body: { name: 'x' } }, options)
function problem(status: number, errorCode: string) {
  return () =>
    Promise.resolve(
      Response.json(
        { errorCode, message: 'No.', details: ['Name is required'], requestId: 'r1', current: { version: 3 } },
        { status },
      ),
    )
}

describe('a call', () => {
  it('carries token, body, version and key, and answers the parsed response', async () => {
    setSession({ accessToken: lasting, refreshToken: 'r' })
    expect(await make({ ifMatch: 3, idempotencyKey: 'k' })).toEqual({ ok: true })
    const [request] = requests
    expect(request?.url).toBe('/api/things/7')
    expect(request?.body).toBe('{"name":"x"}')
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      authorization: `Bearer ${lasting}`,
      'if-match': '"3"',
      'idempotency-key': 'k',
    })
  })
  it('makes a key of its own where the call wants one', async () => {
    await make()
    expect(requests[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
  })
  it('throws the refusal with its code, details and what came beside', async () => {
    answer = problem(409, 'VERSION_CONFLICT')
    const error = await make().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 409,
      code: 'VERSION_CONFLICT',
      problem: { details: ['Name is required'] },
      extra: { current: { version: 3 } },
    })
  })
  it('throws a shape error, in the caller’s words, for an answer that breaks the contract', async () => {
    answer = () => Promise.resolve(Response.json({ ok: 'yes' }))
    await expect(make({ shapeError: 'Invalid user response' })).rejects.toThrow(new ShapeError('Invalid user response'))
    answer = () => Promise.resolve(new Response('maintenance'))
    await expect(make()).rejects.toThrow('API returned error: maintenance')
  })
  it('throws a network error when no answer comes, and the signal’s reason when aborted', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(make()).rejects.toBeInstanceOf(NetworkError)
    const stop = new AbortController()
    answer = () => {
      stop.abort(new Error('left'))
      return Promise.reject(new Error('left'))
    }
    await expect(make({ signal: stop.signal })).rejects.toThrow('left')
  })
  it('throws a network error when an answer breaks off or does not end in time, also one that refuses', async () => {
    const breaking = (status: number, reason: unknown) => () =>
      Promise.resolve(new Response(new ReadableStream({ pull: stream => stream.error(reason) }), { status }))
    answer = breaking(200, new TypeError('terminated'))
    await expect(make()).rejects.toBeInstanceOf(NetworkError)
    answer = breaking(409, new TypeError('terminated'))
    await expect(make()).rejects.toBeInstanceOf(NetworkError)
    const stop = new AbortController()
    answer = () => {
      stop.abort(new Error('left'))
      return breaking(200, new Error('left'))()
    }
    await expect(make({ signal: stop.signal })).rejects.toThrow('left')
  })
  it('ends the session on 401', async () => {
    setSession({ accessToken: lasting, refreshToken: 'r' })
    answer = problem(401, 'UNAUTHENTICATED')
    await expect(make()).rejects.toBeInstanceOf(ApiError)
    expect(getSession()).toBeUndefined()
    expect(signedOut).toBe(1)
  })
})

it('a call of one user is never made as another, also when the session changes while it waits', async () => {
  const tokenOf = (sub: string) => `a.${btoa(JSON.stringify({ exp: 4_000_000_000, sub }))}.sig`
  setSession({ accessToken: tokenOf('7'), refreshToken: 'r' })
  expect(await make({ onlyAs: '7' })).toEqual({ ok: true })
  const waiting = make({ onlyAs: '8' })
  await expect(waiting).rejects.toMatchObject({ status: 401 })
  setSession({ accessToken: `a.${btoa(JSON.stringify({ exp: 1, sub: '7' }))}.sig`, refreshToken: 'r' })
  configureSession({ refresh: () => Promise.resolve({ accessToken: tokenOf('8'), refreshToken: 'r' }) })
  await expect(make({ onlyAs: '7' })).rejects.toMatchObject({ status: 401 })
  expect(requests).toHaveLength(1)
  expect(signedOut).toBe(0)
})

it('lets a refused log-in be, as there is no session to end', async () => {
  answer = problem(401, 'INVALID_CREDENTIALS')
  await expect(
    call({ ...endpoint, access: 'public' }, { params: { id: 7 }, body: { name: 'x' } }),
  ).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  })
  expect(signedOut).toBe(0)
})

describe('the session', () => {
  const soon = token(1000, 'soon')
  const now = () => 1000 * 1000 - 59_000
  const next = { accessToken: token(9000, 'next'), refreshToken: 'r2' }

  it('renews a token that ends within a minute, once for all who ask', async () => {
    setSession({ accessToken: soon, refreshToken: 'r1' })
    const refresh = vi.fn(() => Promise.resolve(next))
    configureSession({ refresh })
    const tokens = await Promise.all([freshAccessToken(now), freshAccessToken(now), freshAccessToken(now)])
    expect(tokens).toEqual([next.accessToken, next.accessToken, next.accessToken])
    expect(refresh).toHaveBeenCalledExactlyOnceWith('r1')
    expect(getSession()).toEqual(next)
  })
  describe('in several tabs', () => {
    beforeEach(() => Object.defineProperty(navigator, 'locks', { value: locks, configurable: true }))
    afterEach(() => void Reflect.deleteProperty(navigator, 'locks'))
    const old = { accessToken: soon, refreshToken: 'r-of-two-tabs' }

    it('waits for what the tab that renews stores, and does not renew too', async () => {
      setSession(old)
      const other = new AbortController()
      await new Promise<void>(granted => {
        void locks.request(renewalLock(old), () => {
          granted()
          return new Promise(resolve => other.signal.addEventListener('abort', resolve))
        })
      })
      const renewed = freshAccessToken(now)
      localStorage.setItem('tideline.session', JSON.stringify(next))
      dispatchEvent(new StorageEvent('storage', { key: 'tideline.session', newValue: JSON.stringify(next) }))
      expect(await renewed).toBe(next.accessToken)
      other.abort()
    })
    it('lets no other tab renew until its own reading of the storage is over', async () => {
      setSession(old)
      configureSession({ refresh: () => Promise.resolve(next) })
      expect(await freshAccessToken(now)).toBe(next.accessToken)
      const isGranted = await locks.request(renewalLock(old), { ifAvailable: true }, lock => lock !== null)
      expect(isGranted).toBe(false)
    })
    it('lets another tab try where the renewal found no network', async () => {
      setSession({ ...old, refreshToken: 'r-without-network' })
      configureSession({ refresh: () => Promise.reject(new NetworkError(false, null)) })
      expect(await freshAccessToken(now)).toBe(soon)
      await locks.request(renewalLock({ ...old, refreshToken: 'r-without-network' }), () => undefined)
    })
  })
  it('leaves a token alone that lasts longer', async () => {
    setSession({ accessToken: soon, refreshToken: 'r1' })
    expect(await freshAccessToken(() => 1000 * 1000 - 61_000)).toBe(soon)
  })
  it('keeps the session when the renewal finds no network, and ends it when it is refused', async () => {
    setSession({ accessToken: soon, refreshToken: 'r1' })
    configureSession({ refresh: () => Promise.reject(new NetworkError(false, null)) })
    expect(await freshAccessToken(now)).toBe(soon)
    configureSession({
      refresh: () =>
        Promise.reject(new ApiError(401, { errorCode: 'UNAUTHENTICATED', message: 'No.', details: [], requestId: '' })),
    })
    await expect(freshAccessToken(now)).rejects.toBeInstanceOf(ApiError)
    expect(getSession()).toBeUndefined()
    expect(signedOut).toBe(1)
  })
  it('is its subject’s, whatever the token is renewed to', async () => {
    expect(sessionUser()).toBeUndefined()
    const of = (sub: string, n: number) => `a${n}.${btoa(JSON.stringify({ exp: 4_000_000_000, sub }))}.sig`
    setSession({ accessToken: of('7', 1), refreshToken: 'r' })
    expect(sessionUser()).toBe('7')
    setSession({ accessToken: of('7', 2), refreshToken: 'r2' })
    expect(sessionUser()).toBe('7')
    await signOut()
    expect(sessionUser()).toBeUndefined()
  })
  it('takes broken storage for signed out', async () => {
    localStorage.setItem('tideline.session', '{"accessToken":1}')
    expect(getSession()).toBeUndefined()
    expect(await freshAccessToken()).toBeUndefined()
  })
})
