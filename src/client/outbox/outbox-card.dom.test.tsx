import { setupIonicReact } from '@ionic/react'
import { onlineManager } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { canReloadNow } from '../pwa/can-reload-now.ts'
import { currentToasts, dismissToast } from '../ui/shell/toast-store.ts'
import type { EditKind, OutboxRoute } from './flush-outbox.ts'
import { OutboxCard } from './outbox-card.tsx'
import { updateEdit, queueEdit, pendingEdits } from './outbox.ts'
import { signInAs, testEdit } from '../../../tests/support/test-edit.ts'

setupIonicReact()
// The code of the sheet loads when it is opened.
configure({ asyncUtilTimeout: 8000 })

let sent: number[]
let sets: object[]
let refusal: ApiError | undefined
const campaign: EditKind = {
  send: ({ row, set }, version) => {
    sent.push(row)
    sets.push({ ...set, version })
    return refusal ? Promise.reject(refusal) : Promise.resolve()
  },
  fields: ({ set }) =>
    Object.entries(set).map(([name, value]) => ({
      name,
      label: name === 'budget' ? 'Daily budget' : 'State',
      value,
      format: String,
      ...(name === 'budget' && {
        input: 'money' as const,
        problemOf: (amount: number | null) => (amount === null || amount < 1 ? 'At least 1' : null),
      }),
    })),
  revise: ({ set }, values) => ({ set: { ...set, ...values }, words: 'Changed' }),
}
const kinds: OutboxRoute['kinds'] = { campaign: () => Promise.resolve(campaign) }
function open() {
  const card = () => <OutboxCard kinds={kinds} shop={() => '1/1'} onSettled={() => undefined} />
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
  sets = []
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
  expect(await screen.findByText('2 changes queued until you are online')).toBeTruthy()
  expect(canReloadNow()).toBe(false)
  fireEvent.click(screen.getByText('Show'))
  fireEvent.click(screen.getByRole('button', { name: 'Undo Pause of Tide mugs' }))
  expect(await screen.findByText('1 change queued until you are online')).toBeTruthy()
  act(() => onlineManager.setOnline(true))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  expect(sent).toEqual([2])
  expect(canReloadNow()).toBe(true)
})
/** Someone else changed the row: what it holds by now. */
const changedTo = (current: object) =>
  new ApiError(409, { errorCode: 'VERSION_CONFLICT', message: '', details: [], requestId: '' }, { current })

it('a change that met another of the same field waits for a choice of the three values', async () => {
  queueEdit(testEdit({ set: { budget: 30, state: 'PAUSED' }, was: { budget: 25, state: 'ENABLED' } }))
  refusal = changedTo({ version: 5, budget: 50, state: 'ENABLED' })
  onlineManager.setOnline(true)
  open()
  expect(await screen.findByText('1 change needs your choice')).toBeTruthy()
  expect(canReloadNow()).toBe(true)
  expect(sets).toHaveLength(1)
  refusal = undefined
  fireEvent.click(await screen.findByRole('button', { name: 'Choose Pause of Tide mugs' }))
  expect(await screen.findByText('Daily budget, before: 25')).toBeTruthy()
  // The other field was changed by nobody else: there is nothing to choose.
  expect(screen.queryByText(/State, before/)).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^30/, hidden: true }).checked).toBe(true)
  fireEvent.click(screen.getByRole('radio', { name: /^50/, hidden: true }))
  fireEvent.click(screen.getByText('Use this'))
  await waitFor(() => expect(sets.at(-1)).toEqual({ state: 'PAUSED', version: 5 }))
  await waitFor(() => expect(pendingEdits()).toEqual([]))
})
it('a choice of one’s own value is sent on top of the other', async () => {
  queueEdit(testEdit({ set: { budget: 30 }, was: { budget: 25 } }))
  refusal = changedTo({ version: 5, budget: 50 })
  onlineManager.setOnline(true)
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Choose Pause of Tide mugs' }))
  refusal = undefined
  fireEvent.click(await screen.findByText('Use this'))
  await waitFor(() => expect(sets.at(-1)).toEqual({ budget: 30, version: 5 }))
})
it('what the server rejected stays with its reason, and is sent with another value', async () => {
  queueEdit(testEdit({ set: { budget: 3000 }, was: { budget: 25 } }))
  refusal = new ApiError(400, { errorCode: 'VALIDATION_FAILED', message: 'Too high.', details: [], requestId: '' })
  onlineManager.setOnline(true)
  open()
  expect(await screen.findByText('1 change could not be sent')).toBeTruthy()
  expect(screen.getByText('Too high.')).toBeTruthy()
  refusal = undefined
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Pause of Tide mugs' }))
  const input = await screen.findByLabelText<HTMLInputElement>('Daily budget')
  expect(screen.getByText('Before: 25')).toBeTruthy()
  fireEvent.change(input, { target: { value: '0.5' } })
  expect(screen.getByText('At least 1')).toBeTruthy()
  expect(screen.getByText<HTMLButtonElement>('Save').disabled).toBe(true)
  fireEvent.change(input, { target: { value: '30' } })
  fireEvent.click(screen.getByText('Save'))
  await waitFor(() => expect(sets.at(-1)).toEqual({ budget: 30, version: 3 }))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
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
  await screen.findByText('1 change queued until you are online')
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
  expect(screen.queryByText(/queued/)).toBeNull()
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
  await screen.findByText('2 changes queued until you are online')
  act(() => signInAs('8'))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  act(() => signInAs('7'))
  expect(await screen.findByText('2 changes queued until you are online')).toBeTruthy()
})
