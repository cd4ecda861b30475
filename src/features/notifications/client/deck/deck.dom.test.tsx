import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { setupIonicReact } from '@ionic/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { pendingEdits } from '#client/outbox/outbox.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { signInAs } from '../../../../../tests/support/test-edit.ts'
import type { AppNotification } from '../../contract.ts'
import { notificationKind } from '../decision-edit.ts'
import { notificationsRoutes } from '../routes.tsx'
import { directionOf } from './use-swipe.ts'

setupIonicReact()
configure({ asyncUtilTimeout: 5000 })

const harbour = { id: 1, name: 'Harbour', marketplaceId: 1 }
const notification = (id: number, more: Partial<AppNotification> = {}): AppNotification => ({
  id,
  kind: 'OUT_OF_BUDGET',
  title: `Mugs ${id} is out of budget`,
  body: 'All of today’s budget was used by 10:40 AM, and no ads are shown until midnight.',
  url: `/campaigns?campaign=${id}`,
  createdAt: '2026-11-23T18:40:00.000Z',
  readAt: '2026-11-23T18:41:00.000Z',
  merchant: harbour,
  campaign: { id, name: `Mugs ${id}` },
  evidence: [
    { label: 'Used', format: 'percent', value: 100 },
    { label: 'Budget', format: 'money', value: 20 },
    { label: 'Used up at', format: 'time', value: '2026-11-23T18:40:00.000Z' },
  ],
  stake: { amount: 42.5, currency: 'USD' },
  actions: ['RAISE_BUDGET_TODAY', 'PAUSE_CAMPAIGN'],
  status: 'OPEN',
  snoozedUntil: null,
  decidedAt: null,
  decision: null,
  canUndo: false,
  ...more,
})
const advice = {
  currency: 'USD',
  timezone: 'America/Los_Angeles',
  budget: 20,
  mostBudget: 1_000_000,
  until: '2026-11-24T08:00:00.000Z',
  rescue: null,
  ended: null,
  obstacle: null,
  recommended: { budget: 36, source: 'PACE' },
  missedToday: null,
  missedBefore: null,
}

// The server: what it holds and what it was sent.
let rows: AppNotification[]
let sent: { path: string; body: unknown }[]
let role: 'OWNER' | 'VIEWER'
let refusal: { status: number; message: string } | null
const open = () => rows.filter(one => one.status === 'OPEN')
const done: Record<string, Partial<AppNotification>> = {
  act: { status: 'DONE', decision: 'Raised', canUndo: true },
  snooze: { status: 'SNOOZED', snoozedUntil: '2026-11-23T22:40:00.000Z', canUndo: true },
  dismiss: { status: 'DISMISSED', decision: 'I expected this', canUndo: true },
  undo: { status: 'OPEN', canUndo: false },
}
function answer(path: string, init: { method: string; body?: string }): Response {
  const url = new URL(path, 'https://tideline.test')
  const [, id, verb = ''] = /^\/api\/notifications\/(\d+)\/(\w+)$/.exec(url.pathname) ?? []
  const counts = { unreadCount: rows.filter(one => one.readAt === null).length, openCount: open().length }
  if (init.method === 'POST') {
    sent.push({ path: url.pathname, body: JSON.parse(init.body ?? 'null') as unknown })
    if (refusal) {
      const { status, message } = refusal
      return Response.json({ errorCode: 'CONFLICT', message, details: [], requestId: '' }, { status })
    }
    if (url.pathname === '/api/notifications/read-all') rows = rows.map(one => ({ ...one, readAt: one.createdAt }))
    rows = rows.map(one => (one.id === Number(id) ? { ...one, readAt: one.createdAt, ...done[verb] } : one))
    const changed = rows.find(one => one.id === Number(id))
    return Response.json(done[verb] ? { message: `${verb} done`, notification: changed } : counts)
  }
  if (url.pathname === '/api/notifications/counts') return Response.json(counts)
  if (url.pathname === '/api/notifications') {
    const chosen = url.searchParams.get('open') === 'true' ? open() : rows
    const content = url.searchParams.get('unread') === 'true' ? chosen.filter(one => one.readAt === null) : chosen
    return Response.json({
      content,
      page: { size: 30, number: 0, totalElements: content.length, totalPages: 1 },
      ...counts,
    })
  }
  if (url.pathname.endsWith('/budget-rescue')) return Response.json(advice)
  if (url.pathname === '/api/push/public-key') return Response.json({ publicKey: null })
  const merchant = { id: 1, name: 'Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' }
  return Response.json({ ...merchant, role, connections: [], profiles: [] })
}

beforeEach(() => {
  rows = [notification(1), notification(2), notification(3)]
  sent = []
  role = 'OWNER'
  refusal = null
  localStorage.clear()
  signInAs('7')
  vi.stubGlobal('fetch', async (path: string, init: never) => answer(path, init))
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
})
afterEach(() => {
  cleanup()
  act(() => onlineManager.setOnline(true))
  for (const { id } of currentToasts()) dismissToast(id)
  vi.unstubAllGlobals()
})

function show(address = '/notifications') {
  const root = createRootRoute()
  const dashboard = createRoute({ getParentRoute: () => root, id: 'dashboard' })
  const router = createRouter({
    routeTree: root.addChildren([dashboard.addChildren(notificationsRoutes(dashboard))]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
const deck = async (name: string) => within(await screen.findByRole('region', { name }))
const decisions = () => sent.filter(({ path }) => !path.endsWith('/read'))
const raise = 'Raise today’s budget to $36.00'
async function raiseButton(): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name: raise })
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  return button
}

test('a card says what happened, why, what speaks for it and what is at stake', async () => {
  show()
  const card = await deck('Decision 1 of 3')
  expect(card.getByRole('heading', { name: 'Mugs 1 is out of budget' })).toBeTruthy()
  expect(card.getByText('Harbour · Mugs 1')).toBeTruthy()
  expect(card.getByText('$42.50').parentElement?.textContent).toBe('$42.50 at stake')
  expect(card.getAllByRole('definition').map(one => one.textContent)).toEqual([
    '100%',
    '$20.00',
    expect.stringMatching(/10:40\sAM/),
  ])
  expect(card.getByRole('link', { name: /Open campaign/ }).getAttribute('href')).toBe('/campaigns?campaign=1')
  expect(card.getByText('1 of 3')).toBeTruthy()
})

test('the action names its effect and its cost, is done at once, and can be undone from its toast', async () => {
  show()
  const button = await raiseButton()
  expect(screen.getByText('Costs at most $16.00 more. It goes back to $20.00 by itself at midnight.')).toBeTruthy()
  fireEvent.click(button)
  await deck('Decision 2 of 3')
  // Exactly the budget that was shown.
  expect(decisions()).toEqual([
    { path: '/api/notifications/1/act', body: { action: 'RAISE_BUDGET_TODAY', budget: 36 } },
  ])
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'act done', action: { label: 'Undo' } }]))
  act(() => currentToasts()[0]?.action?.onSelect())
  await deck('Decision 1 of 3')
  expect(sent.at(-1)?.path ?? '').toMatch(/1\/undo|read/)
})

test('the second action, the snooze and the dismissal ask what they need', async () => {
  show()
  await raiseButton()
  fireEvent.click(screen.getByRole('button', { name: 'Pause campaign' }))
  await deck('Decision 2 of 3')
  fireEvent.click(screen.getByRole('button', { name: 'Snooze' }))
  fireEvent.click(await screen.findByText('Until tomorrow'))
  await deck('Decision 3 of 3')
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  fireEvent.click(await screen.findByText('I expected this'))
  expect(await screen.findByRole('region', { name: 'All decided' })).toBeTruthy()
  expect(screen.getByText('You are notified as soon as one of these comes up:').parentElement?.textContent).toMatch(
    /Out of budget.*Connection lost/,
  )
  expect(decisions()).toEqual([
    { path: '/api/notifications/1/act', body: { action: 'PAUSE_CAMPAIGN' } },
    { path: '/api/notifications/2/snooze', body: { hours: 24 } },
    { path: '/api/notifications/3/dismiss', body: { reason: 'EXPECTED' } },
  ])
})

test('keys decide while the card has the focus, and U undoes the last decision', async () => {
  show()
  await raiseButton()
  const press = async (key: string, name: string) =>
    fireEvent.keyDown(await screen.findByRole('region', { name }), { key })
  await press('ArrowRight', 'Decision 1 of 3')
  await press('s', 'Decision 2 of 3')
  await deck('Decision 3 of 3')
  await waitFor(() => expect(currentToasts().map(({ title }) => title)).toContain('snooze done'))
  await press('u', 'Decision 3 of 3')
  await deck('Decision 2 of 3')
  expect(decisions()).toEqual([
    { path: '/api/notifications/1/act', body: { action: 'RAISE_BUDGET_TODAY', budget: 36 } },
    { path: '/api/notifications/2/snooze', body: { hours: 4 } },
    { path: '/api/notifications/2/undo', body: null },
  ])
})

test('a finger decides by where it lets go: right does it, up snoozes, a short way does nothing', async () => {
  show()
  await raiseButton()
  const swipe = async (name: string, x: number, y: number) => {
    const card = (await screen.findByRole('region', { name })).querySelector('.deck-content') ?? expect.unreachable()
    const at = (clientX: number, clientY: number) => ({
      clientX,
      clientY,
      pointerType: 'touch',
      isPrimary: true,
      pointerId: 1,
    })
    fireEvent.pointerDown(card, at(100, 300))
    fireEvent.pointerMove(card, at(100 + x, 300 + y))
    fireEvent.pointerUp(card, at(100 + x, 300 + y))
  }
  await swipe('Decision 1 of 3', 60, 10)
  await swipe('Decision 1 of 3', 0, 200)
  await swipe('Decision 1 of 3', 140, 10)
  await swipe('Decision 2 of 3', 20, -160)
  await deck('Decision 3 of 3')
  expect(decisions().map(({ path }) => path)).toEqual(['/api/notifications/1/act', '/api/notifications/2/snooze'])
})

test.each([
  [{ x: 95, y: 0 }, null],
  [{ x: 97, y: -20 }, 'right'],
  [{ x: -120, y: -100 }, 'left'],
  [{ x: 80, y: -130 }, 'up'],
])('a drag by %j goes %s', (offset, direction) => {
  expect(directionOf(offset)).toBe(direction)
})

test('a card that the server will not decide returns, with the reason', async () => {
  show()
  const button = await raiseButton()
  refusal = { status: 409, message: 'This is over: there is nothing left to do.' }
  fireEvent.click(button)
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([
      { title: 'Nothing was changed', message: 'This is over: there is nothing left to do.' },
    ]),
  )
  await deck('Decision 1 of 3')
})

test('a viewer snoozes and dismisses, and is offered no action', async () => {
  role = 'VIEWER'
  show()
  const card = await deck('Decision 1 of 3')
  await waitFor(() => expect(card.getAllByRole('button').map(one => one.textContent)).toEqual(['Snooze', 'Dismiss']))
})

test('offline the last cards stay, with their age and without what cannot be done', async () => {
  show()
  const button = await raiseButton()
  act(() => onlineManager.setOnline(false))
  expect(button.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText('You are offline. It can be done once you are online.')).toBeTruthy()
  expect(screen.getByText(/^Saved/)).toBeTruthy()
})

test('offline a pause, a snooze and a dismissal wait in the outbox, and are undone there', async () => {
  show()
  await raiseButton()
  act(() => onlineManager.setOnline(false))
  fireEvent.click(screen.getByRole('button', { name: 'Pause campaign' }))
  await deck('Decision 2 of 3')
  expect(decisions()).toEqual([])
  expect(pendingEdits()).toMatchObject([
    { row: 1, words: 'Pause campaign', shop: '', set: { decision: { verb: 'act', action: 'PAUSE_CAMPAIGN' } } },
  ])
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Waits for the network' }]))
  // It is sent as it was decided, once more if its answer was lost.
  const [edit] = pendingEdits()
  if (!edit) expect.unreachable()
  await notificationKind.send(edit, null)
  expect(decisions()).toEqual([{ path: '/api/notifications/1/act', body: { action: 'PAUSE_CAMPAIGN' } }])
  act(() => currentToasts()[0]?.action?.onSelect())
  await deck('Decision 1 of 3')
  expect(pendingEdits()).toEqual([])
})

test('nothing open says what was looked for, and when', async () => {
  rows = [notification(1, { status: 'SETTLED' })]
  show()
  expect(await screen.findByRole('region', { name: 'Nothing needs a decision' })).toBeTruthy()
  expect(screen.getByText(/^Checked/)).toBeTruthy()
  const list = await deck('All notifications')
  expect(list.getByText('Over without a decision')).toBeTruthy()
})

test('the list has all of them, with what became of each, and undoes there too', async () => {
  rows = [
    notification(1, { readAt: null }),
    notification(2, { status: 'DONE', decision: 'Paused by Mara', canUndo: true }),
    notification(3, { kind: 'REPORT_READY', status: 'NEWS', title: 'Your report is ready', actions: [] }),
  ]
  show()
  const list = await deck('All notifications')
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(3))
  expect(list.getByText('Paused by Mara')).toBeTruthy()
  fireEvent.click(list.getByRole('button', { name: /^Undo the decision about Mugs 2/ }))
  await waitFor(() => expect(decisions().map(({ path }) => path)).toEqual(['/api/notifications/2/undo']))
  // What is in sight as a card counts as read.
  await waitFor(() => expect(sent.map(({ path }) => path)).toContain('/api/notifications/1/read'))
})

test('marks all as read', async () => {
  rows = [notification(1), notification(2, { readAt: null })]
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull())
})

test('the address names the card to begin with; one that is over is shown as that', async () => {
  show('/notifications?id=3')
  const card = await deck('Decision 1 of 3')
  expect(card.getByRole('heading').textContent).toBe('Mugs 3 is out of budget')
  cleanup()
  rows = [notification(1), notification(9, { status: 'DISMISSED', decision: 'I expected this', canUndo: true })]
  show('/notifications?id=9')
  const shown = await deck('Notification')
  expect(shown.getByText('I expected this')).toBeTruthy()
  fireEvent.click(shown.getByRole('button', { name: 'Back to what needs a decision' }))
  await deck('Decision 1 of 1')
})
