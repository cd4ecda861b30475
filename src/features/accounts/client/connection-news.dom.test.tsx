import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { ConnectionNews } from './connection-news.tsx'
import { accountQueries } from './queries.ts'

const merchant = {
  id: 3,
  name: 'Mug Harbour',
  accountType: 'SELLER',
  regionId: 1,
  regionName: 'North America',
} as const

afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

it('a lost connection is announced on any page until it is seen, and the connections are fetched again', async () => {
  localStorage.clear()
  let write: ((text: string) => void) | undefined
  vi.stubGlobal('fetch', () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    write = text => void writer.write(new TextEncoder().encode(text))
    return Promise.resolve(new Response(readable))
  })
  const client = createQueryClient()
  client.setQueryData(accountQueries.merchants().queryKey, [merchant])
  const root = createRootRoute()
  const home = createRoute({ getParentRoute: () => root, path: '/home', component: ConnectionNews })
  const connections = createRoute({ getParentRoute: () => root, path: '/connections', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([home, connections]),
    history: createMemoryHistory({ initialEntries: ['/home'] }),
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await waitFor(() => expect(write).toBeDefined())
  write?.('event: connection-lost\ndata: {"merchantId":3,"connectionId":9,"kind":"AMAZON_ADS"}\n\n')
  await waitFor(() => expect(currentToasts()).toHaveLength(1))
  expect(currentToasts()[0]).toMatchObject({
    title: 'A connection was lost',
    message: 'Mug Harbour: its advertising figures and changes are paused until you connect it again.',
    durationMs: Number.POSITIVE_INFINITY,
  })
  expect(client.getQueryState(accountQueries.merchants().queryKey)?.isInvalidated).toBe(true)
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(router.state.location.pathname).toBe('/connections'))
})
