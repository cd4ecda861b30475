import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderHook } from '@testing-library/react'
import { type ServerEvent, useEvents } from './events.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

// The network is the outside: each connection takes the next of these.
let connections: (() => Promise<Response>)[]
let requests: string[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  connections = []
  requests = []
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    requests.push(url)
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
const follow = ({ onEvent, ...more }: { onEvent: (event: ServerEvent) => void } & Parameters<typeof useEvents>[2]) =>
  renderHook(() => useEvents('/events', onEvent, more)).unmount
const stream = (text: string) => () =>
  Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }))
const refused = () => Promise.reject(new TypeError('Failed to fetch'))

it('hands on events and follows the stream again after it ended, telling so', async () => {
  const onEvent = vi.fn()
  const onReconnect = vi.fn()
  connections = [stream('event: seeding\ndata: 1\n\n'), stream('event: seeding\ndata: 2\n\n')]
  stop = follow({ onEvent, onReconnect })
  await waitUntil(() => expect(onEvent).toHaveBeenCalledTimes(1))
  expect(onReconnect).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  await waitUntil(() => expect(onEvent).toHaveBeenCalledTimes(2))
  expect(onReconnect).toHaveBeenCalledOnce()
  expect(requests[0]).toBe('/api/events')
})
it('polls while the stream cannot be had, and no longer once it stands', async () => {
  const poll = vi.fn()
  connections = [refused, refused, refused]
  stop = follow({ onEvent: () => undefined, poll })
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
  stop = follow({ onEvent: () => undefined })
  await vi.advanceTimersByTimeAsync(10)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests).toHaveLength(1)
})

function streamOf(chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      chunks.forEach(chunk => controller.enqueue(new TextEncoder().encode(chunk)))
      controller.close()
    },
  })
}

describe('the stream', () => {
  const readAll = async (count: number, ...chunks: string[]): Promise<ServerEvent[]> => {
    const events: ServerEvent[] = []
    connections = [() => Promise.resolve(new Response(streamOf(chunks)))]
    stop = follow({ onEvent: event => events.push(event) })
    await waitUntil(() => expect(events).toHaveLength(count))
    stop()
    return events
  }
  it('carries name, id and data of an event', async () => {
    expect(await readAll(1, 'event: seeding\nid: 4\ndata: {"progress":0.5}\n\n')).toEqual([
      { event: 'seeding', id: '4', data: '{"progress":0.5}' },
    ])
  })
  it('joins events that arrive in pieces, cut anywhere', async () => {
    const text = 'data: one\r\n\r\nevent: x\ndata: two\ndata: lines\n\n'
    const whole = await readAll(2, text)
    expect(whole).toEqual([
      { event: 'message', id: undefined, data: 'one' },
      { event: 'x', id: undefined, data: 'two\nlines' },
    ])
    expect(await readAll(2, ...text.split(''))).toEqual(whole)
  })
  it('may hold comments, which only keep the line open, and events without data', async () => {
    expect(await readAll(1, ': ping\n\n', 'event: empty\n\n', 'data: end\n\n')).toEqual([
      { event: 'message', id: undefined, data: 'end' },
    ])
  })
})
