import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import { forGuards, persistAnswers, restoreAnswers } from './persist-answers.ts'
import { onWipe, wipeClientData } from '../wipe-client-data.ts'
import { waitUntil } from '../../../../tests/support/wait-until.ts'

beforeEach(() => localStorage.clear())
// The write waits for the end of the task that brought the answer.
const nextTask = () => new Promise(resolve => setTimeout(resolve, 5))
const saved = () => localStorage.getItem('tideline.answers') ?? ''

it('brings back the answers of the guard at the next start, and nothing else', async () => {
  const first = new QueryClient()
  const stop = persistAnswers(first)
  await first.fetchQuery({ queryKey: ['merchants'], queryFn: () => Promise.resolve([7]), ...forGuards })
  await first.fetchQuery({ queryKey: ['figures'], queryFn: () => Promise.resolve(1) })
  await waitUntil(() => expect(saved()).toContain('[7]'))
  stop()
  const second = new QueryClient()
  expect(restoreAnswers(second)).toBe(true)
  expect(second.getQueryData(['merchants'])).toEqual([7])
  expect(second.getQueryData(['figures'])).toBeUndefined()
})
it('has an answer on the device as soon as it comes or changes, since the page may be reloaded next', async () => {
  const client = new QueryClient()
  const stop = persistAnswers(client)
  client.getQueryCache().build(client, { queryKey: ['merchants'], ...forGuards })
  client.setQueryData(['merchants'], [7])
  await nextTask()
  expect(saved()).toContain('[7]')
  client.setQueryData(['merchants'], [7, 8])
  await nextTask()
  expect(saved()).toContain('[7,8]')
  void client.invalidateQueries({ queryKey: ['merchants'] })
  await nextTask()
  const reloaded = new QueryClient()
  restoreAnswers(reloaded)
  expect(reloaded.getQueryState(['merchants'])?.isInvalidated).toBe(true)
  stop()
})
it('goes by what another tab learnt', async () => {
  const other = new QueryClient()
  const stopOther = persistAnswers(other)
  const client = new QueryClient()
  const stop = persistAnswers(client)
  for (const one of [other, client]) one.getQueryCache().build(one, { queryKey: ['current'], ...forGuards })
  client.setQueryData(['current'], 'before', { updatedAt: 1 })
  await nextTask()
  other.setQueryData(['current'], 'after', { updatedAt: 2 })
  await nextTask()
  // The browser tells the other tabs only; here both live in one.
  dispatchEvent(new StorageEvent('storage', { key: 'tideline.answers', newValue: saved() }))
  expect(client.getQueryData(['current'])).toBe('after')
  stop()
  stopOther()
})
it('goes on when the storage is full', async () => {
  const client = new QueryClient()
  const stop = persistAnswers(client)
  const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  client.getQueryCache().build(client, { queryKey: ['merchants'], ...forGuards })
  expect(() => client.setQueryData(['merchants'], [7])).not.toThrow()
  await nextTask()
  expect(full).toHaveBeenCalled()
  full.mockRestore()
  stop()
})
it('forgets answers that are older than 30 days or broken', async () => {
  expect(restoreAnswers(new QueryClient())).toBe(false)
  localStorage.setItem('tideline.answers', '{"buster":"v2","timestamp":0,"clientState":{"queries":[],"mutations":[]}}')
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
