import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { deck, decisions, notification, scene, show } from '../../../../tests/support/deck-scene.tsx'

test('nothing open says what was looked for, and when', async () => {
  scene.rows = [notification(1, { status: 'SETTLED' })]
  show()
  expect(await screen.findByRole('region', { name: 'Nothing needs a decision' })).toBeTruthy()
  expect(screen.getByText(/^Checked/)).toBeTruthy()
  const list = await deck('All notifications')
  expect(list.getByText('Over without a decision')).toBeTruthy()
})

test('the list has all of them, with what became of each, and undoes there too', async () => {
  scene.rows = [
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
  await waitFor(() => expect(scene.sent.map(({ path }) => path)).toContain('/api/notifications/1/read'))
})

test('marks all as read', async () => {
  scene.rows = [notification(1), notification(2, { readAt: null })]
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull())
})

test('the address names the card to begin with; one that is over is shown as that', async () => {
  show('/notifications?id=3')
  const card = await deck('Decision 1 of 3')
  expect(card.getByRole('heading').textContent).toBe('Mugs 3 is out of budget')
  cleanup()
  // The next one follows it by itself, and an undo shows it again.
  const router = show('/notifications?id=2')
  fireEvent.click(await screen.findByRole('button', { name: 'Pause campaign' }))
  await waitFor(async () => expect((await deck('Decision 2 of 3')).getByRole('heading').textContent).toMatch('Mugs 1'))
  expect(router.state.location.href).toBe('/notifications')
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'act done' }]))
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(async () => expect((await deck('Decision 1 of 3')).getByRole('heading').textContent).toMatch('Mugs 2'))
  cleanup()
  scene.rows = [notification(1), notification(9, { status: 'DISMISSED', decision: 'I expected this', canUndo: true })]
  show('/notifications?id=9')
  const shown = await deck('Notification')
  expect(shown.getByText('I expected this')).toBeTruthy()
  fireEvent.click(shown.getByRole('button', { name: 'Back to what needs a decision' }))
  await deck('Decision 1 of 1')
})

test('one that the list does not show is fetched by its address, and an unknown one is said to be so', async () => {
  const old = notification(70, { status: 'SETTLED', title: 'Mugs of September were out of budget' })
  scene.rows = [
    notification(1),
    ...Array.from({ length: 40 }, (_, i) => notification(i + 2, { status: 'SETTLED' })),
    old,
  ]
  show('/notifications?id=70')
  const shown = await deck('Notification')
  expect(shown.getByRole('heading', { name: 'Mugs of September were out of budget' })).toBeTruthy()
  cleanup()
  show('/notifications?id=999')
  const nowhere = await deck('This notification is not here')
  expect(scene.sent.map(({ path }) => path)).not.toContain('/api/notifications/999/read')
  fireEvent.click(nowhere.getByRole('button', { name: 'Back to what needs a decision' }))
  await deck('Decision 1 of 1')
})

test('a campaign of another shop is opened in that shop, and the switch is said before and after', async () => {
  const lamps = { id: 2, name: 'Lampenhaus', marketplaceId: 4 }
  scene.rows = [notification(1, { merchant: lamps })]
  const router = show()
  const card = await deck('Decision 1 of 1')
  expect(await card.findByText('Switches to Lampenhaus · MX.')).toBeTruthy()
  fireEvent.click(card.getByRole('button', { name: 'Open campaign' }))
  await waitFor(() => expect(router.state.location.href).toBe('/campaigns?campaign=1'))
  expect(scene.shop).toEqual({ merchantId: 2, marketplaceId: 4 })
  expect(currentToasts()).toMatchObject([{ title: 'You now work in Lampenhaus · MX' }])
})
