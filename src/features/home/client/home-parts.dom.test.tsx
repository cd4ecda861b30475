import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { noSums, toFigures } from '#shared/metrics.ts'
import type { homeEndpoints } from '../contract.ts'
import { BudgetsCard } from './budgets-card.tsx'
import { MarketplaceBreakdown } from './marketplace-breakdown.tsx'
import { homeQueries } from './queries.ts'

vi.mock('@tanstack/react-router', async original => ({
  ...(await original<object>()),
  Link: ({ to, search, children }: { to: string; search: Record<string, string>; children: React.ReactNode }) => (
    <a href={`${to}?${new URLSearchParams(search)}`}>{children}</a>
  ),
}))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const shop = { merchantId: 1, marketplaceId: 1 }
const range = { from: '2026-11-01', to: '2026-11-19' }
const clientWith = (key: readonly unknown[], data: object) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(key, data)
  return client
}

type Budgets = EndpointOutput<typeof homeEndpoints.budgets>
const budget = {
  campaignId: 7,
  name: 'Tide mugs',
  budget: 50,
  spent: 40,
  expected: 25,
  projected: 80,
  curve: 'OWN',
  endsAt: '2026-11-20T23:10:00.000Z',
  outSince: null,
  lostMinutes: 0,
  lostMinutesAhead: 530,
} as const
const budgets: Budgets = {
  currency: 'USD',
  timezone: 'America/Los_Angeles',
  asOf: '2026-11-20T20:00:00.000Z',
  movingFrom: '2026-11-13',
  today: {
    source: 'HOURS',
    campaigns: [budget],
    count: 4,
    total: { budget: 200, spent: 90, expected: 100, projected: 180, curve: 'OWN' },
  },
  month: { from: '2026-11-01', to: '2026-11-30', spent: 1900, average: 100, daysLeft: 11, projected: 3000 },
}
function showBudgets(data: Budgets) {
  render(
    <QueryClientProvider client={clientWith(homeQueries.budgets(shop).queryKey, data)}>
      <BudgetsCard shop={shop} />
    </QueryClientProvider>,
  )
  return within(screen.getByRole('region', { name: 'Today’s budgets' }))
}
const text = (card: ReturnType<typeof showBudgets>) => card.getByRole('heading').closest('section')?.textContent ?? ''

it('says what is spent, when a budget will be used up and what the month will cost', () => {
  const card = showBudgets(budgets)
  expect(text(card)).toContain('$90.00 of $200.00 a day in 4 campaigns, about $180.00 by midnight at this pace')
  expect(card.getByRole('link', { name: 'Tide mugs' }).getAttribute('href')).toBe('/campaigns?campaign=7')
  expect(text(card)).toMatch(/Will be used up at about 3:10\sPM: 8 h 50 min without ads\. \$25\.00 was expected by now/)
  expect(text(card)).toContain('This month: about $3,000.00')
  expect(text(card)).toContain('The pace follows the hours of the last 28 days.')
})

it('says since when a budget is used up, and by what the pace is where there are too few hours', () => {
  const out = {
    ...budget,
    curve: 'CLOCK',
    endsAt: null,
    outSince: '2026-11-20T18:30:00.000Z',
    lostMinutes: 90,
  } as const
  const card = showBudgets({ ...budgets, today: budgets.today && { ...budgets.today, campaigns: [out] } })
  expect(text(card)).toMatch(/Out of budget since 10:30\sAM, 1 h 30 min lost so far/)
  expect(text(card)).toMatch(/or the clock where there is less than a week of hours/)
})

it('claims no pace where hours are not received, and nothing of a day without figures', () => {
  const total = { budget: 200, spent: 9, expected: null, projected: null, curve: 'CLOCK' } as const
  const card = showBudgets({ ...budgets, today: { source: 'DAYS', campaigns: [], count: 4, total } })
  expect(text(card)).toMatch(/No campaign has used 80% of its\s*budget yet/)
  expect(text(card)).not.toMatch(/midnight/)
  cleanup()
  expect(text(showBudgets({ ...budgets, today: null }))).toContain('No figures for today yet.')
})

it('works in another marketplace of another merchant after a tap', async () => {
  const calls: string[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url, 'https://tideline.test')
    if (init.method === 'PATCH') calls.push(pathname + search)
    const merchant = { id: 2, name: 'Nordhafen', accountType: 'SELLER', regionId: 2, regionName: 'Europe' }
    const germany = { id: 4, amazonId: 'A1PA6795UKMFR9', name: 'Germany', key: 'DE', currency: 'EUR' }
    return Promise.resolve(Response.json(pathname.includes('marketplaces') ? germany : merchant))
  })
  const row = (merchantId: number, merchantName: string, marketplaceId: number, name: string) => ({
    merchantId,
    merchantName,
    marketplaceId,
    countryCode: 'US',
    name,
    currency: 'USD',
    ...toFigures(noSums),
    converted: { cost: 0, sales: 0, rate: 1 },
    freshness: { asOf: null, movingFrom: null },
  })
  const rows = [row(1, 'Harbor', 1, 'United States'), row(2, 'Nordhafen', 4, 'Germany')]
  const data = {
    userCurrency: 'USD',
    ratesOf: '2026-11-19',
    rows,
    withoutAccess: 1,
    total: { cost: 12, sales: 48, acos: 25, roas: 4 },
  }
  render(
    <QueryClientProvider client={clientWith(homeQueries.breakdown(shop, range).queryKey, data)}>
      <MarketplaceBreakdown shop={shop} range={range} />
    </QueryClientProvider>,
  )
  expect(screen.getByText('Total in USD')).toBeTruthy()
  expect(screen.getByText(/One merchant is left out/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /United States/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Switch to Nordhafen · Germany' }))
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls.map(call => call.split('?')[1])).toEqual(['merchantId=2', 'marketplaceId=4'])
})
