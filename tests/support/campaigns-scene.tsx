import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, configure, render } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { createQueryClient, queryClient } from '#client/api/query-client.ts'
import { signInAs } from './test-edit.ts'
import { setupIonicReact } from '@ionic/react'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { accountQueries } from '#features/accounts/client/queries.ts'
import { userQueries } from '#features/auth/client/public.ts'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import type { View } from '#features/views/contract.ts'
import { campaign, type Negative, target } from '#features/structure/contract.ts'
import { chooseFigures } from '#features/campaigns/client/figures/row-figures.tsx'
import { AccountNeeds } from '#features/campaigns/client/detail/account-needs.tsx'
import { campaignsRoutes } from '#features/campaigns/client/routes.tsx'
import { insightsRoutes } from '#features/insights/client/routes.tsx'
import { reportsRoutes } from '#features/reports/client/routes.tsx'
import { shareRoutes, shareTargetRoutes } from '#features/share/client/routes.tsx'
import { figuresWithRatios, sumFigures } from './sum-figures.ts'

setupIonicReact()
configure({ asyncUtilTimeout: 20_000 })

const figures = (cost: number, sales: number) =>
  figuresWithRatios({ impressions: 1000, clicks: 50, cost, sales, orders: 4, units: 4 })
// Fields that no test looks at are empty.
const empty = Object.fromEntries(Object.keys(campaign.entries).map(name => [name, null])) as unknown as CampaignRow
/** A campaign that wins; and one, paused, that only spends. */
export const tide: CampaignRow = {
  ...empty,
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
  targetAcos: null,
  startDate: '2026-01-05',
  endDate: null,
  ...figures(40, 200),
}
const ebb: CampaignRow = { ...tide, id: 12, amazonId: '300012', name: 'Ebb lamps', state: 'PAUSED', ...figures(15, 0) }

/** A keyword that only costs. */
export const costlyKeyword = {
  ...Object.fromEntries(Object.keys(target.entries).map(name => [name, null])),
  id: 31,
  amazonId: '31',
  campaignId: 11,
  campaignName: tide.name,
  adType: 'SPONSORED_PRODUCTS',
  adGroupId: 21,
  kind: 'KEYWORD',
  text: 'free mugs',
  matchType: 'BROAD',
  bid: 0.9,
  state: 'ENABLED',
  syncState: 'SYNCED',
  version: 5,
  currency: 'USD',
  ...figuresWithRatios({ impressions: 900, clicks: 80, cost: 34, sales: 0, orders: 0, units: 0 }),
}

const figuresAsOf = '2026-03-30T10:00:00.000Z'

/** A list's whole answer. */
export const listOf = (
  content: object[],
  freshness = { asOf: figuresAsOf as string | null, movingFrom: null as string | null },
) => ({
  content,
  page: { size: 50, number: 0, totalElements: content.length, totalPages: content.length ? 1 : 0 },
  currency: 'USD',
  dateFrom: '2026-03-01',
  dateTo: '2026-03-30',
  totals: figuresWithRatios({ impressions: 900, clicks: 80, cost: 34, sales: 0, orders: 0, units: 0 }),
  freshness,
})

type ViewBody = Pick<View, 'list' | 'name' | 'search'>

/** The server's rows and received requests; each test starts with two campaigns and answers by the contract. */
export const scene = {
  rows: [] as CampaignRow[],
  /** By page. */
  negatives: [] as Negative[][],
  accountType: 'SELLER' as 'SELLER' | 'VENDOR',
  /** What the user is to the merchant. */
  role: 'OWNER' as 'OWNER' | 'VIEWER',
  asked: [] as URL[],
  sent: [] as { body: Record<string, unknown>; ifMatch: string | null }[],
  /** How many campaigns match; null: as many as there are. */
  matching: null as number | null,
  launched: [] as CampaignRow[],
  changeDays: [] as { date: string; count: number }[],
  views: [] as View[],
  listAnswer: undefined as (() => Response) | undefined,
  file: undefined as (() => Response) | undefined,
  updateAnswer: undefined as ((body: Record<string, unknown>) => Response) | undefined,
  movingFrom: null as string | null,
  /** Null: the first import of figures is not done. */
  asOf: figuresAsOf as string | null,
  /** Answers of other calls, by their path; of those that change something by method and path. */
  answers: {} as Record<string, object>,
}

/** The server refuses. */
export const refusal = (status: number, errorCode: string, message: string, extra: object = {}) =>
  Response.json({ errorCode, message, details: [], requestId: 'r', ...extra }, { status })
function envelope(content: object[], all: CampaignRow[]) {
  const page = { size: 50, number: 0, totalElements: scene.matching ?? content.length, totalPages: 1 }
  const freshness = { asOf: scene.asOf, movingFrom: scene.movingFrom }
  return Response.json({ ...listOf(content, freshness), page, totals: figuresWithRatios(sumFigures(all)) })
}
const place = { campaignName: tide.name, adGroupName: null, adType: tide.adType }

function update(body: Record<string, unknown>): Response {
  const row = scene.rows.find(one => one.id === body.campaignId)
  if (!row) return refusal(404, 'NOT_FOUND', 'There is no such campaign.')
  const { campaignId: _id, ...change } = body
  const changed: CampaignRow = { ...row, ...change, version: row.version + 1, syncState: 'PENDING' }
  scene.rows = scene.rows.map(one => (one.id === row.id ? changed : one))
  return Response.json(changed)
}
const merchant = () => ({
  id: 1,
  name: 'Harbour',
  accountType: scene.accountType,
  regionId: 1,
  regionName: 'North America',
})
function answer(path: string, init: { method: string; headers: Headers; body: string }): Response {
  const url = new URL(path, 'https://tideline.test')
  scene.asked.push(url)
  const own = init.method === 'GET' ? scene.answers[url.pathname] : scene.answers[`${init.method} ${url.pathname}`]
  if (own && init.method !== 'GET') {
    const body = init.body ? (JSON.parse(init.body) as Record<string, unknown>) : Object.fromEntries(url.searchParams)
    scene.sent.push({ body, ifMatch: init.headers.get('if-match') })
  }
  if (own) return Response.json(own)
  switch (url.pathname) {
    case '/api/profile/marketplaces/current':
      return Response.json({ id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' })
    case '/api/profile/current':
      return Response.json(merchant())
    case '/api/profile/merchant/1':
      return Response.json({ ...merchant(), role: scene.role, connections: [], profiles: [] })
    case '/api/campaign/update': {
      const body = JSON.parse(init.body) as Record<string, unknown>
      scene.sent.push({ body, ifMatch: init.headers.get('if-match') })
      return (scene.updateAnswer ?? update)(body)
    }
    case '/api/campaign/cm': {
      if (url.searchParams.has('launched')) return envelope(scene.launched, scene.launched)
      const only = url.searchParams.get('campaignId')
      const shown = only ? scene.rows.filter(row => String(row.id) === only) : scene.rows
      return scene.listAnswer ? scene.listAnswer() : envelope(shown, shown)
    }
    case '/api/negatives/cm': {
      const number = Number(url.searchParams.get('page'))
      const page = {
        size: 50,
        number,
        totalElements: scene.negatives.flat().length,
        totalPages: scene.negatives.length,
      }
      const content = (scene.negatives[number] ?? []).map(row => ({ ...place, ...row }))
      return Response.json({ content, page })
    }
    case '/api/adgroups/cm':
      return envelope([], [])
    case '/api/campaign/cm/export':
      return scene.file?.() ?? refusal(500, 'INTERNAL', 'No file.')
    case '/api/campaigns/synchronize':
      return Response.json({ synchronizedAt: null, isQueued: false })
    case '/api/changes/days':
      return Response.json(scene.changeDays)
    case '/api/notifications': {
      const page = { size: 30, number: 0, totalElements: 0, totalPages: 0 }
      return Response.json({ content: [], page, unreadCount: 0, openCount: 0 })
    }
    case '/api/views':
      if (init.method === 'POST') {
        const saved = { id: scene.views.length + 1, isDefault: false, ...(JSON.parse(init.body) as ViewBody) }
        scene.views.push(saved)
        return Response.json(saved, { status: 201 })
      }
      return Response.json(scene.views)
    case '/api/campaign/cm/chart':
      return Response.json({ ...listOf([]), points: [] })
    default: {
      const one = scene.rows.find(row => url.pathname === `/api/campaigns/${row.amazonId}`)
      return one ? Response.json(one) : refusal(404, 'NOT_FOUND', 'none')
    }
  }
}
/** Whether there is room for a list and what was chosen in it. */
export const viewport = (matches: boolean) =>
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener: () => {}, removeEventListener: () => {} }))

beforeEach(() => {
  scene.rows = [tide, ebb]
  scene.negatives = []
  scene.accountType = 'SELLER'
  scene.role = 'OWNER'
  scene.asked = []
  scene.matching = null
  scene.launched = []
  scene.changeDays = []
  scene.views = []
  scene.sent = []
  scene.listAnswer = undefined
  scene.file = undefined
  scene.updateAnswer = undefined
  scene.movingFrom = null
  scene.asOf = figuresAsOf
  scene.answers = {}
  localStorage.clear()
  chooseFigures(['cost', 'sales', 'acos'])
  signInAs('7')
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

/** Signs in someone who may do this. */
export function signedIn(names: string[]) {
  const authorities = names.map((name, id) => ({ id, name, description: name }))
  return queryClient.setQueryData(userQueries.user().queryKey, {
    roles: [{ id: 1, name: 'Owner', authorities }],
  } as never)
}

/** A client that knows the user and the shop, as it does once Home has been drawn. */
export function clientOfShop() {
  const client = createQueryClient()
  client.setQueryData(userQueries.user().queryKey, queryClient.getQueryData(userQueries.user().queryKey))
  client.setQueryData(accountQueries.currentMerchant().queryKey, { id: 1 } as never)
  client.setQueryData(accountQueries.currentMarketplace().queryKey, { id: 1 } as never)
  return client
}

/** Opens the pages of the feature at an address; answers their router. */
export function open(address = '/campaigns', client = createQueryClient()) {
  const root = createRootRoute()
  const dashboard = createRoute({ getParentRoute: () => root, id: 'dashboard' })
  const home = createRoute({ getParentRoute: () => dashboard, path: '/home', component: () => 'Home page' })
  // What Home draws of campaigns.
  const needs = createRoute({
    getParentRoute: () => dashboard,
    path: '/needs',
    component: () => <AccountNeeds shop={{ merchantId: 1, marketplaceId: 1 }} />,
  })
  const router = createRouter({
    routeTree: root.addChildren([
      ...shareTargetRoutes(root),
      dashboard.addChildren([
        ...campaignsRoutes(dashboard),
        ...insightsRoutes(dashboard),
        ...reportsRoutes(dashboard),
        ...shareRoutes(dashboard),
        home,
        needs,
      ]),
    ]),
    history: createMemoryHistory({ initialEntries: ['/home', address], initialIndex: 1 }),
  })
  client.setDefaultOptions({
    ...client.getDefaultOptions(),
    queries: { ...client.getDefaultOptions().queries, retry: false },
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}
const isOfList = (url: URL) => url.pathname === '/api/campaign/cm' && !url.searchParams.has('launched')
/** What was asked of the list. */
export const listAsked = () => scene.asked.filter(isOfList)
