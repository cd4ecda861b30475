import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import { campaign as campaignSchema } from '#features/structure/contract.ts'
import type { SearchTerm } from '#features/search-terms/contract.ts'
import './campaigns-scene.tsx'
import { figuresWithRatios } from './sum-figures.ts'

const figures = (clicks: number, cost: number, orders: number) =>
  figuresWithRatios({ impressions: clicks * 20, clicks, cost, sales: orders * 20, orders, units: orders })
export const base: SearchTerm = {
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
const adGroups = [
  adGroup(23, 13, 'Exact group', 'Bottles exact'),
  adGroup(21, 11, 'Auto group', 'Bottles auto'),
  // Ad groups of Brands have no default bid.
  { ...adGroup(24, 14, 'Words group', 'Brand words'), adType: 'SPONSORED_BRANDS', defaultBid: null },
]
const brandWords = {
  ...Object.fromEntries(Object.keys(campaignSchema.entries).map(name => [name, null])),
  ...campaign(14, 'Brand words', 'MANUAL', 'SPONSORED_BRANDS'),
  placements: [],
  costType: 'CPC',
  budget: 20,
  currency: 'USD',
  syncState: 'SYNCED',
  version: 1,
}

/** What a harvest is in the ledger. */
export const harvestGroup = '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d6e'

export const scene = {
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
  items?: { adGroupId: number }[]
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
      return [
        campaign(11, 'Bottles auto', 'AUTO'),
        campaign(13, 'Bottles exact', 'MANUAL'),
        campaign(14, 'Brand words', 'MANUAL', 'SPONSORED_BRANDS'),
      ]
    case '/api/campaigns/14':
      return brandWords
    case '/api/adgroups/cm': {
      const only = url.searchParams.get('campaignId')
      return page(adGroups.filter(row => only === null || String(row.campaignId) === only))
    }
    case '/api/search-terms/bids':
      return body.items?.map(({ adGroupId }) =>
        adGroupId === 24
          ? {
              bid: null,
              lowBid: null,
              highBid: null,
              why: 'The marketplace suggests bids for Sponsored Products only.',
            }
          : { bid: 0.74, lowBid: 0.6, highBid: 1.2, why: 'The marketplace suggests it.' },
      )
    case '/api/search-terms/harvest':
      return (
        scene.harvested ?? {
          groupId: harvestGroup,
          outcomes: body.items?.map((_, i) => ({ status: 'CREATED', id: 70 + i, negativeId: 80 + i, message: null })),
        }
      )
    case `/api/changes/groups/${harvestGroup}/undo`: {
      const undone = [1, 2, 3, 4].map(changeId => ({ changeId, status: 'UNDONE', message: null }))
      return { groupId: '0b0c3c4e-7a4f-4a6e-9d1e-1f2a3b4c5d70', outcomes: undone }
    }
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
      return url.pathname.startsWith('/api/profile/') ? merchantDetail() : null
  }
}
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

/** What a page sends by itself, and not for the user. */
const pageCalls = ['/api/events', '/api/campaigns/synchronize']

beforeEach(() => {
  Object.assign(scene, { role: 'OWNER', requests: [], sent: [], blocks: [], harvested: undefined })
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string | null }) => {
    const url = new URL(path, 'https://tideline.test')
    const body = init.body ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    if (init.method === 'GET' || pageCalls.includes(url.pathname)) scene.requests.push(url)
    else scene.sent.push({ path: url.pathname, method: init.method, body })
    if (init.method === 'DELETE') return new Response(null, { status: 204 })
    const answer = answerOf(url, body)
    return answer === null
      ? Response.json({ errorCode: 'NOT_FOUND', message: 'none' }, { status: 404 })
      : Response.json(answer)
  })
})
export const requestsTo = (path: string) => scene.requests.filter(url => url.pathname === path)
export const sentTo = (path: string) => scene.sent.filter(one => one.path === path).map(one => one.body)
export const select = async (term: string) => fireEvent.click(await screen.findByLabelText(`Select ${term}`))
export const press = async (name: string | RegExp) => {
  // Looked for again each time: a button that was found may have given way to another by the time it can be pressed.
  await waitFor(() => {
    const button = screen.getByRole<HTMLButtonElement>('button', { name, hidden: true })
    expect(button.disabled).toBe(false)
    fireEvent.click(button)
  })
}
