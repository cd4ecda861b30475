import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderHook } from '@testing-library/react'
import { type ServerEvent, useEvents } from './events.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

// The network is the outside: each connection is a stream that the test writes to.
let open: { write: (text: string) => void; ended: () => boolean }[]

beforeEach(() => {
  localStorage.clear()
  open = []
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    signal.addEventListener('abort', () => void writer.abort(signal.reason).catch(() => undefined))
    open.push({
      write: text => void writer.write(new TextEncoder().encode(text)).catch(() => undefined),
      ended: () => signal.aborted,
    })
    return Promise.resolve(new Response(readable))
  })
})
afterEach(() => vi.unstubAllGlobals())

const follow = (onEvent: (event: ServerEvent) => void) => renderHook(() => useEvents('/events', onEvent)).unmount

it('opens one connection for all who follow a stream, tells each, and ends it with the last', async () => {
  const first = vi.fn()
  const second = vi.fn()
  const stopFirst = follow(first)
  const stopSecond = follow(second)
  await waitUntil(() => expect(open).toHaveLength(1))
  open[0]?.write('event: seeding\ndata: 1\n\n')
  await waitUntil(() => expect(second).toHaveBeenCalledOnce())
  expect(first).toHaveBeenCalledOnce()
  stopFirst()
  open[0]?.write('event: seeding\ndata: 2\n\n')
  await waitUntil(() => expect(second).toHaveBeenCalledTimes(2))
  expect(first).toHaveBeenCalledOnce()
  stopSecond()
  await waitUntil(() => expect(open[0]?.ended()).toBe(true))
  const stopThird = follow(first)
  await waitUntil(() => expect(open).toHaveLength(2))
  stopThird()
})
