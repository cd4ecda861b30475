import { onlineManager } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { canReloadNow } from '../pwa/can-reload-now.ts'
import { currentToasts, dismissToast } from '../ui/shell/toast-store.ts'
import type { OutboxRoute } from './flush-outbox.ts'
import { OutboxCard } from './outbox-card.tsx'
import { updateEdit, queueEdit, pendingEdits } from './outbox.ts'
import { signInAs, testEdit } from '../../../tests/support/test-edit.ts'

let sent: number[]
let refusal: ApiError | undefined
const senders: OutboxRoute['senders'] = {
  campaign: () =>
    Promise.resolve(({ row }) => {
      sent.push(row)
      return refusal ? Promise.reject(refusal) : Promise.resolve({})
    }),
}
function open() {
  const card = () => <OutboxCard senders={senders} shop={() => '1/1'} onSent={() => undefined} />
  const router = createRouter({
    routeTree: createRootRoute({ component: card }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(<RouterProvider router={router as never} />)
  return router
}
const queue = (row: number, name: string, queuedAt = Date.now()) => queueEdit(testEdit({ row, name }), queuedAt)

beforeEach(() => {
  localStorage.clear()
  signInAs('7')
  sent = []
  refusal = undefined
  onlineManager.setOnline(false)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  for (const { id } of currentToasts()) dismissToast(id)
  onlineManager.setOnline(true)
})

it('shows what waits, forbids a reload meanwhile, and takes one back', async () => {
  queue(1, 'Tide mugs')
  queue(2, 'Ebb lamps')
  open()
  expect(await screen.findByText('2 changes wait for the network')).toBeTruthy()
  expect(canReloadNow()).toBe(false)
  fireEvent.click(screen.getByText('Show'))
  fireEvent.click(screen.getByRole('button', { name: 'Undo Pause of Tide mugs' }))
  expect(await screen.findByText('1 change waits for the network')).toBeTruthy()
  act(() => onlineManager.setOnline(true))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  expect(sent).toEqual([2])
  expect(canReloadNow()).toBe(true)
})
it('says what could not be made until it was seen, with the way to it', async () => {
  queue(1, 'Tide mugs')
  refusal = new ApiError(
    409,
    { errorCode: 'VERSION_CONFLICT', message: '', details: [], requestId: '' },
    { current: { version: 5, state: 'ARCHIVED' } },
  )
  const router = open()
  await screen.findByText('1 change waits for the network')
  act(() => onlineManager.setOnline(true))
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([
      { title: 'Tide mugs was changed in the meantime', durationMs: Number.POSITIVE_INFINITY },
    ]),
  )
  expect(pendingEdits()).toEqual([])
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(() => expect(router.state.location.pathname).toBe('/campaigns'))
})
it('asks before it sends what is older than twelve hours', async () => {
  queue(1, 'Tide mugs', Date.now() - 13 * 3_600_000)
  onlineManager.setOnline(true)
  open()
  expect(await screen.findByText('1 change older than 12 hours: not sent unless you confirm.')).toBeTruthy()
  expect(sent).toEqual([])
  fireEvent.click(screen.getByText('Send it now'))
  await waitFor(() => expect(sent).toEqual([1]))
})
it('sees its changes grow old while it stays open', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  queue(1, 'Tide mugs')
  open()
  await screen.findByText('1 change waits for the network')
  expect(screen.queryByText(/older than 12 hours/)).toBeNull()
  act(() => {
    vi.setSystemTime(Date.now() + 13 * 3_600_000)
    vi.advanceTimersByTime(30_000)
  })
  expect(screen.getByText('1 change older than 12 hours: not sent unless you confirm.')).toBeTruthy()
})
it('shows what was set aside with its reason and the choice, and lets the app be renewed meanwhile', async () => {
  for (const row of [1, 2]) queue(row, `Row ${row}`)
  for (const { id } of pendingEdits()) updateEdit(id, { failures: 6, aside: 'The server is in trouble.' })
  onlineManager.setOnline(true)
  open()
  expect(await screen.findByText('2 changes could not be sent')).toBeTruthy()
  expect(screen.getAllByText('The server is in trouble.')).toHaveLength(2)
  expect(screen.queryByText(/for the network/)).toBeNull()
  expect(canReloadNow()).toBe(true)
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Discard Pause of Row 1' }))
  expect(await screen.findByText('1 change could not be sent')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Try again: Pause of Row 2' }))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  expect(sent).toEqual([2])
})
it('shows nothing of another user', async () => {
  queue(1, 'Tide mugs')
  queue(2, 'Ebb lamps')
  open()
  await screen.findByText('2 changes wait for the network')
  act(() => signInAs('8'))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  act(() => signInAs('7'))
  expect(await screen.findByText('2 changes wait for the network')).toBeTruthy()
})
