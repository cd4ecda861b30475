import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { call } from '#client/api/call.ts'
import { setSession } from '#client/api/session/session.ts'
import { answersKey, sessionKey } from '#client/api/storage-keys.ts'
import { homeQueries } from '#features/home/client/queries.ts'
import { startRequest } from '#features/home/client/first-cards.ts'
import { todayIn } from '#features/home/days.ts'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { askAtOnce } from './early-answers.ts'

const endpoint = defineEndpoint({
  method: 'GET',
  path: '/thing',
  access: 'account',
  summary: 'A thing',
  response: v.number(),
})
const url = '/api/thing'
const together = {
  url: '/api/start',
  answers: [url],
  read: (body: { thing?: number }): [string, unknown][] => (body.thing === undefined ? [] : [[url, body.thing]]),
}
const token = (exp: number): string => `h.${btoa(JSON.stringify({ exp }))}.s`
const inAnHour = (): string => token(Date.now() / 1000 + 3600)
const signIn = (accessToken: string): void => setSession({ accessToken, refreshToken: 'r' })

let answers: (() => Promise<Response>)[] = []
const requests: string[] = []
beforeEach(() => {
  localStorage.clear()
  requests.length = 0
  answers = []
  globalThis.tidelineEarly = undefined
  vi.stubGlobal('fetch', (to: string) => {
    requests.push(to)
    return answers.shift()?.() ?? Promise.resolve(Response.json(0))
  })
})
afterEach(() => vi.unstubAllGlobals())

const later = (value: unknown) => (): Promise<Response> => Promise.resolve(Response.json(value))

it('gives the first call of an address its part of the answer that was asked for early, and only that one', async () => {
  signIn(inAnHour())
  answers = [later({ thing: 1 }), later(2)]
  expect(askAtOnce(together)).toBeDefined()
  expect(await call(endpoint, {})).toBe(1)
  expect(requests).toEqual(['/api/start'])
  expect(await call(endpoint, {})).toBe(2)
  expect(requests).toEqual(['/api/start', url])
})
it('gives also the answer of an address that only the answer names', async () => {
  signIn(inAnHour())
  answers = [later({ thing: 1 })]
  void askAtOnce({ ...together, answers: [] })
  await new Promise(done => setTimeout(done))
  expect(await call(endpoint, {})).toBe(1)
  expect(requests).toEqual(['/api/start'])
})
it('requests what the early answer lacks or the server rejected', async () => {
  signIn(inAnHour())
  answers = [later({}), later(2), () => Promise.resolve(Response.json({}, { status: 500 })), later(3)]
  void askAtOnce(together)
  expect(await call(endpoint, {})).toBe(2)
  void askAtOnce(together)
  expect(await call(endpoint, {})).toBe(3)
})
it('requests again when the early answer failed, belongs to another session, or is old', async () => {
  signIn(inAnHour())
  answers = [() => Promise.reject(new TypeError('no network')), later(2)]
  void askAtOnce(together)
  expect(await call(endpoint, {})).toBe(2)

  answers = [later({ thing: 3 }), later(4)]
  void askAtOnce(together)
  signIn(token(Date.now() / 1000 + 7200))
  expect(await call(endpoint, {})).toBe(4)

  answers = [later({ thing: 5 }), later(6)]
  void askAtOnce(together)
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 11_000)
  expect(await call(endpoint, {})).toBe(6)
  clock.mockRestore()
})
it('asks nothing early without a session, with one that must be renewed first, or when the last answers are kept', () => {
  expect(askAtOnce(together)).toBeUndefined()
  localStorage.setItem(sessionKey, 'broken')
  expect(askAtOnce(together)).toBeUndefined()
  signIn(token(Date.now() / 1000 + 30))
  expect(askAtOnce(together)).toBeUndefined()
  signIn(inAnHour())
  localStorage.setItem(answersKey, '{}')
  expect(askAtOnce(together)).toBeUndefined()
  expect(requests).toEqual([])
  localStorage.removeItem(answersKey)
  expect(askAtOnce(together)).toBeDefined()
  expect(requests).toEqual(['/api/start'])
})
it('asks early for the very cards that Home asks for', async () => {
  const now = new Date()
  const shop = { merchantId: 1, marketplaceId: 22 }
  const { from, to } = resolveRange({}, todayIn(shop.marketplaceId, now))
  const { queryFn } = homeQueries.cards(shop, { from, to })
  if (typeof queryFn !== 'function') throw new Error('the cards are not asked for')
  const { signal } = new AbortController()
  await Promise.resolve(queryFn({ signal } as Parameters<typeof queryFn>[0])).catch(() => undefined)
  const { url: start, answers: guard, read } = startRequest(true, { merchants: '/profile' })
  const named = read({ cards: { dateFrom: from, dateTo: to }, merchants: [] }).map(([address]) => address)
  expect(start).toBe('/api/dashboard/start')
  expect(guard).toEqual(['/api/profile'])
  expect(named).toEqual([...guard, ...requests])
})
