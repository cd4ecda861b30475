import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { CampaignRow } from '../../contract.ts'
import { open, scene, tide, viewport } from '../../../../../tests/support/campaigns-scene.tsx'

const before = (first: Element, second: Element): boolean =>
  Boolean(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING)

it('shows the figures and the chart before what is in the campaign, and its settings in one line that leads to their form', async () => {
  open('/campaigns?campaign=11')
  const figures = await screen.findByRole('region', { name: 'Figures' })
  expect(within(figures).getByText('$200.00')).toBeTruthy()
  const parts = screen.getByRole('group', { name: 'What is in the campaign' })
  expect(before(figures, parts)).toBe(true)
  const line = screen.getByRole('link', { name: 'Settings: $25.00 a day · Manual · Dynamic bids: down only' })
  expect(line.getAttribute('href')).toBe('/campaign-edit/300011')
  expect(before(line, figures)).toBe(true)
})

it('has its actions in the bar at the bottom of a phone, and in its head beside a list', async () => {
  open('/campaigns?campaign=11')
  const pause = await screen.findByRole('button', { name: 'Pause campaign' })
  expect(pause.closest('footer')).toBeTruthy()
  fireEvent.click(pause)
  await waitFor(() => expect(scene.sent).toEqual([{ body: { campaignId: 11, state: 'PAUSED' }, ifMatch: '"3"' }]))
})

it('has no bar on a tablet', async () => {
  viewport(true)
  open('/campaigns?campaign=11')
  const pause = await screen.findByRole('button', { name: 'Pause campaign' })
  expect(pause.closest('footer')).toBeNull()
})

it('changes the budget from the bar, and says what the marketplace takes', async () => {
  open('/campaigns?campaign=11')
  fireEvent.click(await screen.findByText('Budget'))
  const budget = await screen.findByLabelText('Daily budget')
  fireEvent.change(budget, { target: { value: '0.5' } })
  fireEvent.click(screen.getByText('Save budget'))
  expect(await screen.findByText('The daily budget must be between 1 and 1000000 USD')).toBeTruthy()
  fireEvent.change(budget, { target: { value: '40' } })
  fireEvent.click(screen.getByText('Save budget'))
  await waitFor(() => expect(scene.sent).toEqual([{ body: { campaignId: 11, budget: 40 }, ifMatch: '"3"' }]))
})

it('offers nothing to change to a viewer, nor of an archived campaign', async () => {
  scene.role = 'VIEWER'
  const router = open('/campaigns?campaign=11')
  await screen.findByRole('region', { name: 'Figures' })
  await waitFor(() => expect(scene.asked.some(url => url.pathname === '/api/profile/merchant/1')).toBe(true))
  for (const name of ['Pause campaign', 'Budget']) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('link', { name: /Settings/ })).toBeNull()
  expect(router.state.location.search).toEqual({ campaign: 11 })
})

it('offers nothing to change of an archived campaign', async () => {
  scene.rows = [{ ...tide, state: 'ARCHIVED' } as CampaignRow]
  open('/campaigns?campaign=11')
  await screen.findByRole('region', { name: 'Figures' })
  expect(screen.queryByText('Budget')).toBeNull()
  expect(screen.queryByLabelText('Actions for Tide mugs')).toBeNull()
})

it('shows the search terms and negatives of the campaign one at a time, with the choice in the address', async () => {
  const router = open('/campaigns?campaign=11')
  fireEvent.click(await screen.findByRole('radio', { name: 'Negatives' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ campaign: 11, part: 'negatives' }))
  const request = await waitFor(() => {
    const url = scene.asked.find(one => one.pathname === '/api/negatives/cm')
    if (!url) throw new Error('not asked yet')
    return url
  })
  expect(request.searchParams.get('campaignId')).toBe('11')
})
