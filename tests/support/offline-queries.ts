import { onlineManager, type QueryKey } from '@tanstack/react-query'
import { createStore, entries } from 'idb-keyval'
import { expect } from 'vitest'
import { waitUntil } from './wait-until.ts'
import { figuresDatabase, figuresStore } from '#client/api/storage-keys.ts'
import { createQueryClient } from '#client/api/query-client.ts'
import { wipeClientData } from '#client/api/wipe-client-data.ts'
import { persistAnswers, restoreAnswers } from '#client/api/memory/persist-answers.ts'

interface OfflineQuery {
  queryKey: QueryKey
  queryFn?: unknown
  meta?: Record<string, unknown> | undefined
}

/** Every record that this device keeps of the user, as text. */
async function onDevice(): Promise<string> {
  const records = await entries<string, unknown>(createStore(figuresDatabase, figuresStore))
  return JSON.stringify([records, localStorage.getItem('tideline.answers')])
}

/**
 * Expects that a query's last answer is there after a restart without network, with the moment at which it came, and
 * that nothing of it is left on the device after a log-out. For tests with a database in the page.
 */
export async function expectKeptOffline(query: OfflineQuery, answer: unknown, mark: string): Promise<void> {
  const options = { ...query, enabled: true, retry: false } as never as { queryKey: QueryKey; queryFn: () => unknown }
  const online = createQueryClient()
  const stop = persistAnswers(online)
  await online.fetchQuery({ ...options, queryFn: () => Promise.resolve(answer) })
  const cameAt = online.getQueryState(query.queryKey)?.dataUpdatedAt
  await waitUntil(async () => expect(await onDevice()).toContain(mark))
  stop()
  onlineManager.setOnline(false)
  try {
    const restarted = createQueryClient()
    restoreAnswers(restarted)
    // As a request that waits for the network.
    const offline = () => new Promise(() => undefined)
    expect(await restarted.ensureQueryData({ ...options, queryFn: offline })).toEqual(answer)
    // Noted right after the answer itself.
    await waitUntil(() => expect(restarted.getQueryState(query.queryKey)?.dataUpdatedAt).toBe(cameAt))
    await wipeClientData(restarted)
    expect(await onDevice()).not.toContain(mark)
  } finally {
    onlineManager.setOnline(true)
  }
}
