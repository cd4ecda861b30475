import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import { forGuards, keepAnswers, restoreAnswers } from './persist-answers.ts'
import { onWipe, wipeClientData } from './wipe-client-data.ts'

beforeEach(() => localStorage.clear())
const saved = () => localStorage.getItem('tideline.answers') ?? ''

it('brings back the answers of the guard at the next start, and nothing else', async () => {
  const first = new QueryClient()
  const stop = keepAnswers(first)
  await first.fetchQuery({ queryKey: ['merchants'], queryFn: () => Promise.resolve([7]), ...forGuards })
  await first.fetchQuery({ queryKey: ['figures'], queryFn: () => Promise.resolve(1) })
  await vi.waitFor(() => expect(saved()).toContain('merchants'))
  stop()
  const second = new QueryClient()
  expect(restoreAnswers(second)).toBe(true)
  expect(second.getQueryData(['merchants'])).toEqual([7])
  expect(second.getQueryData(['figures'])).toBeUndefined()
})
it('forgets answers that are older than 30 days or broken', async () => {
  expect(restoreAnswers(new QueryClient())).toBe(false)
  localStorage.setItem('tideline.answers', '{"buster":"v1","timestamp":0,"clientState":{"queries":[],"mutations":[]}}')
  expect(restoreAnswers(new QueryClient(), 31 * 86_400_000)).toBe(false)
  localStorage.setItem('tideline.answers', 'broken')
  expect(restoreAnswers(new QueryClient())).toBe(false)
})
it('wipes memory, storage and whatever asked to go with it', async () => {
  const client = new QueryClient()
  client.setQueryData(['merchants'], [7])
  localStorage.setItem('tideline.answers', '{}')
  const also = vi.fn()
  const keep = onWipe(also)
  await wipeClientData(client)
  keep()
  expect(client.getQueryCache().getAll()).toHaveLength(0)
  expect(saved()).toBe('')
  expect(also).toHaveBeenCalledOnce()
})
