import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient, refreshFiguresOnReturn } from './query-client.ts'
import type { QueryMeta } from './query-meta.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** Whether an answer of this moment, which is on screen, is asked for again on a return at `now`. */
async function isRefreshed(meta: QueryMeta | undefined, updatedAt: number, now: number): Promise<boolean> {
  const client = createQueryClient()
  const queryFn = vi.fn(() => Promise.resolve(1))
  vi.setSystemTime(updatedAt)
  client.setQueryData(['shown'], 0, { updatedAt })
  const options = { queryKey: ['shown'], queryFn, ...(meta && { meta }) }
  const leave = new QueryObserver(client, options).subscribe(() => undefined)
  const stop = refreshFiguresOnReturn(client)
  vi.setSystemTime(now)
  document.dispatchEvent(new Event('visibilitychange'))
  await client.cancelQueries()
  stop()
  leave()
  return queryFn.mock.calls.length > 0
}

it('refreshes figures older than 30 s, and nothing else', async () => {
  expect(await isRefreshed({ figures: true }, 1000, 31_001)).toBe(true)
  expect(await isRefreshed({ figures: true }, 1000, 31_000)).toBe(false)
  expect(await isRefreshed({ figures: false }, 1000, 99_000)).toBe(false)
  expect(await isRefreshed(undefined, 0, 99_000)).toBe(false)
})
