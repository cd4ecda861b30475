import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { subscribeEvents } from './subscribe-events.ts'
import { waitUntil } from '../../../../tests/support/wait-until.ts'

// The network is the outside: each connection takes the next of these.
let connections: (() => Promise<Response>)[]
let asked: string[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  connections = []
  asked = []
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    asked.push(url)
    const next = connections.shift()
    return next
      ? next()
      : new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const stream = (text: string) => () =>
  Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }))
const refused = () => Promise.reject(new TypeError('Failed to fetch'))

it('hands on events and follows the stream again after it ended, telling so', async () => {
  const onEvent = vi.fn()
  const onReconnect = vi.fn()
  connections = [stream('event: seeding\ndata: 1\n\n'), stream('event: seeding\ndata: 2\n\n')]
  stop = subscribeEvents('/events', { onEvent, onReconnect })
  await waitUntil(() => expect(onEvent).toHaveBeenCalledTimes(1))
  expect(onReconnect).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  await waitUntil(() => expect(onEvent).toHaveBeenCalledTimes(2))
  expect(onReconnect).toHaveBeenCalledOnce()
  expect(asked[0]).toBe('/api/events')
})
it('polls while the stream cannot be had, and no longer once it stands', async () => {
  const poll = vi.fn()
  connections = [refused, refused, refused]
  stop = subscribeEvents('/events', { onEvent: () => undefined, poll })
  await vi.advanceTimersByTimeAsync(1000)
  expect(poll).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(4000)
  expect(poll).toHaveBeenCalled()
  connections = [() => Promise.resolve(new Response(new ReadableStream()))]
  await vi.advanceTimersByTimeAsync(8000)
  expect(connections).toHaveLength(0)
  const polled = poll.mock.calls.length
  await vi.advanceTimersByTimeAsync(20_000)
  expect(poll.mock.calls.length).toBe(polled)
})
it('asks no more once it is stopped', async () => {
  connections = [refused]
  stop = subscribeEvents('/events', { onEvent: () => undefined })
  await vi.advanceTimersByTimeAsync(10)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
})
