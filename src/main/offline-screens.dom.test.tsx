import { onlineManager } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { expectKeptOffline } from '../../tests/support/offline-queries.ts'
import { wipeFigures } from '#client/api/memory/persist-figures.ts'
import { setSession } from '#client/api/session/session.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { accountQueries } from '#features/accounts/client/queries.ts'
import { userQueries } from '#features/auth/client/queries.ts'
import { subscriptionQueries } from '#features/subscription/client/queries.ts'

// The page of these tests has no database of its own.
beforeAll(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
})
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
