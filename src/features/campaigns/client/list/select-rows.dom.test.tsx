import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { open, scene, viewport } from '../../../../../tests/support/campaigns-scene.tsx'

const checkbox = (name: string) => screen.findByLabelText<HTMLInputElement>(`Select ${name}`)

it('selects rows of the table by checkbox, Space and Shift, and says how many', async () => {
  viewport(true)
  open()
  fireEvent.click(await checkbox('Tide mugs'))
  expect(await screen.findByText('1 selected')).toBeTruthy()
  fireEvent.click(await checkbox('Ebb lamps'), { shiftKey: true })
  expect(screen.getByText('2 selected')).toBeTruthy()
  const link = screen.getByText('Ebb lamps')
  fireEvent.keyDown(link, { key: ' ' })
  expect(screen.getByText('1 selected')).toBeTruthy()
  fireEvent.click(screen.getByLabelText('Select all rows'))
  expect(screen.getByText('2 selected')).toBeTruthy()
  fireEvent.click(screen.getByText('Done'))
  expect(screen.queryByText('2 selected')).toBeNull()
})

it('walks the rows of the table by arrow keys, Home and End, in one stop of Tab', async () => {
  viewport(true)
  open()
  const first = await screen.findByText('Tide mugs')
  act(() => first.focus())
  fireEvent.keyDown(first, { key: 'ArrowDown' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Ebb lamps'))
  expect(first.tabIndex).toBe(-1)
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Home' })
  await waitFor(() => expect(document.activeElement).toBe(first))
  fireEvent.keyDown(first, { key: 'ArrowDown', shiftKey: true })
  expect(await screen.findByText('1 selected')).toBeTruthy()
})

it('chooses rows on a phone, and all that match although only some are loaded', async () => {
  scene.matching = 1240
  open()
  fireEvent.click(await screen.findByLabelText('Select campaigns'))
  fireEvent.click(await checkbox('Tide mugs'))
  fireEvent.click(screen.getByRole('button', { name: 'Select all 1,240 that match' }))
  expect(screen.getByText('All 1,240 campaigns selected')).toBeTruthy()
  expect((await checkbox('Ebb lamps')).checked).toBe(true)
  fireEvent.click(screen.getByText('Done'))
  expect(screen.queryByLabelText('Select Tide mugs')).toBeNull()
})

it('starts a selection when a card is held down, and not by a tap or a scroll', async () => {
  open()
  const card = (await screen.findByText('Tide mugs')).closest('.selectable') as HTMLElement
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const down = () => fireEvent.pointerDown(card, { pointerType: 'touch', clientX: 10, clientY: 10 })
  down()
  fireEvent.pointerMove(card, { clientX: 10, clientY: 60 })
  act(() => void vi.advanceTimersByTime(600))
  expect(screen.queryByLabelText('Select Tide mugs')).toBeNull()
  down()
  act(() => void vi.advanceTimersByTime(600))
  fireEvent.click(card)
  expect((await checkbox('Tide mugs')).checked).toBe(true)
  vi.useRealTimers()
})

it('forgets the selection when the list is narrowed in another way, not when it is ordered', async () => {
  viewport(true)
  open()
  fireEvent.click(await checkbox('Tide mugs'))
  fireEvent.click(within(await screen.findByRole('columnheader', { name: 'ACOS' })).getByRole('button'))
  expect(await screen.findByText('1 selected')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('State'), { target: { value: 'ENABLED' } })
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
})

it('offers viewers no selection', async () => {
  scene.role = 'VIEWER'
  open()
  await screen.findByText('Tide mugs')
  await waitFor(() => expect(scene.asked.some(url => url.pathname === '/api/profile/merchant/1')).toBe(true))
  expect(screen.queryByLabelText('Select campaigns')).toBeNull()
})
