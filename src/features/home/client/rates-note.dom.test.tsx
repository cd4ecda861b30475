import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { noSums, toFigures } from '#shared/metrics.ts'
import { MarketplaceBreakdown } from './marketplace-breakdown.tsx'
import { homeQueries } from './queries.ts'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z'), toFake: ['Date'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const shop = { merchantId: 1, marketplaceId: 1 }
const range = { from: '2026-11-01', to: '2026-11-19' }
const rowOf = (marketplaceId: number, currency: string, rate: number | null) => ({
  merchantId: 1,
  merchantName: 'Harbor',
  marketplaceId,
  countryCode: 'US',
  name: `Marketplace ${marketplaceId}`,
  currency,
  ...toFigures(noSums),
  converted: rate === null ? null : { cost: 1, sales: 1, rate },
  freshness: { asOf: null, movingFrom: null },
})
const sold = [rowOf(1, 'USD', 1), rowOf(2, 'JPY', 157.9837), rowOf(3, 'EGP', null)]
function show(ratesOf: string, rows = sold) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(homeQueries.breakdown(shop, range).queryKey, {
    userCurrency: 'USD',
    ratesOf,
    rows,
    total: null,
    withoutAccess: 0,
  })
  render(
    <QueryClientProvider client={client}>
      <MarketplaceBreakdown shop={shop} range={range} />
    </QueryClientProvider>,
  )
}

it('says each rate and the day of the rates', () => {
  show('2026-11-19')
  const note = screen.getByText(/Converted at/)
  expect(note.textContent).toMatch(/of Nov 19, 2026: 1 USD = 157\.98 JPY\.$/)
})
it('warns of rates that are more than a week old', () => {
  show('2026-11-12')
  expect(screen.getByText(/more than a week old/)).toBeTruthy()
})
it('says why there is no total where an amount cannot be converted', () => {
  show('2026-11-19')
  expect(screen.getByText(/^No total: there is no reference rate for EGP/)).toBeTruthy()
})
it('says nothing where no money was converted', () => {
  show('2026-11-19', sold.slice(0, 1))
  expect(screen.getByText('Marketplace 1')).toBeTruthy()
  expect(document.querySelector('.card-note')).toBeNull()
})
