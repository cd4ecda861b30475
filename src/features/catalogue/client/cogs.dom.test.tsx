import { onlineManager } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { flushOutbox } from '#client/outbox/flush-outbox.ts'
import { pendingEdits } from '#client/outbox/outbox.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { edit, open, refusal, rowOf, save, scene } from './inventory-test-scene.tsx'
import { cogsKind } from './mutations.ts'

it('shows a new cost at once, saves it, refetches the inventory and offers to undo it', async () => {
  open()
  let arrive: () => void = () => undefined
  scene.putAnswer = url => new Promise(resolve => (arrive = () => resolve(save(url))))
  await edit('4.50')
  expect(await screen.findByText('$4.50')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Edit COGS of Blue mug'))
  expect(currentToasts()).toEqual([])
  const before = scene.asked.length
  arrive()
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('COGS saved'))
  await waitFor(() => expect(scene.asked.length).toBe(before + 1))
  expect(scene.put[0]?.pathname + (scene.put[0]?.search ?? '')).toBe('/api/inventory/7/cogs?cogs=4.5')
  scene.putAnswer = undefined
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(scene.put.at(-1)?.search).toBe('?cogs=4'))
  expect(await screen.findByText('$4.00')).toBeTruthy()
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('COGS restored'))
  expect(currentToasts().at(-1)?.action).toBeUndefined()
})
it('asks nothing of the server for a cost that did not change or is not valid', async () => {
  open()
  await edit('4')
  await edit('4.505')
  expect(screen.getByText('USD has no such small amounts')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('COGS', { selector: 'input' })))
  fireEvent.keyDown(screen.getByLabelText('COGS', { selector: 'input' }), { key: 'Escape' })
  expect(screen.getByText('$4.00')).toBeTruthy()
  expect(scene.put).toEqual([])
})
it('brings back the cost that was, when the server refuses the new one, and keeps what was typed for another try', async () => {
  open()
  scene.putAnswer = () => refusal(403, 'FORBIDDEN', 'Only an owner may do that.')
  await edit('9')
  expect(await screen.findByText('$9.00 was not saved.')).toBeTruthy()
  expect(screen.getByText('$4.00')).toBeTruthy()
  expect(currentToasts()[0]).toMatchObject({
    title: 'Failed to update product COGS',
    message: 'Only an owner may do that.',
  })
  scene.putAnswer = undefined
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText('$9.00')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('$9.00 was not saved.')).toBeNull())
})
it('keeps a change made without network until it can be sent', async () => {
  open()
  await rowOf('Blue mug')
  onlineManager.setOnline(false)
  await edit('6')
  expect(await screen.findByText(/Queued until you are online/)).toBeTruthy()
  expect(screen.getByText('$6.00')).toBeTruthy()
  expect(scene.put).toEqual([])
  onlineManager.setOnline(true)
  const [waiting] = pendingEdits()
  expect(waiting).toMatchObject({ name: 'Blue mug', words: 'COGS $6.00', was: { cogs: 4 } })
  await act(() =>
    flushOutbox({
      kinds: { cogs: () => Promise.resolve(cogsKind) },
      shop: () => waiting?.shop,
      onSent: () => undefined,
      onRefused: () => undefined,
    }),
  )
  expect(scene.put[0]?.search).toBe('?cogs=6')
  expect(screen.queryByText(/Queued until you are online/)).toBeNull()
})
it('undoes a pending change while offline', async () => {
  open()
  await rowOf('Blue mug')
  onlineManager.setOnline(false)
  await edit('6')
  fireEvent.click(await screen.findByText('Undo'))
  expect(await screen.findByText('$4.00')).toBeTruthy()
  onlineManager.setOnline(true)
  await waitFor(() => expect(scene.asked.length).toBeGreaterThan(0))
  expect(scene.put).toEqual([])
})
