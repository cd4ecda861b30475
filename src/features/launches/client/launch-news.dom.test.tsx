import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { announcedLaunches, followLaunch } from './active-launch.ts'
import { LaunchNews } from './launch-news.tsx'

// The network is the outside: the one stream of events, to which a test writes.
let write: (text: string) => void

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('fetch', () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    write = text => void writer.write(new TextEncoder().encode(text))
    return Promise.resolve(new Response(readable))
  })
})
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

async function open(at = '/settings') {
  const root = createRootRoute()
  const anywhere = createRoute({ getParentRoute: () => root, path: '/settings', component: LaunchNews })
  const campaigns = createRoute({ getParentRoute: () => root, path: '/campaigns', component: LaunchNews })
  const log = createRoute({ getParentRoute: () => root, path: '/create-campaign-logs', component: () => null })
  const client = createQueryClient()
  const router = createRouter({
    routeTree: root.addChildren([anywhere, campaigns, log]),
    history: createMemoryHistory({ initialEntries: [at] }),
  })
  const before = write
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await waitFor(() => expect(write).not.toBe(before))
  return { client, router }
}
const tell = (status: string, launchId = 4): void =>
  write(`event: launch-finished\ndata: ${JSON.stringify({ launchId, name: 'Tide mugs', status })}\n\n`)

it.each([
  ['COMPLETED', 'Campaign created successfully!', '/campaigns'],
  ['PARTIAL', 'Campaign partly created', '/create-campaign-logs'],
  ['UNDONE', 'Launch undone', '/create-campaign-logs'],
  ['UNDONE_IN_PART', 'Launch partly undone', '/create-campaign-logs'],
  ['FAILED', 'Campaign could not be created', '/create-campaign-logs'],
])('a launch from elsewhere that ended %s is announced with a link to it', async (status, title, way) => {
  const { client, router } = await open()
  const figures = client.getQueryCache().build(client, { queryKey: ['campaigns'], meta: { figures: true } })
  client.setQueryData(['campaigns'], [])
  tell(status)
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title, message: 'Tide mugs' }]))
  expect(figures.state.isInvalidated).toBe(true)
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(router.state.location.pathname).toBe(way))
})
it('needs no way where one is already', async () => {
  await open('/campaigns')
  tell('COMPLETED')
  await waitFor(() => expect(currentToasts()).toMatchObject([{ message: 'Tide mugs' }]))
  expect(currentToasts()[0]?.action).toBeUndefined()
})
it('the launch that this device follows is announced once', async () => {
  followLaunch({ id: 4, name: 'Tide mugs', dismissed: true })
  await open()
  tell('COMPLETED')
  tell('FAILED', 5)
  await waitFor(() => expect(currentToasts().map(({ title }) => title)).toEqual(['Campaign could not be created']))
})
it('a launch whose success was announced is not announced again by an event that comes late', async () => {
  announcedLaunches.add(4)
  await open()
  tell('COMPLETED')
  tell('UNDONE')
  await waitFor(() => expect(currentToasts().map(({ title }) => title)).toEqual(['Launch undone']))
})
