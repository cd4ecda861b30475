import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient, queryClient } from '#client/api/query-client.ts'
import { setSession } from '#client/api/session.ts'
import { setupIonic } from '#client/ui/ionic/setup-ionic.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { waitingEdits } from '#client/outbox/outbox.ts'
import { userQueries } from '#features/auth/client/public.ts'
import { ratiosOf, sumFigures } from '#shared/metrics.ts'
import type { CampaignRow } from '../contract.ts'
import { chooseFigures } from './chosen-figures.ts'
import { campaignsRoutes } from './routes.tsx'

setupIonic()
configure({ asyncUtilTimeout: 5000 })

const figures = (cost: number, sales: number) => {
  const sums = { impressions: 1000, clicks: 50, cost, sales, orders: 4, units: 4 }
  return { ...sums, ...ratiosOf(sums) }
}
const tide: CampaignRow = {
  id: 11,
  amazonId: '300011',
  name: 'Tide mugs',
  state: 'ENABLED',
  servingStatus: 'CAMPAIGN_STATUS_ENABLED',
  syncState: 'SYNCED',
  syncError: null,
  version: 3,
  adType: 'SPONSORED_PRODUCTS',
  targetingType: 'MANUAL',
  currency: 'USD',
  budget: 25,
  biddingStrategy: 'SALES_DOWN_ONLY',
  placements: [],
  startDate: '2026-01-05',
  endDate: null,
  ...figures(40, 200),
}
const ebb: CampaignRow = { ...tide, id: 12, amazonId: '300012', name: 'Ebb lamps', state: 'PAUSED', ...figures(15, 0) }

let rows: CampaignRow[] = []
let asked: URL[] = []
let sent: { body: Record<string, unknown>; ifMatch: string | null }[] = []
let listAnswer: (() => Response) | undefined
let updateAnswer: ((body: Record<string, unknown>) => Response) | undefined
let movingFrom: string | null = null

const refusal = (status: number, errorCode: string, message: string, extra: object = {}) =>
  Response.json({ errorCode, message, details: [], requestId: 'r', ...extra }, { status })
const envelope = (content: object[], all: CampaignRow[]) => {
  const sums = sumFigures(all)
  return Response.json({
    content,
    page: { size: 50, number: 0, totalElements: content.length, totalPages: 1 },
    currency: 'USD',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-30',
    totals: { ...sums, ...ratiosOf(sums) },
    freshness: { asOf: '2026-03-30T10:00:00.000Z', movingFrom },
  })
}
const update = (body: Record<string, unknown>): Response => {
  const row = rows.find(one => one.id === body.campaignId)
  if (!row) return refusal(404, 'NOT_FOUND', 'There is no such campaign.')
  const { campaignId: _id, ...change } = body
  const changed: CampaignRow = { ...row, ...change, version: row.version + 1, syncState: 'PENDING' }
  rows = rows.map(one => (one.id === row.id ? changed : one))
  return Response.json(changed)
}
const answer = (path: string, init: { method: string; headers: Headers; body: string }): Response => {
  const url = new URL(path, 'https://tideline.test')
  asked.push(url)
  switch (url.pathname) {
    case '/api/profile/marketplaces/current':
      return Response.json({ id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' })
    case '/api/profile/current':
      return Response.json({ id: 1, name: 'Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' })
    case '/api/campaign/update': {
      const body = JSON.parse(init.body) as Record<string, unknown>
      sent.push({ body, ifMatch: init.headers.get('if-match') })
      return (updateAnswer ?? update)(body)
    }
    case '/api/campaign/cm': {
      const only = url.searchParams.get('campaignId')
      const shown = only ? rows.filter(row => String(row.id) === only) : rows
      return listAnswer ? listAnswer() : envelope(shown, shown)
    }
    case '/api/adgroups/cm':
      return envelope([], [])
    case '/api/campaign/cm/chart':
      return Response.json({
        currency: 'USD',
        dateFrom: '2026-03-01',
        dateTo: '2026-03-30',
        freshness: { asOf: null, movingFrom: null },
        points: [],
      })
    default: {
      const one = rows.find(row => url.pathname === `/api/campaigns/${row.amazonId}`)
      return one ? Response.json(one) : refusal(404, 'NOT_FOUND', 'none')
    }
  }
}
const viewport = (matches: boolean) =>
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener: () => {}, removeEventListener: () => {} }))

beforeEach(() => {
  rows = [tide, ebb]
  asked = []
  sent = []
  listAnswer = undefined
  updateAnswer = undefined
  movingFrom = null
  localStorage.clear()
  chooseFigures(['cost', 'sales', 'acos'])
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  vi.stubGlobal('fetch', async (path: string, init: never) => answer(path, init))
  viewport(false)
  signedIn(['ACCOUNT_MANAGER'])
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  onlineManager.setOnline(true)
  for (const { id } of currentToasts()) dismissToast(id)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const signedIn = (authorities: string[]) =>
  queryClient.setQueryData(userQueries.user().queryKey, {
    roles: [{ id: 1, name: 'Owner', authorities: authorities.map((name, id) => ({ id, name, description: name })) }],
  } as never)

const open = (address = '/campaigns') => {
  const root = createRootRoute()
  const dashboard = createRoute({ getParentRoute: () => root, id: 'dashboard' })
  const home = createRoute({ getParentRoute: () => dashboard, path: '/home', component: () => 'Home page' })
  const router = createRouter({
    routeTree: root.addChildren([dashboard.addChildren([...campaignsRoutes(dashboard), home])]),
    history: createMemoryHistory({ initialEntries: ['/home', address], initialIndex: 1 }),
  })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}
const listAsked = () => asked.filter(url => url.pathname === '/api/campaign/cm')
const choose = async (name: string, action: string) => {
  const item = (await screen.findByText(name)).closest('ion-item-sliding')
  const option = [...(item?.querySelectorAll('ion-item-option') ?? [])].find(one => one.textContent === action)
  if (!option) throw new Error(`${name} offers no ${action}`)
  fireEvent.click(option)
}

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
  fireEvent.change(screen.getByLabelText('Search campaigns'), { target: { value: 'tide' } })
  fireEvent.change(screen.getByLabelText('State'), { target: { value: 'PAUSED' } })
  await waitFor(() =>
    expect(Object.fromEntries(listAsked().at(-1)?.searchParams ?? [])).toMatchObject({
      name: 'tide',
      state: 'PAUSED',
      sortBy: 'acos',
    }),
  )
  expect(router.state.location.search).toMatchObject({ days: 7, sortBy: 'acos', name: 'tide', state: 'PAUSED' })
})

it('pauses at once, and takes it back with Undo under the version that the answer gave', async () => {
  open()
  await choose('Tide mugs', 'Pause')
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign paused', durationMs: 10_000 }]))
  expect(sent).toEqual([{ body: { campaignId: 11, state: 'PAUSED' }, ifMatch: '"3"' }])
  const row = within((await screen.findByText('Tide mugs')).closest('article') as HTMLElement)
  expect(row.getByText('Paused')).toBeTruthy()
  expect(row.getByText('Being sent to the marketplace')).toBeTruthy()
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(() => expect(sent[1]).toEqual({ body: { campaignId: 11, state: 'ENABLED' }, ifMatch: '"4"' }))
  await waitFor(() => expect(row.getByText('Enabled')).toBeTruthy())
})

it('takes a refused change back and says why', async () => {
  updateAnswer = () => refusal(403, 'FORBIDDEN', 'You may look at this merchant, but not change it.')
  open()
  await choose('Ebb lamps', 'Enable')
  await waitFor(() =>
    expect(currentToasts()).toMatchObject([{ message: 'You may look at this merchant, but not change it.' }]),
  )
  const row = within((await screen.findByText('Ebb lamps')).closest('article') as HTMLElement)
  await waitFor(() => expect(row.getByText('Paused')).toBeTruthy())
})

it('says what the marketplace refused', async () => {
  rows = [{ ...tide, syncState: 'FAILED', syncError: 'The budget is lower than the marketplace takes.' }]
  open()
  expect(await screen.findByText(/Not changed: The budget is lower/)).toBeTruthy()
})

it('says what to do next where there are none, and otherwise that none matches', async () => {
  rows = []
  open()
  expect(await screen.findByText('No campaigns yet')).toBeTruthy()
  expect(screen.getByText('New campaign').getAttribute('href')).toBe('/create-campaign')
  cleanup()
  open('/campaigns?state=PAUSED')
  expect(await screen.findByText('No campaign matches')).toBeTruthy()
})

it('says that the list could not be loaded, and tries again', async () => {
  listAnswer = () => refusal(422, 'RULE_VIOLATED', 'Choose a marketplace first.')
  open()
  expect(await screen.findByText('Choose a marketplace first.')).toBeTruthy()
  listAnswer = undefined
  fireEvent.click(screen.getByText('Try again'))
  expect(await screen.findByText('Tide mugs')).toBeTruthy()
})

it('keeps the last figures while offline; a change is shown at once, waits, and can be taken back', async () => {
  open()
  await screen.findByText('Tide mugs')
  act(() => onlineManager.setOnline(false))
  expect(await screen.findByText(/You are offline\. These are the last figures/)).toBeTruthy()
  await choose('Tide mugs', 'Pause')
  const row = within((await screen.findByText('Tide mugs')).closest('article') as HTMLElement)
  expect(await row.findByText('Paused')).toBeTruthy()
  expect(waitingEdits()).toMatchObject([
    { kind: 'campaign', row: 11, version: 3, set: { state: 'PAUSED' }, was: { state: 'ENABLED' }, words: 'Pause' },
  ])
  expect(sent).toEqual([])
  expect(screen.getByText('Waits for the network.')).toBeTruthy()
  fireEvent.click(screen.getByText('Undo'))
  expect(await row.findByText('Enabled')).toBeTruthy()
  expect(waitingEdits()).toEqual([])
})

it('keeps what was edited without network, with what it was before', async () => {
  const router = open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Daily budget'), { target: { value: '30' } })
  act(() => onlineManager.setOnline(false))
  fireEvent.click(screen.getByText('Save changes'))
  await waitFor(() => expect(waitingEdits()).toMatchObject([{ set: { budget: 30 }, was: { budget: 25 }, shop: '1/1' }]))
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  expect(sent).toEqual([])
})

it('changes placements and the last day, and takes both back', async () => {
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Top of search'), { target: { value: '901' } })
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2020-01-01' } })
  fireEvent.click(screen.getByText('Save changes'))
  expect(await screen.findByText('Must be a whole number from 0 to 900')).toBeTruthy()
  expect(screen.getByText('The last day must not lie in the past')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Top of search'), { target: { value: '40' } })
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2199-12-31' } })
  fireEvent.click(screen.getByText('Save changes'))
  const placements = [{ placement: 'TOP_OF_SEARCH', percentage: 40 }]
  await waitFor(() => expect(sent[0]?.body).toEqual({ campaignId: 11, placements, endDate: '2199-12-31' }))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign saved' }]))
  act(() => currentToasts()[0]?.action?.onSelect())
  await waitFor(() =>
    expect(sent[1]).toEqual({ body: { campaignId: 11, placements: [], endDate: null }, ifMatch: '"4"' }),
  )
})

it('archives only when the user says so, and offers no way back', async () => {
  const asked = vi.spyOn(overlays, 'openAlert').mockResolvedValueOnce('cancel').mockResolvedValueOnce('destructive')
  const router = open('/campaign-edit/300011')
  fireEvent.click(await screen.findByText('Archive campaign'))
  await waitFor(() => expect(asked).toHaveBeenCalledOnce())
  expect(asked.mock.calls[0]?.[0].message).toMatch(/cannot be undone/)
  expect(sent).toEqual([])
  fireEvent.click(screen.getByText('Archive campaign'))
  await waitFor(() => expect(sent).toEqual([{ body: { campaignId: 11, state: 'ARCHIVED' }, ifMatch: '"3"' }]))
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Campaign archived' }]))
  expect(currentToasts()[0]?.action).toBeUndefined()
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
})

it('says from which day on figures may still change', async () => {
  movingFrom = '2020-01-02'
  open()
  expect(await screen.findByText(/from .*2.* on they may still change/)).toBeTruthy()
})

it('opens a campaign in place of the list on a phone and beside it where there is room', async () => {
  const router = open()
  fireEvent.click(await screen.findByText('Tide mugs'))
  expect(await screen.findByText('Pause campaign')).toBeTruthy()
  expect(screen.queryByText('Ebb lamps')).toBeNull()
  expect(router.state.location.search).toEqual({ campaign: 11 })
  cleanup()
  viewport(true)
  open('/campaigns?campaign=12')
  expect(await screen.findByText('Enable campaign')).toBeTruthy()
  expect(await screen.findByText('Tide mugs')).toBeTruthy()
})

it('leads who may not manage campaigns home', async () => {
  signedIn([])
  open()
  expect(await screen.findByText('Home page')).toBeTruthy()
})

it('edits only what was changed, under the version that was seen', async () => {
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Daily budget'), { target: { value: '0.5' } })
  fireEvent.click(screen.getByText('Save changes'))
  expect(await screen.findByText('The daily budget must be between 1 and 1000000 USD')).toBeTruthy()
  expect(sent).toEqual([])
  fireEvent.change(screen.getByLabelText('Daily budget'), { target: { value: '30' } })
  fireEvent.click(screen.getByText('Save changes'))
  await waitFor(() => expect(sent).toEqual([{ body: { campaignId: 11, budget: 30 }, ifMatch: '"3"' }]))
})

it('puts the server’s words beside the field', async () => {
  updateAnswer = () =>
    refusal(400, 'VALIDATION_FAILED', 'Some fields need another look.', {
      fields: { name: 'Another campaign has this name' },
    })
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Campaign name'), { target: { value: 'Ebb lamps' } })
  fireEvent.click(screen.getByText('Save changes'))
  expect(await screen.findByText('Another campaign has this name')).toBeTruthy()
})

it('shows both when the campaign was changed meanwhile, and sends mine on top of it when I choose so', async () => {
  const current = { ...tide, budget: 50, state: 'PAUSED', version: 9 }
  updateAnswer = () => refusal(409, 'VERSION_CONFLICT', 'This was changed meanwhile.', { current })
  open('/campaign-edit/300011')
  fireEvent.change(await screen.findByLabelText('Daily budget'), { target: { value: '30' } })
  fireEvent.click(screen.getByText('Save changes'))
  const both = within(await screen.findByRole('region', { name: 'This campaign was changed meanwhile' }))
  for (const text of ['$30.00', '$50.00']) expect(both.getByText(text)).toBeTruthy()
  fireEvent.click(both.getByText('Keep mine'))
  updateAnswer = undefined
  rows = [current as CampaignRow]
  fireEvent.click(screen.getByText('Save changes'))
  // What I had not touched follows the other change.
  await waitFor(() => expect(sent.at(-1)).toEqual({ body: { campaignId: 11, budget: 30 }, ifMatch: '"9"' }))
})
