import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import type { Launch, LaunchCall } from '../../contract.ts'
import { LaunchRow } from './launch-log-page.tsx'

const at = '2026-11-20T10:00:00.000Z'
const launch: Launch = {
  id: 4,
  campaignName: 'Tide mugs',
  template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
  status: 'PARTIAL',
  undo: null,
  canRetry: true,
  waitingUntil: null,
  createdAt: at,
  finishedAt: at,
  createdCount: 620,
  created: [
    { entity: 'CAMPAIGN', id: '900001', name: 'Tide mugs | Discovery | Auto' },
    { entity: 'KEYWORD', id: '900002', name: 'steel mug' },
    { entity: 'KEYWORD', id: '900003', name: 'travel mug' },
  ],
  warnings: [],
  steps: [
    {
      name: 'CAMPAIGNS',
      status: 'COMPLETED',
      startedAt: at,
      finishedAt: '2026-11-20T10:00:02.400Z',
      done: 5,
      total: 5,
      errors: [],
    },
    { name: 'SAVE', status: 'PENDING', startedAt: null, finishedAt: null, done: 0, total: 1, errors: [] },
  ],
}
function callOf(no: number, over: Partial<LaunchCall> = {}): LaunchCall {
  return {
    no,
    step: 'KEYWORDS',
    at,
    tookMs: 320,
    operation: `create keywords ${no}`,
    method: 'POST',
    path: '/sp/keywords',
    outcome: 'ANSWERED',
    status: 207,
    requestId: null,
    message: null,
    sent: '{"keywords":[{"keywordText":"steel mug"}]}',
    received: null,
    ...over,
  }
}
const firstCalls = [
  callOf(1),
  callOf(2, { outcome: 'REFUSED', status: 400, requestId: 'req-7', message: 'Malformed', received: 'no JSON' }),
  callOf(3, { outcome: 'UNKNOWN', status: null, step: 'UNDO' }),
]

// The network is the outside.
let requests: string[]
let calls: LaunchCall[]
beforeEach(() => {
  requests = []
  calls = firstCalls
  vi.stubGlobal('fetch', (path: string) => {
    if (path.includes('/events')) return Promise.resolve(new Response(new ReadableStream()))
    requests.push(path)
    if (!path.includes('/calls')) return Promise.resolve(Response.json(launch))
    const number = Number(new URL(path, 'http://localhost').searchParams.get('page') ?? 0)
    const page = { number, size: 20, totalElements: calls.length === 3 ? 3 : 23, totalPages: 2 }
    return Promise.resolve(Response.json({ content: number === 0 ? calls : [callOf(21)], page }))
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(summary: HTMLElement) {
  const details = summary.closest('details')
  if (!details) throw new Error('nothing to open')
  details.open = true
  fireEvent(details, new Event('toggle'))
  return within(details)
}
async function show(shown: Launch = launch) {
  const routeTree = createRootRoute({ component: () => <LaunchRow mayChange launch={shown} /> })
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByText('Show steps'))
}

async function shownWith<T>(over: Partial<Launch>, look: () => T): Promise<T> {
  cleanup()
  await show({ ...launch, ...over })
  return look()
}
it('offers the undo where something stands, and again where it was undone in part', async () => {
  const offered = (over: Partial<Launch>) =>
    shownWith(over, () => screen.queryByRole('button', { name: 'Undo' }) !== null)
  expect(await offered({})).toBe(true)
  expect(await offered({ undo: 'PARTIAL' })).toBe(true)
  expect(await offered({ undo: 'PENDING' })).toBe(false)
  expect(await offered({ undo: 'DONE' })).toBe(false)
  expect(await offered({ createdCount: 0 })).toBe(false)
})
it.each<[Partial<Launch>, string | null]>([
  [{ status: 'PARTIAL' }, 'Change and relaunch “Tide mugs”'],
  [{ status: 'FAILED' }, 'Change and relaunch “Tide mugs”'],
  [{ status: 'COMPLETED', undo: 'DONE' }, 'Change and relaunch “Tide mugs”'],
  [{ status: 'COMPLETED' }, 'Use as template “Tide mugs”'],
  [{ status: 'COMPLETED', undo: 'PENDING' }, null],
  [{ status: 'IN_PROGRESS' }, null],
])('of a launch that is %j what it was asked for can be opened: %s', async (over, name) => {
  const link = await shownWith(over, () => screen.queryByRole('link'))
  expect(link?.textContent ?? null).toBe(name)
  expect(link?.getAttribute('href') ?? null).toBe(name && '/create-campaign?launch=4')
})
it('offers that first where the same again would be refused again', async () => {
  const errors = [{ item: 'steel mug', reason: 'TOO_LOW', message: 'Too low.' }]
  const isFirst = (steps: Launch['steps']) =>
    shownWith({ steps }, () => screen.getByRole('link').classList.contains('button-accent'))
  expect(await isFirst(launch.steps)).toBe(false)
  expect(await isFirst(launch.steps.map(one => ({ ...one, errors })))).toBe(true)
})
it('shows when each step began and how long it took, and no time for one that did not begin', async () => {
  await show()
  const [done, waiting] = screen.getAllByRole('listitem').map(step => step.querySelector('small')?.textContent)
  expect(done).toMatch(/^Done · .*:00.*, took 2\.4 s$/)
  expect(waiting).toBe('Waiting')
})
it('asks for calls only once they are opened, and tells step, time and outcome of each', async () => {
  await show()
  expect(requests).toEqual([])
  const list = open(screen.getByText('Calls to the marketplace'))
  const rows = [...(await list.findByRole('list')).querySelectorAll('summary')].map(row => row.textContent)
  expect(rows).toEqual([
    expect.stringMatching(/^1\. create keywords 1 Answered ?Adding keywords · .* · 320 ms$/),
    expect.stringMatching(/^2\. create keywords 2 Rejected ?Adding keywords · /),
    expect.stringMatching(/^3\. create keywords 3 No answer ?Undoing the launch · /),
  ])
  expect(requests).toHaveLength(1)
  expect(list.queryByLabelText(/Pages of calls/)).toBeNull()
})
it('shows of a call what was sent and what came back, and what the marketplace’s support asks for', async () => {
  await show()
  const list = open(screen.getByText('Calls to the marketplace'))
  expect(list.queryByText(/steel mug/)).toBeNull()
  const call = open(await list.findByText('2. create keywords 2'))
  expect(call.getByText('POST /sp/keywords')).toBeTruthy()
  expect([...document.querySelectorAll('pre')].map(pre => pre.textContent)).toEqual([
    JSON.stringify({ keywords: [{ keywordText: 'steel mug' }] }, null, 2),
    'no JSON',
  ])
  expect(call.getByText('Malformed')).toBeTruthy()
  expect(call.getByText('req-7')).toBeTruthy()
  expect(open(list.getByText('1. create keywords 1')).getByText('Received: nothing')).toBeTruthy()
})
it('names each call as a seller would say it, and keeps a name that nobody has said in other words yet', async () => {
  const named = [
    ['create adGroups', 'AD_GROUPS', 'Create ad groups'],
    ['create targetingClauses', 'PRODUCT_TARGETS', 'Create targets'],
    ['list negativeKeywords', 'NEGATIVE_KEYWORDS', 'Look up negative keywords'],
    ['update targetingClauses', 'AUTO_TARGETS', 'Set bids for automatic targeting'],
    ['update campaigns', 'ENABLE', 'Enable campaigns'],
    ['archive campaigns', 'UNDO', 'Archive campaigns'],
    ['recommend bids', 'RECOMMENDATIONS', 'Get recommended bids'],
    ['check eligibility', 'RECOMMENDATIONS', 'Check whether the products can be advertised'],
    ['draw lots', null, 'draw lots'],
  ] as const
  calls = named.map(([operation, step], i) => callOf(i + 1, { operation, step }))
  await show()
  const list = open(screen.getByText('Calls to the marketplace'))
  for (const [i, [, , name]] of named.entries()) expect(await list.findByText(`${i + 1}. ${name}`)).toBeTruthy()
})
it('leads through many calls by pages of their own', async () => {
  calls = Array.from({ length: 20 }, (_, i) => callOf(i + 1))
  await show()
  const list = open(screen.getByText('Calls to the marketplace'))
  const pages = within(await list.findByRole('navigation', { name: 'Pages of calls, Tide mugs, launch 4' }))
  fireEvent.click(pages.getByLabelText('Next page'))
  expect(await list.findByText('21. create keywords 21')).toBeTruthy()
})
it('lists what was made by kind under the marketplace’s ids, and says that there is more', async () => {
  await show()
  const made = open(screen.getByText('Created items (620)'))
  expect(await made.findByText('The first 3 of 620:')).toBeTruthy()
  expect(made.getAllByRole('term').map(term => term.textContent)).toEqual(['Campaigns (1)', 'Keywords (2)'])
  expect(made.getByText('900002').parentElement?.textContent).toBe('steel mug 900002')
})
