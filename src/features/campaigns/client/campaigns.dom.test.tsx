import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import {
  clientOfShop,
  listAsked,
  open,
  refusal,
  scene,
  signedIn,
  tide,
  viewport,
} from '../../../../tests/support/campaigns-scene.tsx'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { chooseFigures } from './figures/row-figures.tsx'
import { askFirstRows } from './list/use-list-page.ts'

it('shows each campaign with its state, budget and the three chosen figures, and the sums of all', async () => {
  open()
  const row = within((await screen.findByText('Tide mugs')).closest('article') as HTMLElement)
  for (const text of ['Enabled', '$25.00', 'Manual', '$40.00', '$200.00', '20%'])
    expect(row.getByText(text)).toBeTruthy()
  const sums = within(screen.getByRole('region', { name: 'All 2 campaigns' }))
  for (const text of ['$55.00', '$200.00', '27.5%']) expect(sums.getByText(text)).toBeTruthy()
  const query = Object.fromEntries(listAsked()[0]?.searchParams ?? [])
  expect(query).toMatchObject({ page: '0', size: '50', sortBy: 'cost', sortDir: 'desc' })
})

it('opens with the rows that were asked for ahead', async () => {
  const client = clientOfShop()
  await askFirstRows(client)
  expect(listAsked()).toHaveLength(1)
  open('/campaigns', client)
  await screen.findByText('Tide mugs')
  expect(listAsked()).toHaveLength(1)
})

it('shows what is not known as a dash with its reason', async () => {
  open()
  const row = within((await screen.findByText('Ebb lamps')).closest('article') as HTMLElement)
  expect(row.getByText('Not known: there were no attributed sales in these days.')).toBeTruthy()
})

it('shows other figures when others are chosen', async () => {
  open()
  await screen.findByText('Tide mugs')
  act(() => chooseFigures(['clicks', 'orders', 'roas']))
  const row = within(screen.getByText('Tide mugs').closest('article') as HTMLElement)
  for (const text of ['50', '4', '5']) expect(row.getByText(text)).toBeTruthy()
})

it('keeps search, state and order in the address and asks for them', async () => {
  const router = open('/campaigns?days=7&sortBy=acos')
  await screen.findByText('Tide mugs')
  fireEvent.click(screen.getByLabelText('Search'))
  fireEvent.change(screen.getByLabelText('Search campaigns'), { target: { value: 'tide' } })
  fireEvent.click(screen.getByLabelText('Filters'))
  fireEvent.change(await screen.findByLabelText('State'), { target: { value: 'PAUSED' } })
  await waitFor(() =>
    expect(Object.fromEntries(listAsked().at(-1)?.searchParams ?? [])).toMatchObject({
      name: 'tide',
      state: 'PAUSED',
      sortBy: 'acos',
    }),
  )
  expect(router.state.location.search).toMatchObject({ days: 7, sortBy: 'acos', name: 'tide', state: 'PAUSED' })
})

it('says what the marketplace refused', async () => {
  scene.rows = [{ ...tide, syncState: 'FAILED', syncError: 'The budget is below the marketplace’s minimum.' }]
  open()
  expect(await screen.findByText(/Not changed: The budget is below/)).toBeTruthy()
})

it('says what to do next where there are none, and otherwise that none matches', async () => {
  scene.rows = []
  open()
  expect(await screen.findByText('No campaigns yet')).toBeTruthy()
  expect(screen.getByText('New campaign').getAttribute('href')).toBe('/create-campaign')
  cleanup()
  open('/campaigns?state=PAUSED')
  expect(await screen.findByText('No campaign matches')).toBeTruthy()
})

it('shows no figure as 0, and no list as empty, before the first import is done', async () => {
  scene.asOf = null
  open()
  expect(await screen.findByText('Tide mugs')).toBeTruthy()
  for (const text of ['$40.00', '$0.00']) expect(screen.queryByText(text)).toBeNull()
  expect(screen.getAllByText('–').length).toBeGreaterThan(2)
  cleanup()
  scene.rows = []
  open()
  expect(await screen.findByText('Your campaigns are on their way')).toBeTruthy()
})

it('says that the list could not be loaded, and tries again', async () => {
  scene.listAnswer = () => refusal(422, 'RULE_VIOLATED', 'Choose a marketplace first.')
  open()
  expect(await screen.findByText('Choose a marketplace first.')).toBeTruthy()
  scene.listAnswer = undefined
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText('Tide mugs')).toBeTruthy()
})

it('says from which day on figures may still change', async () => {
  scene.movingFrom = '2020-01-02'
  open()
  expect(await screen.findByText(/data since .*2.* may change/)).toBeTruthy()
})

it('opens a campaign in place of the list on a phone and beside it where there is room', async () => {
  const router = open()
  fireEvent.click(await screen.findByText('Tide mugs'))
  expect(await screen.findByRole('button', { name: 'Pause campaign' })).toBeTruthy()
  expect(screen.queryByText('Ebb lamps')).toBeNull()
  expect(router.state.location.search).toEqual({ campaign: 11 })
  cleanup()
  viewport(true)
  open('/campaigns?campaign=12')
  expect(await screen.findByRole('button', { name: 'Enable campaign' })).toBeTruthy()
  expect(await screen.findByText('Tide mugs')).toBeTruthy()
})

it('is a table from 768 px, and stays one next to the campaign that is opened', async () => {
  viewport(true)
  const router = open()
  const table = within(await screen.findByRole('table', { name: 'campaigns' }))
  expect(screen.queryByText('No campaign chosen')).toBeNull()
  const row = within((await table.findByText('Tide mugs')).closest('tr') as HTMLElement)
  for (const text of ['Enabled', '$25.00', 'SP · Manual', '$40.00', '$200.00', '20%', '$0.80'])
    expect(row.getByText(text)).toBeTruthy()
  expect(table.getByText('All 2 campaigns')).toBeTruthy()
  fireEvent.click(table.getByText('Tide mugs'))
  expect(await screen.findByRole('button', { name: 'Pause campaign' })).toBeTruthy()
  expect(table.getByText('Tide mugs').closest('tr')?.getAttribute('aria-current')).toBe('true')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Campaign' }))
  fireEvent.click(screen.getByLabelText('Close campaign'))
  await screen.findByRole('table', { name: 'campaigns' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Tide mugs'))
  expect(router.state.location.search).toEqual({})
})

it('narrows by figures, keeps the conditions in the address and drops them one by one', async () => {
  const router = open('/campaigns?serving=STOPPED&adType=nonsense&figures=nonsense')
  await screen.findByText('Tide mugs')
  fireEvent.click(screen.getByLabelText('Filters: 1 active'))
  fireEvent.click(await screen.findByText('10 clicks, no orders'))
  await waitFor(() => expect(listAsked().at(-1)?.searchParams.get('figures')).toBe('clicks>=10,orders<=0'))
  expect(Object.fromEntries(listAsked().at(-1)?.searchParams ?? [])).toMatchObject({ serving: 'STOPPED' })
  for (const name of ['adType', 'figures']) expect(listAsked()[0]?.searchParams.has(name), name).toBe(false)
  fireEvent.click(await screen.findByLabelText('Remove: Clicks at least 10'))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ figures: 'orders<=0' }))
})

it('narrows by the portfolio, chosen by its name', async () => {
  scene.answers['/api/portfolios'] = [{ id: '9001', name: 'Spring', state: 'enabled' }]
  const router = open()
  fireEvent.click(await screen.findByLabelText('Filters'))
  const field = await screen.findByLabelText<HTMLSelectElement>('Portfolio')
  await waitFor(() => expect([...field.options].map(({ text }) => text)).toEqual(['All', 'In no portfolio', 'Spring']))
  fireEvent.change(field, { target: { value: '9001' } })
  await waitFor(() => expect(router.state.location.search).toMatchObject({ portfolioId: '9001' }))
  await waitFor(() => expect(listAsked().at(-1)?.searchParams.get('portfolioId')).toBe('9001'))
  expect(await screen.findByLabelText('Filters: 1 active')).toBeTruthy()
  fireEvent.change(field, { target: { value: 'NONE' } })
  await waitFor(() => expect(listAsked().at(-1)?.searchParams.get('portfolioId')).toBe('NONE'))
})

it('shows the columns that the address names, in its order', async () => {
  viewport(true)
  open('/campaigns?columns=roas,targetingType,nothing,budget')
  const table = within(await screen.findByRole('table', { name: 'campaigns' }))
  expect(table.getAllByRole('columnheader').map(head => head.textContent)).toEqual([
    '',
    'Campaign',
    'ROAS',
    'Targeting',
    'Daily budget',
    'Actions',
  ])
})

it('says why the marketplace does not show a campaign that is enabled', async () => {
  scene.rows = [{ ...tide, servingStatus: 'PORTFOLIO_OUT_OF_BUDGET' }]
  open()
  expect(await screen.findByText(/Its portfolio has used up its budget/)).toBeTruthy()
})

it('orders the table by its headings, and turns the order round', async () => {
  viewport(true)
  const router = open()
  const heading = () => screen.findByRole('columnheader', { name: 'ACOS' })
  fireEvent.click(within(await heading()).getByRole('button'))
  await waitFor(() => expect(router.state.location.search).toEqual({ sortBy: 'acos', sortDir: 'desc' }))
  expect((await heading()).getAttribute('aria-sort')).toBe('descending')
  fireEvent.click(within(await heading()).getByRole('button'))
  await waitFor(() => expect(router.state.location.search).toEqual({ sortBy: 'acos', sortDir: 'asc' }))
})

it('leads who may not manage campaigns home', async () => {
  signedIn([])
  open()
  expect(await screen.findByText('Home page')).toBeTruthy()
})

it('saves all that match as a file, in the order of the screen, and says when it could not', async () => {
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:x'
  const exportAs = async (label: string) => {
    fireEvent.click(screen.getByLabelText('Export campaigns'))
    fireEvent.click(await screen.findByText(label))
  }
  scene.file = () =>
    new Response('a,b', { headers: { 'content-disposition': 'attachment; filename="tideline-campaigns.csv"' } })
  open('/campaigns?sortBy=acos')
  await screen.findByText('Tide mugs')
  await exportAs('CSV file')
  await waitFor(() => expect(saved).toEqual(['tideline-campaigns.csv']))
  const request = scene.asked.find(url => url.pathname.endsWith('/campaign/cm/export'))
  expect(Object.fromEntries(request?.searchParams ?? [])).toMatchObject({
    format: 'csv',
    sortBy: 'acos',
    sortDir: 'desc',
  })
  expect(currentToasts().map(one => one.title)).toEqual(['Saved 2 campaigns'])
  // The line breaks in the middle.
  const broken = new ReadableStream({ start: stream => stream.error(new Error('gone')) })
  scene.file = () => new Response(broken)
  await exportAs('Excel file (XLSX)')
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('Failed to export campaigns'))
  expect(saved).toHaveLength(1)
  click.mockRestore()
})

it('shows campaigns of the last launches on top, and all of them behind a link', async () => {
  scene.launched = ['Lamp 1', 'Lamp 2', 'Lamp 3', 'Lamp 4'].map((name, at) => ({ ...tide, id: 90 + at, name }))
  const router = open()
  const group = within(await screen.findByRole('region', { name: 'Just launched' }))
  expect(group.getByText('Lamp 1')).toBeTruthy()
  expect(group.queryByText('Lamp 4')).toBeNull()
  fireEvent.click(group.getByText('Show all 4'))
  await waitFor(() => expect(router.state.location.search).toEqual({ launched: true }))
  expect(await screen.findByText('Lamp 4')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Just launched' })).toBeNull()
})

it('keeps a chart above the list folded on a phone, with the figure and the fold in the address', async () => {
  scene.changeDays = [{ date: '2026-03-12', count: 3 }]
  const router = open()
  fireEvent.click(await screen.findByLabelText('Open the chart'))
  fireEvent.change(await screen.findByLabelText('Figure of the chart'), { target: { value: 'acos' } })
  expect(await screen.findByText('Day')).toBeTruthy()
  expect(router.state.location.search).toEqual({ chart: 'acos' })
  const mark = await screen.findByText('Mar 12: 3 changes')
  expect(mark.getAttribute('href')).toBe('/changes?from=2026-03-12&to=2026-03-12')
  fireEvent.click(screen.getByLabelText('Fold the chart'))
  await waitFor(() => expect(router.state.location.search).toEqual({ chart: 'off' }))
  expect(screen.queryByText('Mar 12: 3 changes')).toBeNull()
})

it('saves what the list shows under a name, and opens the list with the default view', async () => {
  const router = open('/campaigns?state=PAUSED&figures=acos%3E40')
  await screen.findByText('Tide mugs')
  fireEvent.click(screen.getByLabelText('Filters: 2 active'))
  fireEvent.change(await screen.findByLabelText('Save this view as'), { target: { value: 'Wasteful' } })
  fireEvent.click(screen.getByText('Save view'))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ view: 1 }))
  expect(scene.views).toEqual([
    { id: 1, isDefault: false, list: 'campaigns', name: 'Wasteful', search: { state: 'PAUSED', figures: 'acos>40' } },
  ])
  cleanup()
  scene.views = scene.views.map(view => ({ ...view, isDefault: true }))
  const again = open()
  await waitFor(() => expect(again.state.location.search).toEqual({ state: 'PAUSED', figures: 'acos>40', view: 1 }))
  fireEvent.click(await screen.findByLabelText('Filters: 2 active'))
  fireEvent.click(await screen.findByText('Show the whole list'))
  await waitFor(() => expect(again.state.location.search).toEqual({ view: 0 }))
})
