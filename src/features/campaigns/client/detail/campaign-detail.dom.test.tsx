import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { CampaignRow } from '../../contract.ts'
import { listOf, open, scene, tide, viewport } from '../../../../../tests/support/campaigns-scene.tsx'

const before = (first: Element, second: Element): boolean =>
  Boolean(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING)

it('shows the figures and the chart before what is in the campaign, and its settings in one line that leads to their form', async () => {
  open('/campaigns?campaign=11')
  const figures = await screen.findByRole('region', { name: 'Figures' })
  expect(within(figures).getByText('$200.00')).toBeTruthy()
  const parts = screen.getByRole('group', { name: 'What is in the campaign' })
  expect(before(figures, parts)).toBe(true)
  const line = screen.getByRole('link', { name: 'Settings: Enabled $25.00 a day · Manual · Dynamic bids: down only' })
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

it('offers nothing to change to a viewer', async () => {
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
  const requested = () => scene.asked.find(url => url.pathname === '/api/negatives/cm')
  await waitFor(() => expect(requested()?.searchParams.get('campaignId')).toBe('11'))
})

const noHours = Array.from({ length: 24 }, (_, hour) => ({ hour, cost: null, outMinutes: 0 }))
const unknownDay = { budget: null, spent: null, hours: noHours, lostMinutes: null, outSince: null, isPartial: false }

function answerUse(since: string | null, asOf: string | null, days: object[]) {
  const use = { currency: 'USD', timezone: 'America/Los_Angeles', since, asOf, days }
  scene.answers['/api/campaigns/11/budget-use'] = use
}

it('shows the use of the budget by the hour and the time lost, and what is not known as such', async () => {
  const spent = noHours.map(one => (one.hour === 9 ? { ...one, cost: 20 } : { ...one, cost: 0 }))
  const day = { ...unknownDay, budget: 25, spent: 20, hours: spent }
  answerUse('2026-03-18T10:00:00.000Z', '2026-03-20T22:00:00.000Z', [
    { ...unknownDay, date: '2026-03-17' },
    { ...day, date: '2026-03-18', lostMinutes: 90, isPartial: true },
    { ...day, date: '2026-03-19', lostMinutes: 0 },
    { ...day, date: '2026-03-20', spent: 25, lostMinutes: 510, outSince: '2026-03-20T22:30:00.000Z' },
  ])
  open('/campaigns?campaign=11')
  const card = within(await screen.findByRole('region', { name: 'Budget use' }))
  const table = within(await card.findByRole('table', { name: 'Use of the budget, day by day' }))
  const row = (day: string) =>
    [...table.getByRole('row', { name: new RegExp(day) }).children].map(cell => cell.textContent)
  expect(row('Mar 17')).toEqual(['Mar 17', 'not known', 'not known', 'Not known', 'none'])
  expect(row('Mar 18')[3]).toBe('At least 1 h 30 min lost')
  expect(row('Mar 19')[3]).toBe('In budget all day')
  expect(row('Mar 20')[3]).toMatch(/^8 h 30 min lost, since 3:30.PM$/)
  expect(card.getByText(/Out of budget since/)).toBeTruthy()
  expect(card.getByRole('progressbar', { name: 'Budget used today' })).toBeTruthy()
})

it('says that the hours are not known where the marketplace sends none', async () => {
  answerUse(null, null, [])
  open('/campaigns?campaign=11')
  expect(await screen.findByText(/the marketplace has not sent any hours/)).toBeTruthy()
})

it('changes the lifetime budget of a campaign that has one', async () => {
  scene.rows = [{ ...tide, adType: 'SPONSORED_BRANDS', budget: null, lifetimeBudget: 500 }]
  open('/campaigns?campaign=11')
  expect(await screen.findByRole('link', { name: /^Settings: \w+ \$500\.00 for the whole run/ })).toBeTruthy()
  fireEvent.click(screen.getByText('Budget'))
  fireEvent.change(await screen.findByLabelText('Lifetime budget'), { target: { value: '600' } })
  fireEvent.click(screen.getByText('Save budget'))
  await waitFor(() => expect(scene.sent[0]?.body).toEqual({ campaignId: 11, lifetimeBudget: 600 }))
})

// Ionic may leave the sheet of an earlier test in the document, behind the page.
function closeSheetOf(field: HTMLElement) {
  const sheet = field.closest('section') ?? expect.unreachable()
  fireEvent.click(within(sheet).getByRole('button', { name: 'Close', hidden: true }))
}

it('has its sheets and parts in the address: Back closes a sheet, and a link opens the same view', async () => {
  const router = open('/campaigns?campaign=11')
  fireEvent.click(await screen.findByText('Budget'))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ campaign: 11, sheet: 'budget' }))
  expect(await screen.findByLabelText('Daily budget')).toBeTruthy()
  act(() => router.history.back())
  await waitFor(() => expect(router.state.location.search).toEqual({ campaign: 11 }))
  await waitFor(() => expect(screen.queryByLabelText('Daily budget')).toBeNull())
  // Closed by hand, it leaves no step behind: Back leads to the page before.
  fireEvent.click(screen.getByText('Budget'))
  await screen.findByLabelText('Daily budget')
  closeSheetOf(screen.getByLabelText('Daily budget'))
  await waitFor(() => expect(router.state.location.search).toEqual({ campaign: 11 }))
  act(() => router.history.back())
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
})

it('opens the sheet and the search terms that a link names', async () => {
  scene.answers['/api/search-terms/cm'] = listOf([])
  const router = open('/campaigns?campaign=11&part=terms&terms=WASTE&sheet=budget')
  expect(await screen.findAllByLabelText('Daily budget')).not.toEqual([])
  await waitFor(() => {
    // A sheet that is still opening, on a busy machine, takes no close.
    const field = screen.queryAllByLabelText('Daily budget').at(-1)
    if (field) closeSheetOf(field)
    expect(router.state.location.search).toEqual({ campaign: 11, part: 'terms', terms: 'WASTE' })
  })
  const requests = scene.asked.filter(url => url.pathname === '/api/search-terms/cm')
  expect(requests.map(url => url.searchParams.get('orders'))).toEqual(['WITHOUT'])
  fireEvent.click(screen.getByLabelText('Selling'))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ terms: 'SELLING' }))
})
