import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import type { SearchTerm } from '#features/search-terms/contract.ts'
import { open, viewport } from '../../../../../tests/support/campaigns-scene.tsx'
import { figuresWithRatios } from '../../../../../tests/support/sum-figures.ts'

const figures = (clicks: number, cost: number, orders: number) =>
  figuresWithRatios({ impressions: clicks * 20, clicks, cost, sales: orders * 20, orders, units: orders })
const base: SearchTerm = {
  term: 'steel bottle',
  kind: 'TERM',
  campaignId: 11,
  campaignName: 'Bottles auto',
  adGroupId: 21,
  adGroupName: 'Auto group',
  adType: 'SPONSORED_PRODUCTS',
  ...figures(30, 15, 3),
  currency: 'USD',
  coverage: 'NEW',
  coveredBy: null,
  matchedBy: [{ id: 31, text: 'CLOSE_MATCH', matchType: null, kind: 'AUTO' }],
  mistakeChance: null,
  clicksToBeSure: 28,
  settledClicks: 30,
}
const free = { ...base, term: 'free bottle', ...figures(20, 9, 0), mistakeChance: 19.4, settledClicks: 20 }
const lid = {
  ...base,
  term: 'bottle lid',
  adType: 'SPONSORED_BRANDS',
  campaignId: 12,
  campaignName: 'Brand',
  adGroupId: 22,
  adGroupName: 'Brand group',
  ...figures(60, 30, 0),
  mistakeChance: 0.6,
  settledClicks: 60,
}
const covered: SearchTerm = {
  ...base,
  term: 'cheap bottle',
  coverage: 'NEGATIVE',
  coveredBy: {
    id: 9,
    text: 'cheap',
    matchType: 'NEGATIVE_PHRASE',
    kind: 'KEYWORD',
    adGroupId: null,
    campaignId: 11,
    campaignName: 'Bottles auto',
  },
}
const campaign = (id: number, name: string, targetingType: string, adType = 'SPONSORED_PRODUCTS') => ({
  id,
  amazonId: `3000${id}`,
  name,
  state: 'ENABLED',
  targetingType,
  adType,
})
const adGroup = (id: number, campaignId: number, name: string, campaignName: string) => ({
  id,
  amazonId: `4000${id}`,
  campaignId,
  campaignName,
  name,
  adType: 'SPONSORED_PRODUCTS',
  defaultBid: 0.5,
  bidOptimization: null,
  state: 'ENABLED',
  servingStatus: null,
  syncState: 'SYNCED',
  syncError: null,
  version: 1,
  currency: 'USD',
  ...figures(1, 1, 0),
})
const adGroups = [adGroup(23, 13, 'Exact group', 'Bottles exact'), adGroup(21, 11, 'Auto group', 'Bottles auto')]

const scene = {
  role: 'OWNER',
  requests: [] as URL[],
  sent: [] as { path: string; method: string; body: Record<string, unknown> }[],
  blocks: [] as object[],
  harvested: undefined as object | undefined,
}

function page(content: object[]) {
  return {
    content,
    page: { size: 50, number: 0, totalElements: content.length, totalPages: 1 },
    currency: 'USD',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-30',
    totals: figures(140, 69, 6),
    freshness: { asOf: '2026-03-30T10:00:00.000Z', movingFrom: null },
  }
}
interface Listed {
  keywords?: { text: string }[]
  items?: object[]
}
function answerOf(url: URL, body: Listed): unknown {
  switch (url.pathname) {
    case '/api/profile/marketplaces/current':
      return { id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' }
    case '/api/profile/current':
      return { id: 1, name: 'Harbour', accountType: 'SELLER', regionId: 1, regionName: 'North America' }
    case '/api/search-terms/cm':
    case '/api/ads/search-terms/ad-group/21':
      return page([base, free, lid, covered])
    case '/api/search-terms/words':
      return page([{ words: 'free', terms: 4, ...figures(40, 18, 0), waste: 18 }])
    case '/api/campaigns':
      return [campaign(11, 'Bottles auto', 'AUTO'), campaign(13, 'Bottles exact', 'MANUAL')]
    case '/api/adgroups/cm': {
      const only = url.searchParams.get('campaignId')
      return page(adGroups.filter(row => only === null || String(row.campaignId) === only))
    }
    case '/api/search-terms/bids':
      return body.items?.map(() => ({ bid: 0.74, lowBid: 0.6, highBid: 1.2, why: 'The marketplace suggests it.' }))
    case '/api/search-terms/harvest':
      return (
        scene.harvested ?? {
          groupId: '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6e',
          outcomes: body.items?.map((_, i) => ({ status: 'CREATED', id: 70 + i, negativeId: 80 + i, message: null })),
        }
      )
    case '/api/bulk':
      return bulk(body as never)
    case '/api/negatives/preview':
      return {
        items: body.keywords?.map(({ text }) => ({
          status: 'NEW',
          message: null,
          blocks: text === 'free bottle' ? scene.blocks : [],
          blockedCount: text === 'free bottle' ? scene.blocks.length : 0,
        })),
        currency: 'USD',
      }
    case '/api/sp/negative-keyword/create':
    case '/api/sb/negative-keyword/create':
      return {
        groupId: '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6f',
        outcomes: body.keywords?.map((_, i) => ({ status: 'CREATED', id: 90 + i, message: null })),
      }
    default:
      if (url.pathname.startsWith('/api/changes/groups/')) return group
      return url.pathname.startsWith('/api/profile/') ? merchantDetail() : null
  }
}
const created = (entityId: number) => ({
  changeId: entityId,
  entity: 'target',
  entityId,
  version: 2,
  name: 'steel bottle',
  field: null,
  before: null,
  after: null,
  status: 'PENDING',
  message: null,
  isUndone: false,
})
const group = {
  groupId: '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6e',
  at: '2026-03-30T10:00:00.000Z',
  origin: 'USER',
  by: 'Ada',
  total: 4,
  pending: 4,
  accepted: 0,
  rejected: 0,
  undone: 0,
  currency: 'USD',
  items: [created(70), created(71), { ...created(80), entity: 'negative' }],
}
const bulk = (items: { id: number; version: number }[]) => ({
  groupId: group.groupId,
  outcomes: items.map(({ id, version }) =>
    id === 71 && version === 2
      ? { status: 'CONFLICT', message: 'Changed meanwhile.', version: 3, row: {} }
      : { status: 'CHANGED', message: null, version: version + 1 },
  ),
})
const merchantDetail = () => ({
  id: 1,
  name: 'Harbour',
  accountType: 'SELLER',
  regionId: 1,
  regionName: 'North America',
  role: scene.role,
  connections: [],
  profiles: [],
})

beforeEach(() => {
  Object.assign(scene, { role: 'OWNER', requests: [], sent: [], blocks: [], harvested: undefined })
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string | null }) => {
    const url = new URL(path, 'https://tideline.test')
    const body = init.body ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    if (init.method === 'GET' || url.pathname === '/api/events') scene.requests.push(url)
    else scene.sent.push({ path: url.pathname, method: init.method, body })
    if (init.method === 'DELETE') return new Response(null, { status: 204 })
    const answer = answerOf(url, body)
    return answer === null
      ? Response.json({ errorCode: 'NOT_FOUND', message: 'none' }, { status: 404 })
      : Response.json(answer)
  })
})
const requestsTo = (path: string) => scene.requests.filter(url => url.pathname === path)
const sentTo = (path: string) => scene.sent.filter(one => one.path === path).map(one => one.body)
const select = async (term: string) => fireEvent.click(await screen.findByLabelText(`Select ${term}`))
const press = async (name: string | RegExp) => {
  const button = await screen.findByRole('button', { name, hidden: true })
  await waitFor(() => expect((button as HTMLButtonElement).disabled).toBe(false))
  fireEvent.click(button)
}

it('shows where a term came from, what covers it, and what negating it would risk', async () => {
  open('/search-terms')
  expect(await screen.findByText('steel bottle')).toBeTruthy()
  expect(screen.getAllByText('SP · Bottles auto · Auto group, from close match')).toHaveLength(3)
  expect(screen.getByText('phrase “cheap” of the whole campaign')).toBeTruthy()
  expect(
    screen.getByText(
      'No order in 20 clicks: negating it is 19% likely to be a mistake. 8 clicks more without an order would make it sure.',
    ),
  ).toBeTruthy()
  expect(screen.getByText('No order in 60 clicks: negating it is less than 1% likely to be a mistake.')).toBeTruthy()
})

it('asks for what the address narrows it to', async () => {
  open(
    '/search-terms?coverage=NEW&orders=WITHOUT&minClicks=10&adType=SPONSORED_BRANDS&name=bot&words=free&sortBy=clicks&sortDir=asc',
  )
  await screen.findByText('steel bottle')
  expect(Object.fromEntries(requestsTo('/api/search-terms/cm')[0]?.searchParams ?? [])).toMatchObject({
    coverage: 'NEW',
    orders: 'WITHOUT',
    minClicks: '10',
    adType: 'SPONSORED_BRANDS',
    searchTermName: 'bot',
    words: 'free',
    sortBy: 'clicks',
    sortDir: 'asc',
  })
})

it('leads from a word to the terms that contain it', async () => {
  const router = open('/search-terms?view=words&minClicks=5')
  fireEvent.click(await screen.findByText('free'))
  await screen.findByText('steel bottle')
  expect(router.state.location.search).toMatchObject({ words: 'free', minClicks: 5 })
  expect(requestsTo('/api/search-terms/words')[0]?.searchParams.get('sortBy')).toBe('waste')
  expect(requestsTo('/api/search-terms/cm').at(-1)?.searchParams.get('words')).toBe('free')
  fireEvent.click(screen.getByRole('button', { name: 'Show all, not only: Contains “free”' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('words'))
})

it('harvests the selected terms at the suggested bids, and undoes it', async () => {
  open('/search-terms')
  await select('steel bottle')
  await select('bottle lid')
  await press('Harvest')
  fireEvent.click(await screen.findByLabelText(/Exact group/))
  expect(await screen.findByText(/“Exact group” gets 2 exact keywords, and the 2 ad groups so far/)).toBeTruthy()
  // An automatic campaign takes no keywords.
  expect(screen.queryByLabelText(/Auto group/)).toBeNull()
  const bid = await screen.findByLabelText<HTMLInputElement>('Bid for steel bottle')
  await waitFor(() => expect(bid.value).toBe('0.74'))
  expect(screen.getAllByText('$0.60 to $1.20. The marketplace suggests it.')).toHaveLength(2)
  fireEvent.change(bid, { target: { value: '0.001' } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Harvest 2 terms', hidden: true }).disabled).toBe(true)
  fireEvent.change(bid, { target: { value: '0.9' } })
  await press('Harvest 2 terms')
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('2 terms harvested'))
  expect(sentTo('/api/search-terms/harvest')[0]).toEqual({
    items: [
      { term: 'steel bottle', sourceAdGroupId: 21, adGroupId: 23, matchType: 'EXACT', bid: 0.9, negateInSource: true },
      { term: 'bottle lid', sourceAdGroupId: 22, adGroupId: 23, matchType: 'EXACT', bid: 0.74, negateInSource: true },
    ],
  })
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(currentToasts().map(one => one.title)).toContain('Harvest undone'))
  // The negatives first: the search always finds one of the two ad groups. The second version was one too old.
  expect(scene.sent.slice(-4)).toMatchObject([
    { method: 'DELETE', path: '/api/negatives/80' },
    { method: 'DELETE', path: '/api/negatives/81' },
    {
      path: '/api/bulk',
      body: [
        { entity: 'target', id: 70, version: 2, set: { state: 'PAUSED' } },
        { entity: 'target', id: 71, version: 2, set: { state: 'PAUSED' } },
      ],
    },
    { path: '/api/bulk', body: [{ entity: 'target', id: 71, version: 3, set: { state: 'PAUSED' } }] },
  ])
})

it('shows what became of each term when one could not be harvested', async () => {
  scene.harvested = {
    groupId: '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6e',
    outcomes: [{ status: 'INVALID', id: null, negativeId: null, message: 'The bid is too low.' }],
  }
  open('/search-terms')
  await select('steel bottle')
  await press('Harvest')
  fireEvent.click(await screen.findByLabelText(/Exact group/))
  await press('Harvest 1 term')
  expect(await screen.findByText('The bid is too low.')).toBeTruthy()
  expect(currentToasts()).toEqual([])
})

it('shows which running keywords a negative would stop before it adds it, and takes it back', async () => {
  scene.blocks = [
    {
      targetId: 5,
      text: 'free bottle',
      matchType: 'BROAD',
      adGroupId: 21,
      adGroupName: 'Auto group',
      campaignName: 'Bottles auto',
      orders: 5,
      cost: 40,
    },
  ]
  open('/search-terms')
  await select('free bottle')
  await select('bottle lid')
  await press('Negate')
  expect(await screen.findByText('Stops a running keyword:')).toBeTruthy()
  expect(screen.getByText(/“free bottle” broad in Bottles auto · Auto group: 5 orders for \$40.00/)).toBeTruthy()
  fireEvent.click(screen.getByLabelText('Whole campaign'))
  await press('Negate 2 terms anyway')
  await waitFor(() => expect(currentToasts()[0]?.title).toBe('2 negatives added'))
  expect(sentTo('/api/sp/negative-keyword/create')).toEqual([
    { campaignId: 11, keywords: [{ text: 'free bottle', matchType: 'NEGATIVE_EXACT' }] },
  ])
  // Brands has none for a whole campaign.
  expect(sentTo('/api/sb/negative-keyword/create')).toEqual([
    { campaignId: 12, adGroupId: 22, keywords: [{ text: 'bottle lid', matchType: 'NEGATIVE_EXACT' }] },
  ])
  currentToasts()[0]?.action?.onSelect()
  await waitFor(() => expect(scene.sent.filter(one => one.method === 'DELETE')).toHaveLength(2))
})

it('lets a viewer look and change nothing', async () => {
  scene.role = 'VIEWER'
  open('/search-terms')
  await screen.findByText('steel bottle')
  await waitFor(() => expect(requestsTo('/api/profile/merchant/1')).toHaveLength(1))
  expect(screen.queryByLabelText('Select steel bottle')).toBeNull()
  expect(screen.queryByLabelText('Actions for steel bottle')).toBeNull()
})

it('says why nothing can be done offline', async () => {
  open('/search-terms')
  await select('steel bottle')
  onlineManager.setOnline(false)
  const bar = within(screen.getByRole('region', { name: 'Selected search terms' }))
  expect(await bar.findByText('Harvesting and negating need a connection.')).toBeTruthy()
  expect(bar.getByRole<HTMLButtonElement>('button', { name: 'Harvest' }).disabled).toBe(true)
})

it('is a table from 768 px, ordered by its headings', async () => {
  viewport(true)
  const router = open('/search-terms')
  const table = within(await screen.findByRole('table', { name: 'search terms' }))
  fireEvent.click(table.getByRole('button', { name: 'Clicks' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ sortBy: 'clicks', sortDir: 'desc' }))
  fireEvent.click(table.getByLabelText('Select all rows'))
  expect(screen.getByText('4 selected')).toBeTruthy()
})
