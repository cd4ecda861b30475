import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'
import { call } from './call.ts'
import { noteReached, startReachability } from './reachability.ts'

const endpoint = defineEndpoint({
  method: 'GET',
  path: '/figures',
  access: 'public',
  summary: 'Figures',
  response: v.unknown(),
  errors: [],
})
const ask = () => call(endpoint, {}).catch(() => undefined)
/** A server that gives these answers, the last one from then on; an error is no answer. */
function server(...answers: (Response | Error)[]) {
  const fetched = vi.fn((_url: string, _init?: RequestInit) => {
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? new Error('no answer')
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer.clone())
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}
const refused = new TypeError('Failed to fetch')

startReachability()
afterEach(() => {
  noteReached()
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

it('is offline at once when the server does not answer although the device is online, until it does', async () => {
  server(refused, refused, new Response(null))
  await ask()
  await waitUntil(() => expect(onlineManager.isOnline()).toBe(false))
  await waitUntil(() => expect(onlineManager.isOnline()).toBe(true))
})

it('stays online when only one request got no answer', async () => {
  const fetched = server(refused, new Response(null))
  await ask()
  await waitUntil(() => expect(fetched).toHaveBeenCalledTimes(2))
  expect(fetched.mock.lastCall?.[1]?.method).toBe('HEAD')
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(onlineManager.isOnline()).toBe(true)
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('counts the page of a proxy as no answer, and any answer of the server ends it', async () => {
  server(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await ask()
  await waitUntil(() => expect(onlineManager.isOnline()).toBe(false))
  server(new Response('{}', { status: 404 }))
  await ask()
  expect(onlineManager.isOnline()).toBe(true)
})
