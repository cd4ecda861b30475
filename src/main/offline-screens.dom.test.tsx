import { onlineManager } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { createStore, entries, setMany } from 'idb-keyval'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { expectKeptOffline } from '../../tests/support/offline-queries.ts'
import { waitUntil } from '../../tests/support/wait-until.ts'
import { persistedShape, tidyFigures, wipeFigures } from '#client/api/memory/persist-figures.ts'
import { createQueryClient } from '#client/api/query-client.ts'
import { keepScreens, keptAnswer } from '#client/api/memory/kept-screens.ts'
import { setSession, signOut } from '#client/api/session/session.ts'
import { wipeClientData } from '#client/api/wipe-client-data.ts'
import { figuresDatabase, figuresStore } from '#client/api/storage-keys.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { accountQueries } from '#features/accounts/client/queries.ts'
import { userQueries } from '#features/auth/client/queries.ts'
import { subscriptionQueries } from '#features/subscription/client/queries.ts'

// The page of these tests has no database of its own.
const device = new IDBFactory()
function useDevice(): void {
  vi.stubGlobal('indexedDB', device)
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
}
beforeAll(useDevice)
afterAll(() => vi.unstubAllGlobals())
beforeEach(async () => {
  localStorage.clear()
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  await wipeFigures()
})
afterEach(() => act(() => onlineManager.setOnline(true)))

it.each([
  ['Connections: the merchants', accountQueries.merchants()],
  ['Connections: the connections of a merchant', accountQueries.merchant(1)],
  ['Connections: the current merchant', accountQueries.currentMerchant()],
  ['Connections: the marketplaces of a merchant', accountQueries.marketplacesOf(1)],
  ['Connections: the current marketplace', accountQueries.currentMarketplace()],
  ['Connections: the regions', accountQueries.regions()],
  ['Subscription: the plans', subscriptionQueries.plans()],
  ['Subscription: the current one', subscriptionQueries.current()],
  ['Settings: the user', userQueries.user()],
])('%s can be read without network, and are gone after a log-out', async (_name, query) => {
  await expectKeptOffline(query, { name: 'Harborlane Goods' }, 'Harborlane Goods')
})

it('a screen says how old it is while offline, by its oldest answer, and nothing while online', () => {
  const now = Date.now()
  const { container } = render(<OfflineAge updatedAt={[now - 3 * 3_600_000, now]} />)
  expect(container.textContent).toBe('')
  act(() => onlineManager.setOnline(false))
  expect(screen.getByText(/3 hr\. ago/)).toBeTruthy()
  expect(container.textContent).toBe('Saved 3 hr. ago')
})

const onDevice = () => entries<string, { state: { data: unknown } }>(createStore(figuresDatabase, figuresStore))

it('a device holds the newest 300 answers, none of another shape and none older than 30 days', async () => {
  const now = Date.now()
  const record = (name: string, dataUpdatedAt: number, buster = persistedShape): [string, object] => [
    name,
    { buster, queryHash: name, queryKey: [name], state: { data: 1, dataUpdatedAt } },
  ]
  await setMany(
    [
      ...Array.from({ length: 310 }, (_, i) => record(`answer ${i}`, now - i * 1000)),
      record('too old', now - 31 * 86_400_000),
      record('another shape', now, 'v0'),
    ],
    createStore(figuresDatabase, figuresStore),
  )
  await tidyFigures()
  const left = (await onDevice()).map(([key]) => key)
  expect(left).toHaveLength(300)
  expect(left).toContain('answer 299')
  expect(left.filter(key => ['answer 300', 'too old', 'another shape'].includes(key))).toEqual([])
})

it('a device holds 16 MB of answers at most, and drops the oldest', async () => {
  const large = 'x'.repeat(5 * 1024 * 1024)
  const now = Date.now()
  await setMany(
    [0, 1, 2, 3].map(i => [
      `large ${i}`,
      { buster: persistedShape, queryKey: [i], state: { data: large, dataUpdatedAt: now - i } },
    ]),
    createStore(figuresDatabase, figuresStore),
  )
  await tidyFigures()
  expect((await onDevice()).map(([key]) => key)).toEqual(['large 0', 'large 1', 'large 2'])
})

it('screens that nobody opened are loaded one by one, the young ones not again, and the rest once the network is back', async () => {
  const requested: string[] = []
  const screenOf = (name: string) =>
    keptAnswer({
      queryKey: [name],
      queryFn: () => {
        requested.push(name)
        if (name === 'last before the tunnel') onlineManager.setOnline(false)
        return Promise.resolve(`figures of ${name}`)
      },
      meta: { persist: 'idb' },
    } as { queryKey: string[] })
  const screens = ['campaigns', 'last before the tunnel', 'inventory'].map(screenOf)
  expect(await keepScreens(createQueryClient(), screens)).toBe(false)
  expect(requested).toEqual(['campaigns', 'last before the tunnel'])
  await waitUntil(async () => expect(await onDevice()).toHaveLength(2))
  act(() => onlineManager.setOnline(true))
  // Another start: what is on the device is found there.
  expect(await keepScreens(createQueryClient(), screens)).toBe(true)
  expect(requested).toEqual(['campaigns', 'last before the tunnel', 'inventory'])
  await waitUntil(async () => expect(await onDevice()).toHaveLength(3))
})

it('after a log-out nothing of the user is left in this browser, whatever features stored', async () => {
  const unsaved = { queuedAt: 1, user: '7' }
  const left = {
    'tideline.client': 'a browser',
    'tideline.clock': '120000',
    'tideline.outbox': JSON.stringify([unsaved]),
    'tideline.draft.7.1.1': '{}',
  }
  const ofUser = ['answers', 'answered', 'screen', 'launch', 'bulk', 'install.win', 'push', 'whatever comes next']
  for (const [key, value] of Object.entries(left)) localStorage.setItem(key, value)
  for (const name of ofUser) localStorage.setItem(`tideline.${name}`, 'of the user')
  localStorage.setItem('tideline-chosen-figures', 'of the user')
  sessionStorage.setItem('tideline.undo', 'of the user')
  const shown = { close: vi.fn() }
  vi.stubGlobal('navigator', {
    onLine: true,
    serviceWorker: { getRegistration: () => Promise.resolve({ getNotifications: () => Promise.resolve([shown]) }) },
  })
  await signOut()
  await wipeClientData()
  vi.unstubAllGlobals()
  useDevice()
  // An expired session keeps the work of its user; a log-out on purpose asks, and then deletes that too.
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual(left)
  expect(sessionStorage.length).toBe(0)
  expect(shown.close).toHaveBeenCalledOnce()
})

it('of a long list the first four pages are there at the next start', async () => {
  const client = createQueryClient()
  await client.fetchInfiniteQuery({
    queryKey: ['long list'],
    queryFn: ({ pageParam }) => Promise.resolve(`page ${pageParam}`),
    initialPageParam: 0,
    getNextPageParam: (_page, _pages, last: number) => last + 1,
    pages: 6,
    meta: { persist: 'idb' },
  })
  await waitUntil(async () => expect(await onDevice()).toHaveLength(1))
  const [[, { state }] = ['', { state: { data: null } }]] = await onDevice()
  expect(state.data).toEqual({ pages: ['page 0', 'page 1', 'page 2', 'page 3'], pageParams: [0, 1, 2, 3] })
})
