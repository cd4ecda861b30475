import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import type { Launch } from '../contract.ts'
import { activeLaunch, followLaunch, useActiveLaunch } from './active-launch.ts'
import { LaunchProgress } from './launch-progress.tsx'

const at = '2026-11-20T10:00:00.000Z'
function step(name: Launch['steps'][number]['name'], over: Partial<Launch['steps'][number]> = {}) {
  return {
    name,
    status: 'PENDING' as const,
    startedAt: null,
    finishedAt: null,
    done: 0,
    total: 0,
    errors: [],
    ...over,
  }
}
const running: Launch = {
  id: 7,
  campaignName: 'Tide mugs',
  template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
  status: 'IN_PROGRESS',
  undo: null,
  canRetry: false,
  waitingUntil: null,
  createdAt: at,
  finishedAt: null,
  createdCount: 5,
  created: [],
  warnings: [],
  steps: [
    step('CAMPAIGNS', { status: 'COMPLETED', done: 5, total: 5 }),
    step('KEYWORDS', { status: 'IN_PROGRESS', done: 30, total: 60 }),
    step('PRODUCT_TARGETS', { status: 'SKIPPED' }),
  ],
}
const half: Launch = {
  ...running,
  status: 'PARTIAL',
  canRetry: true,
  finishedAt: at,
  steps: [
    step('KEYWORDS', {
      status: 'PARTIAL',
      done: 59,
      total: 60,
      errors: [
        { item: 'steel mug (exact)', reason: 'INTERNAL_ERROR', message: 'The marketplace had a fault of its own.' },
      ],
    }),
  ],
}

// The network is the outside.
let shown: Launch
let requests: string[]
beforeEach(() => {
  localStorage.clear()
  requests = []
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    if (path.includes('/events')) return Promise.resolve(new Response(new ReadableStream()))
    requests.push(`${init?.method ?? 'GET'} ${path.replace(/^.*\/api/, '')}`)
    if (path.endsWith('/retry')) shown = { ...running }
    return Promise.resolve(Response.json(shown, { status: path.endsWith('/retry') ? 202 : 200 }))
  })
})
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

function Followed() {
  const active = useActiveLaunch()
  return active && <LaunchProgress active={active} />
}
function open(launch: Launch, dismissed = false, path = '/create-campaign') {
  shown = launch
  followLaunch({ id: launch.id, name: launch.campaignName, dismissed })
  const root = createRootRoute({ component: Followed })
  const route = (path: string) => createRoute({ getParentRoute: () => root, path, component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([route('/create-campaign'), route('/campaigns'), route('/create-campaign-logs')]),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}

it('tells politely what goes on, how far each step is, and that the page may be closed', async () => {
  open(running)
  const overlay = await screen.findByRole('dialog', { name: 'Creating Your Campaign' })
  const announcement = await within(overlay).findByText(
    'Adding keywords (30 of 60). You can close this page. We will notify you.',
  )
  expect(announcement.getAttribute('aria-live')).toBe('polite')
  expect(within(overlay).getByRole('progressbar').getAttribute('value')).toBe('0.75')
  const steps = within(overlay).getAllByRole('listitem')
  expect(steps.map(one => one.textContent)).toEqual([
    'Creating campaigns (5 of 5)Done',
    'Adding keywords (30 of 60)In progress',
  ])
})
it('steps aside as a card that is a region of its own, and goes on to follow', async () => {
  const router = open(running)
  fireEvent.click(await screen.findByText('Keep working'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/campaigns'))
  const card = await screen.findByRole('complementary', { name: 'Launch' })
  expect(card.textContent).toContain('Creating “Tide mugs”')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(activeLaunch()).toMatchObject({ id: 7, dismissed: true })
})
it('explains what failed in a seller’s words and retries that alone', async () => {
  open(half)
  const problems = await screen.findByRole('dialog', { name: 'Campaign partly created' })
  expect(problems.textContent).toContain('1 item failed. The rest was created and does not change when you retry.')
  expect(problems.textContent).toContain('steel mug (exact): The marketplace had a fault of its own.')
  expect(Number(within(problems).getByRole('progressbar').getAttribute('value'))).toBeLessThan(1)
  fireEvent.click(within(problems).getByText('Retry failed items'))
  expect(await screen.findByRole('dialog', { name: 'Creating Your Campaign' })).toBeTruthy()
  expect(requests.filter(call => call.startsWith('POST'))).toEqual(['POST /campaign/launches/7/retry'])
})
it('leads to all that it was asked for, to be changed, where the same again would be refused again', async () => {
  const errors = [
    { item: 'steel mug (exact)', reason: 'TOO_LOW', message: 'The bid is below the marketplace’s minimum.' },
    { item: 'steel mug', reason: 'KEYWORD_FAILED', message: 'Not made, because its keyword failed.' },
  ]
  const router = open({ ...half, steps: half.steps.map(one => ({ ...one, errors })) })
  const problems = await screen.findByRole('dialog', { name: 'Campaign partly created' })
  expect(problems.textContent).toContain(
    'A retry would send the same values again. See below what to change, then launch again.',
  )
  expect(within(problems).queryByText('Retry failed items')).toBeNull()
  await router.navigate({ to: '/campaigns' as never })
  fireEvent.click(within(problems).getByText('Change and relaunch'))
  await waitFor(() => expect(router.state.location.href).toBe('/create-campaign?launch=7'))
  expect(activeLaunch()).toBeNull()
})
it.each([
  ['/campaigns', undefined],
  ['/create-campaign-logs', 'See campaigns'],
])('tells at %s of the end of a launch that stepped aside; its way there: %s', async (path, way) => {
  open({ ...running, status: 'COMPLETED', finishedAt: at }, true, path)
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign created successfully!' }]))
  expect(currentToasts()[0]?.action?.label).toBe(way)
})
it('ends at the campaigns with the words for it, and follows no longer', async () => {
  const router = open({ ...running, status: 'COMPLETED', finishedAt: at })
  await waitFor(() => expect(currentToasts().map(t => t.title)).toEqual(['Campaign created successfully!']))
  await waitFor(() => expect(router.state.location.pathname).toBe('/campaigns'))
  expect(activeLaunch()).toBeNull()
})
