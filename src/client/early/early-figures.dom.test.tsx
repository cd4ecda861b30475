import { QueryClient } from '@tanstack/react-query'
import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { createStore, entries } from 'idb-keyval'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { figuresDatabase, figuresStore } from '../api/storage-keys.ts'
import { figuresPersister, tidyFigures, wipeFigures } from '../api/memory/persist-figures.ts'
import { createQueryClient } from '../api/query-client.ts'
import { readFiguresEarly } from './early-figures.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

const persisted = { meta: { persist: 'idb' }, retry: false } as const
const cards = ['home', 'cards', { merchantId: 1, marketplaceId: 2 }, '2026-11-01', '2026-11-21']
const other = ['home', 'breakdown', '2026-11-01']
const records = async (): Promise<string[]> =>
  (await entries<string, unknown>(createStore(figuresDatabase, figuresStore))).map(([key]) => key)

async function keep(queryKey: unknown[], value: number): Promise<void> {
  const client = createQueryClient()
  await client.fetchQuery({ queryKey, queryFn: () => Promise.resolve(value), ...persisted })
  await waitUntil(async () => expect(await records()).toHaveLength(1))
}
const never = (): Promise<number> => new Promise(() => undefined)

// The page of these tests has no database of its own.
beforeAll(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
})
afterAll(() => vi.unstubAllGlobals())
beforeEach(async () => {
  await wipeFigures()
  globalThis.tidelineEarlyFigures = undefined
})

it('gives the screen what was read early, without the database', async () => {
  await keep(cards, 7)
  readFiguresEarly(['home', 'cards'])
  expect((await globalThis.tidelineEarlyFigures)?.size).toBe(1)
  const get = vi.spyOn(IDBObjectStore.prototype, 'get')
  const client = createQueryClient()
  expect(await client.fetchQuery({ queryKey: cards, queryFn: never, ...persisted })).toBe(7)
  expect(get).not.toHaveBeenCalled()
  get.mockRestore()
})
it('reads nothing but the records whose key begins so, and leaves the others to the database', async () => {
  await keep(other, 8)
  readFiguresEarly(['home', 'cards'])
  expect((await globalThis.tidelineEarlyFigures)?.size).toBe(0)
  expect(await createQueryClient().fetchQuery({ queryKey: other, queryFn: never, ...persisted })).toBe(8)
})
it('never shows what was read early once something newer was written or the user has left', async () => {
  await keep(cards, 7)
  readFiguresEarly(['home', 'cards'])
  await globalThis.tidelineEarlyFigures
  await createQueryClient().fetchQuery({ queryKey: other, queryFn: () => Promise.resolve(1), ...persisted })
  await waitUntil(() => expect(globalThis.tidelineEarlyFigures).toBeUndefined())
  readFiguresEarly(['home', 'cards'])
  await globalThis.tidelineEarlyFigures
  await wipeFigures()
  const answer = await createQueryClient().fetchQuery({
    queryKey: cards,
    queryFn: () => Promise.resolve(9),
    ...persisted,
  })
  expect(answer).toBe(9)
  // Written after the answer was given; the next test begins with nothing.
  await waitUntil(async () => expect(await records()).toHaveLength(1))
})
it('drops records that are older than 30 days', async () => {
  const client = new QueryClient()
  const old = Date.now() - 31 * 86_400_000
  client.setQueryData(cards, 7, { updatedAt: old })
  await figuresPersister.persistQueryByKey(cards, client)
  expect(await records()).toHaveLength(1)
  await tidyFigures()
  expect(await records()).toEqual([])
})
