import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { open, scene, viewport } from '../../../../../tests/support/campaigns-scene.tsx'
import { figuresWithRatios } from '../../../../../tests/support/sum-figures.ts'
import type { AsinPage, AsinRow } from '../../asin-contract.ts'

const figures = figuresWithRatios({ impressions: 1000, clicks: 100, cost: 50, sales: 200, orders: 10, units: 10 })
const hose: AsinRow = {
  asin: 'B0TEST0001',
  title: 'Garden hose',
  imageUrl: null,
  ...figures,
  totalSales: 400,
  totalUnits: 20,
  tacos: 12.5,
  profit: 200,
  profitUnknown: null,
  available: 28,
  coverDays: 16.3,
  previous: { cost: 40, sales: 100, totalSales: 200, totalUnits: 10, acos: 40, tacos: 20 },
  trend: [1, 2, 3],
}
const lamp: AsinRow = { ...hose, asin: 'B0TEST0002', title: 'Desk lamp', profit: null, profitUnknown: 'COGS' }
const range = { currency: 'USD', dateFrom: '2026-03-01', dateTo: '2026-03-03' }
const freshness = { asOf: '2026-03-03T10:00:00.000Z', movingFrom: null }
const page: AsinPage = {
  ...range,
  freshness,
  previousFrom: '2026-02-26',
  previousTo: '2026-02-28',
  content: [hose, lamp],
  page: { size: 20, number: 0, totalElements: 2, totalPages: 1 },
  totals: { ...figures, totalSales: 800, totalUnits: 40, tacos: 6.25, profit: 150 },
  missingCosts: 1,
  unassigned: { ...figures, cost: 30, sales: 60, totalSales: 5 },
}
const show = (more: object = {}, address = '/insights/asin-performance') => {
  scene.answers['/api/performance-reports/asin-performance'] = { ...page, ...more }
  scene.answers['/api/performance-reports/asin-performance/chart'] = {
    ...range,
    freshness,
    points: ['2026-03-01', '2026-03-02', '2026-03-03'].map(date => ({
      date,
      ...figures,
      totalSales: 10,
      totalUnits: 1,
      tacos: 5,
    })),
    events: [
      { date: '2026-03-02', asin: hose.asin, title: 'Garden hose', kind: 'OUT_OF_STOCK', before: 4, after: 0 },
      { date: '2026-03-03', asin: hose.asin, title: 'Garden hose', kind: 'PRICE_CHANGED', before: 19, after: 20 },
    ],
  }
  return open(address)
}

it('shows each product on a phone, why a profit is unknown, and what belongs to no product', async () => {
  show()
  const list = within(await screen.findByRole('list', { name: 'Products' }))
  const [first, second] = list.getAllByRole('listitem')
  if (!first || !second) throw new Error('no products')
  expect(within(first).getByText('$200.00')).toBeTruthy()
  expect(within(first).getByText('16')).toBeTruthy()
  expect(within(first).getByText(/\+100/)).toBeTruthy()
  const [unknown] = within(second).getAllByRole('button')
  if (!unknown) throw new Error('no reason')
  fireEvent.click(unknown)
  expect(await within(second).findByText(/its COGS is missing for some of these days/)).toBeTruthy()
  const rest = within(screen.getByRole('region', { name: 'Not tied to one product' }))
  expect(rest.getByText('$30.00')).toBeTruthy()
  expect(screen.getByText(/other products included/)).toBeTruthy()
  expect(screen.getByText(/leaves out the sales of 1 product with a missing cost/)).toBeTruthy()
})

it('is a table with sums from 768 px, ordered by its headings', async () => {
  viewport(true)
  show()
  const table = within(await screen.findByRole('table', { name: 'Products' }))
  expect(table.getByText('All 2 products')).toBeTruthy()
  expect(table.getByText('$150.00')).toBeTruthy()
  fireEvent.click(table.getByRole('button', { name: 'Profit after ads' }))
  await waitFor(() => expect(scene.asked.some(url => url.search.includes('sortBy=profit&sortDir=desc'))).toBe(true))
})

it('opens a product with its days, what happened on them, and the way to its campaigns', async () => {
  show({}, '/insights/asin-performance?asin=B0TEST0002')
  expect(await screen.findByRole('heading', { name: 'Desk lamp' })).toBeTruthy()
  expect((await screen.findAllByText(/Garden hose ran out of stock/)).length).toBeGreaterThan(0)
  expect(screen.getAllByText(/Price of Garden hose from \$19.00 to \$20.00/).length).toBeGreaterThan(0)
  const campaigns = screen.getByRole('link', { name: 'See campaigns' })
  expect(campaigns.getAttribute('href')).toContain('/campaigns?asin=B0TEST0002')
  expect(screen.getByRole('link', { name: 'Enter COGS' }).getAttribute('href')).toContain('search=B0TEST0002')
})

it('says what to do when nothing matches, and leads back', async () => {
  show({ content: [], page: { ...page.page, totalElements: 0 } }, '/insights/asin-performance?search=zebra')
  expect(await screen.findByText('No product matches “zebra”')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Show all products' }))
  await waitFor(() => expect(scene.asked.at(-1)?.search).not.toContain('zebra'))
})

it('orders the cards of a phone in a sheet', async () => {
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Sort' }))
  fireEvent.change(await screen.findByRole('combobox', { name: 'Sort by' }), { target: { value: 'coverDays' } })
  fireEvent.click(screen.getByRole('radio', { name: 'Lowest first' }))
  await waitFor(() => expect(scene.asked.some(url => url.search.includes('sortBy=coverDays&sortDir=asc'))).toBe(true))
})
