import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { open, scene, tide } from '../../../../../tests/support/campaigns-scene.tsx'
import { figuresWithRatios } from '../../../../../tests/support/sum-figures.ts'

const place = (name: string, clicks: number, cost: number, sales: number, orders: number) => ({
  place: name,
  ...figuresWithRatios({ impressions: clicks * 90, clicks, cost, sales, orders, units: orders }),
})
const answer = (...content: object[]) => {
  scene.answers['/api/campaigns/11/places'] = { currency: 'USD', dateFrom: '2026-02-19', dateTo: '2026-03-20', content }
}
const card = async () => within(await screen.findByRole('region', { name: 'By placement' }))

it('shows what each placement brought, how bids are adjusted there and what is not reported yet', async () => {
  scene.rows = [{ ...tide, placements: [{ placement: 'TOP_OF_SEARCH', percentage: 30 }] }]
  answer(place('TOP_OF_SEARCH', 40, 24, 120, 4), place('PRODUCT_PAGE', 20, 10, 0, 0), place('OFF_AMAZON', 2, 1, 0, 0))
  open('/campaigns?campaign=11')
  const table = await (await card()).findByRole('table')
  const rows = within(table)
    .getAllByRole('row')
    .map(row => [...row.children].map(cell => cell.textContent))
  expect(rows[0]).toEqual(['Placement', 'Ad spend', 'Clicks', 'CVR', 'ACOS'])
  expect(rows[1]?.[0]).toBe('Top of searchBids +30%')
  expect(rows[1]?.slice(1).join(' ')).toMatch(/24.*40.*10.*20/)
  expect(rows[2]?.[0]).toBe('Product pagesBids as set')
  expect(rows[3]?.[0]).toBe('Off the marketplace')
  expect((await card()).getByText('$5.00 of $40.00 is not reported by placement yet.')).toBeTruthy()
})

it('is not there for Display campaigns, which have no placements', async () => {
  scene.rows = [{ ...tide, adType: 'SPONSORED_DISPLAY' }]
  open('/campaigns?campaign=11')
  await screen.findByRole('region', { name: 'Figures' })
  expect(screen.queryByRole('region', { name: 'By placement' })).toBeNull()
  expect(scene.asked.some(url => url.pathname.endsWith('/places'))).toBe(false)
})
