import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { call } from '#client/api/call.ts'
import { setSession } from '#client/api/session/session.ts'
import { answersKey, sessionKey } from '#client/api/storage-keys.ts'
import { homeQueries } from '#features/home/client/queries.ts'
import { cardsUrl } from '#features/home/client/first-cards.ts'
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

const later = (value: number) => (): Promise<Response> => Promise.resolve(Response.json(value))

it('gives the first call of an address the answer that was asked for early, and only that one', async () => {
  signIn(inAnHour())
  answers = [later(1), later(2)]
  let early: Promise<Response> | undefined
  askAtOnce(ask => ([early] = ask([url])))
  expect(await call(endpoint, {})).toBe(1)
  // The early script may read it as well.
  expect(await (await early)?.json()).toBe(1)
  expect(requests).toEqual([url])
  expect(await call(endpoint, {})).toBe(2)
  expect(requests).toEqual([url, url])
})
it('requests again when the early answer failed, belongs to another session, or is old', async () => {
  signIn(inAnHour())
  answers = [() => Promise.reject(new TypeError('no network')), later(2)]
  askAtOnce(ask => void ask([url]))
  expect(await call(endpoint, {})).toBe(2)

  answers = [later(3), later(4)]
  askAtOnce(ask => void ask([url]))
  signIn(token(Date.now() / 1000 + 7200))
  expect(await call(endpoint, {})).toBe(4)

  answers = [later(5), later(6)]
  askAtOnce(ask => void ask([url]))
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 11_000)
  expect(await call(endpoint, {})).toBe(6)
  clock.mockRestore()
})
it('asks nothing early without a session, with one that must be renewed first, or when the last answers are kept', () => {
  const begun = vi.fn()
  askAtOnce(begun)
  localStorage.setItem(sessionKey, 'broken')
  askAtOnce(begun)
  signIn(token(Date.now() / 1000 + 30))
  askAtOnce(begun)
  signIn(inAnHour())
  localStorage.setItem(answersKey, '{}')
  askAtOnce(begun)
  expect(begun).not.toHaveBeenCalled()
  localStorage.removeItem(answersKey)
  askAtOnce(begun)
  expect(begun).toHaveBeenCalledOnce()
})
it('asks early for the very cards that Home asks for', async () => {
  const now = new Date()
  const shop = { merchantId: 1, marketplaceId: 22 }
  const { queryFn } = homeQueries.cards(shop, resolveRange({}, todayIn(shop.marketplaceId, now)))
  if (typeof queryFn !== 'function') throw new Error('the cards are not asked for')
  const { signal } = new AbortController()
  await Promise.resolve(queryFn({ signal } as Parameters<typeof queryFn>[0])).catch(() => undefined)
  expect(requests).toEqual([cardsUrl(shop.marketplaceId, now)])
})
