import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient, queryClient } from '#client/api/query-client.ts'
import { setSession } from '#client/api/session/session.ts'
import { setupIonicReact } from '@ionic/react'
import * as overlays from '#client/ui/overlays/ionic-overlays.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { userQueries } from '#features/auth/client/public.ts'
import { campaign } from '#features/structure/contract.ts'
import { figuresWithRatios } from '../../../../../tests/support/sum-figures.ts'
import { choose, swipeActions } from '../../../../../tests/support/swipe-actions.ts'
import { campaignsRoutes } from '../routes.tsx'

setupIonicReact()
configure({ asyncUtilTimeout: 5000 })

const figures = figuresWithRatios({ impressions: 1000, clicks: 50, cost: 40, sales: 200, orders: 4, units: 4 })
const mirrored = {
  adType: 'SPONSORED_PRODUCTS',
  servingStatus: null,
  syncState: 'SYNCED',
  syncError: null,
  version: 3,
  currency: 'USD',
} as const
const group = {
  ...mirrored,
  id: 21,
  amazonId: '400021',
  state: 'ENABLED',
  name: 'Mugs, exact',
  campaignId: 11,
  campaignName: 'Tide mugs',
  defaultBid: 0.5,
  bidOptimization: null,
}
const ofGroup = { campaignId: 11, campaignName: 'Tide mugs', adGroupId: 21, state: 'ENABLED' }
const keyword = {
  ...mirrored,
  ...ofGroup,
  id: 31,
  amazonId: '31',
  kind: 'KEYWORD',
  expression: null,
  text: 'tide mug',
  matchType: 'EXACT',
  bid: 0.7,
}
const auto = {
  ...mirrored,
  ...ofGroup,
  id: 32,
  amazonId: '32',
  kind: 'AUTO',
  expression: [{ type: 'CLOSE_MATCH' }],
  text: 'CLOSE_MATCH',
  matchType: null,
  bid: null,
}
const ofProduct = { name: null, asin: 'B0TIDE0001', sku: 'MUG-1', asins: null, format: null }
const ad = { ...mirrored, ...ofGroup, id: 41, amazonId: '41', ...ofProduct }

let sent: { path: string; body: unknown; ifMatch: string | null }[] = []
/** The next change meets this newer version of its row. */
let newer: object | undefined

function page(rows: object[]) {
  return {
    content: rows.map(row => ({ ...row, ...figures })),
    page: { size: 50, number: 0, totalElements: rows.length, totalPages: 1 },
    currency: 'USD',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-30',
    totals: figures,
    freshness: { asOf: '2026-03-30T10:00:00.000Z', movingFrom: null },
  }
}
const merchant = { id: 1, name: 'Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' }
const lists: Record<string, object> = {
  '/api/profile/current': merchant,
  '/api/profile/merchant/1': { ...merchant, role: 'OWNER', connections: [], profiles: [] },
  '/api/profile/marketplaces/current': {
    id: 1,
    amazonId: 'ATVPDKIKX0DER',
    name: 'United States',
    key: 'US',
    currency: 'USD',
  },
  '/api/adgroups/cm': page([group]),
  '/api/keywords/cm': page([keyword]),
  '/api/targets/cm': page([auto]),
  '/api/ads/cm': page([ad]),
}
const edited: Record<string, object> = { adgroups: group, keywords: keyword, targets: auto, ads: ad }

beforeEach(() => {
  sent = []
  localStorage.clear()
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  vi.stubGlobal('fetch', async (path: string, init: { method: string; headers: Headers; body: string | null }) => {
    const url = new URL(path, 'https://tideline.test')
    if (init.method === 'PUT') {
      const set = init.body ? (JSON.parse(init.body) as object) : Object.fromEntries(url.searchParams)
      sent.push({ path: url.pathname, body: set, ifMatch: init.headers.get('if-match') })
      const conflict = { errorCode: 'VERSION_CONFLICT', message: 'This was changed meanwhile.', current: newer }
      newer = undefined
      if (conflict.current) return Response.json(conflict, { status: 409 })
      return Response.json({ ...edited[url.pathname.split('/')[2] ?? ''], ...set, version: 4, syncState: 'PENDING' })
    }
    const list = lists[url.pathname]
    return list ? Response.json(list) : new Response('{}', { status: 404 })
  })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
  queryClient.setQueryData(userQueries.user().queryKey, {
    roles: [{ id: 1, name: 'Owner', authorities: [{ id: 1, name: 'ACCOUNT_MANAGER', description: '' }] }],
  } as never)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  onlineManager.setOnline(true)
  for (const { id } of currentToasts()) dismissToast(id)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function open(tab: string) {
  const root = createRootRoute()
  const dashboard = createRoute({ getParentRoute: () => root, id: 'dashboard' })
  const router = createRouter({
    routeTree: root.addChildren([dashboard.addChildren(campaignsRoutes(dashboard))]),
    history: createMemoryHistory({ initialEntries: [`/adgroup-details?adGroupId=21&tab=${tab}`] }),
  })
  const client = createQueryClient()
  client.setDefaultOptions({
    ...client.getDefaultOptions(),
    queries: { ...client.getDefaultOptions().queries, retry: false },
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
it('an ad group gets a new name and bid, and one Undo reverts both', async () => {
  open('keywords')
  fireEvent.click(await screen.findByRole('button', { name: 'Edit ad group' }))
  fireEvent.change(await screen.findByLabelText('Ad group name'), { target: { value: 'Mugs' } })
  fireEvent.change(screen.getByLabelText('Default bid'), { target: { value: '1000.01' } })
  fireEvent.click(screen.getByText('Save ad group'))
  expect(await screen.findByText('The bid must be between 0.02 and 1000 USD')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Default bid'), { target: { value: '0.65' } })
  fireEvent.click(screen.getByText('Save ad group'))
  await waitFor(() =>
    expect(sent).toEqual([{ path: '/api/adgroups/21', body: { name: 'Mugs', defaultBid: 0.65 }, ifMatch: '"3"' }]),
  )
  await waitFor(() => expect(currentToasts()).toMatchObject([{ title: 'Ad group saved' }]))
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() =>
    expect(sent[1]).toEqual({
      path: '/api/adgroups/21',
      body: { name: 'Mugs, exact', defaultBid: 0.5 },
      ifMatch: '"4"',
    }),
  )
})
it('keeps the bid of the user over a newer version of the ad group, and the newer name', async () => {
  open('keywords')
  fireEvent.click(await screen.findByRole('button', { name: 'Edit ad group' }))
  fireEvent.change(await screen.findByLabelText('Default bid'), { target: { value: '0.65' } })
  newer = { ...group, name: 'Mugs of another', defaultBid: 0.8, version: 9 }
  fireEvent.click(screen.getByText('Save ad group'))
  fireEvent.click(await screen.findByText('Keep mine'))
  expect((screen.getByLabelText('Ad group name') as HTMLInputElement).value).toBe('Mugs of another')
  fireEvent.click(screen.getByText('Save ad group'))
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ body: { defaultBid: 0.65 }, ifMatch: '"9"' }))
  expect(sent.at(-1)?.body).toEqual({ defaultBid: 0.65 })
})
it('an ad group is paused, and archived only after a word on what that ends', async () => {
  const alert = vi.spyOn(overlays, 'openAlert').mockResolvedValue('destructive')
  open('keywords')
  fireEvent.click(await screen.findByRole('button', { name: 'Pause ad group' }))
  await waitFor(() => expect(sent[0]).toMatchObject({ path: '/api/adgroups/21', body: { state: 'PAUSED' } }))
  vi.spyOn(overlays, 'openActionSheet').mockResolvedValue('Archive ad group…')
  fireEvent.click(screen.getByLabelText('Actions for Mugs, exact'))
  await waitFor(() => expect(sent[1]).toMatchObject({ body: { state: 'ARCHIVED' } }))
  expect(alert.mock.calls[0]?.[0]).toMatchObject({
    header: 'Archive “Mugs, exact”?',
    message: expect.stringContaining('Its ads and keywords stop with it.'),
  })
})
it('an ad is paused', async () => {
  open('ads')
  await choose('B0TIDE0001', 'Pause')
  await waitFor(() => expect(sent).toEqual([{ path: '/api/ads/41', body: { state: 'PAUSED' }, ifMatch: '"3"' }]))
})
it('a keyword can be archived while there is a network, an automatic group never', async () => {
  vi.spyOn(overlays, 'openAlert').mockResolvedValue('destructive')
  open('keywords')
  await choose('tide mug', 'Archive')
  await waitFor(() => expect(sent).toEqual([{ path: '/api/keywords/31', body: { state: 'ARCHIVED' }, ifMatch: '"3"' }]))
  cleanup()
  open('targets')
  const labels = (await swipeActions('Close match')).map(one => one.textContent)
  expect(labels).toEqual(['Pause', 'Change bid'])
})

it('a bid shows what a click may cost and what the marketplace suggests, which one tap takes', async () => {
  lists['/api/campaigns/11'] = {
    ...Object.fromEntries(Object.keys(campaign.entries).map(name => [name, null])),
    ...mirrored,
    id: 11,
    amazonId: '300011',
    name: 'Tide mugs',
    state: 'ENABLED',
    adType: 'SPONSORED_PRODUCTS',
    targetingType: 'MANUAL',
    biddingStrategy: 'SALES_UP_AND_DOWN',
    placements: [],
    costType: null,
    budget: 1,
  }
  lists['/api/targets/31/suggested-bid'] = {
    id: 31,
    currency: 'USD',
    suggestion: { lowBid: 0.6, bid: 0.85, highBid: 1.1 },
  }
  open('keywords')
  await choose('tide mug', 'Change bid')
  expect(await screen.findByText(/a click may cost up to \$1\.40/)).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Use $0.85', hidden: true }))
  expect((screen.getByLabelText('Bid') as HTMLInputElement).value).toBe('0.85')
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: '1.5' } })
  fireEvent.click(screen.getByText('Save bid'))
  expect(await screen.findByText(/must not be higher than the campaign’s daily budget of 1 USD/)).toBeTruthy()
  expect(sent).toEqual([])
})
it('a bid is saved without the marketplace’s suggestion', async () => {
  delete lists['/api/targets/31/suggested-bid']
  open('keywords')
  await choose('tide mug', 'Change bid')
  expect(await screen.findByText('The marketplace did not answer with its suggested bid.')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Bid'), { target: { value: '0.75' } })
  fireEvent.click(screen.getByText('Save bid'))
  await waitFor(() => expect(sent).toMatchObject([{ path: '/api/keywords/31', body: { bid: '0.75' } }]))
})

it('a bid of Brands says that the marketplace suggests none, and does not ask it', async () => {
  lists['/api/keywords/cm'] = page([{ ...keyword, adType: 'SPONSORED_BRANDS' }])
  open('keywords')
  await choose('tide mug', 'Change bid')
  expect(await screen.findByText('The marketplace suggests bids for Sponsored Products only.')).toBeTruthy()
  expect(screen.queryByText('The marketplace did not answer with its suggested bid.')).toBeNull()
  lists['/api/keywords/cm'] = page([keyword])
})

it('an ad group shows its history from the menu', async () => {
  vi.spyOn(overlays, 'openActionSheet').mockResolvedValue('History')
  const page = { size: 20, number: 0, totalElements: 0, totalPages: 0 }
  lists['/api/changes'] = { content: [], page, currency: 'USD' }
  open('keywords')
  fireEvent.click(await screen.findByLabelText('Actions for Mugs, exact'))
  expect(await screen.findByText('History of Mugs, exact')).toBeTruthy()
  expect(await screen.findByText('No changes')).toBeTruthy()
})
it('an ad group of an automatic campaign opens with its targets', async () => {
  lists['/api/campaign/cm'] = page([
    {
      ...Object.fromEntries(Object.keys(campaign.entries).map(name => [name, null])),
      ...mirrored,
      id: 11,
      amazonId: '300011',
      name: 'Tide mugs',
      state: 'ENABLED',
      adType: 'SPONSORED_PRODUCTS',
      targetingType: 'AUTO',
      placements: [],
    },
  ])
  open('')
  expect(await screen.findByText('Close match')).toBeTruthy()
})
