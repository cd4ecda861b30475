import { onlineManager } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pendingEdits } from '#client/outbox/outbox.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { deck, decisions, notification, raiseButton, scene, show } from '../../../../../tests/support/deck-scene.tsx'
import { notificationKind } from '../decision-edit.ts'
import { directionOf } from './use-swipe.ts'

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
  expect(scene.sent.at(-1)?.path ?? '').toMatch(/1\/undo|read/)
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

test('a proposal is approved as it is, or with another number; its keys are for typing', async () => {
  const proposed = { unit: 'MONEY', before: 20, after: 30, currency: 'USD' } as const
  const asks = { kind: 'OPTIMIZER_PROPOSAL', actions: ['APPROVE_PROPOSAL', 'REJECT_PROPOSAL'], proposed } as const
  scene.rows = [1, 2].map(id => notification(id, { ...asks, actions: [...asks.actions] }))
  show()
  fireEvent.click(await (await deck('Decision 1 of 2')).findByRole('button', { name: 'Approve $30.00' }))
  const second = await deck('Decision 2 of 2')
  const field = second.getByLabelText('Your number')
  fireEvent.change(field, { target: { value: '' } })
  expect(second.getByRole('button', { name: 'Approve' }).hasAttribute('disabled')).toBe(true)
  fireEvent.change(field, { target: { value: '26' } })
  for (const key of ['s', 'd', 'ArrowLeft']) fireEvent.keyDown(field, { key })
  fireEvent.keyDown(field, { key: 'Enter' })
  await screen.findByRole('region', { name: 'All decided' })
  expect(decisions()).toEqual([
    { path: '/api/notifications/1/act', body: { action: 'APPROVE_PROPOSAL' } },
    { path: '/api/notifications/2/act', body: { action: 'APPROVE_PROPOSAL', after: 26 } },
  ])
})

test('keys decide while the card has the focus, and U undoes the last decision', async () => {
  show()
  await raiseButton()
  const press = async (key: string, name: string) =>
    fireEvent.keyDown(await screen.findByRole('region', { name }), { key })
  await press('ArrowRight', 'Decision 1 of 3')
  await press('s', 'Decision 2 of 3')
  // The server has not answered the snooze yet, and a key that is pressed twice undoes it once.
  await press('u', 'Decision 3 of 3')
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
  scene.refusal = { status: 409, message: 'This is over: there is nothing left to do.' }
  fireEvent.click(button)
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([
      { title: 'Nothing was changed', message: 'This is over: there is nothing left to do.' },
    ]),
  )
  await deck('Decision 1 of 3')
})

test('a viewer snoozes and dismisses, and is offered no action', async () => {
  scene.role = 'VIEWER'
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
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Queued until you are online' }]))
  // It is sent as it was decided, once more if its answer was lost.
  const [edit] = pendingEdits()
  if (!edit) expect.unreachable()
  await notificationKind.send(edit, null)
  expect(decisions()).toEqual([{ path: '/api/notifications/1/act', body: { action: 'PAUSE_CAMPAIGN' } }])
  act(() => currentToasts()[0]?.action?.onSelect())
  await deck('Decision 1 of 3')
  expect(pendingEdits()).toEqual([])
})
