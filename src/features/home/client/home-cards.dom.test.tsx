import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { setupIonicReact } from '@ionic/react'
import type { DashboardCard } from '../contract.ts'
import { HomeCards } from './home-cards.tsx'

setupIonicReact()
afterEach(cleanup)

const acos: DashboardCard = {
  metric: 'acos',
  unit: 'PERCENT',
  value: 22.178,
  compared: 20,
  previous: 25,
  unknownBecause: null,
  note: null,
  sparkline: [20, 25, 90],
  band: null,
  terms: [
    { name: 'spend', value: 9884.84 },
    { name: 'sales', value: 44_568.6 },
  ],
}
const data = {
  currency: 'USD',
  dateFrom: '2026-03-01',
  dateTo: '2026-03-03',
  comparedTo: '2026-03-03',
  previousFrom: '2026-02-26',
  previousTo: '2026-02-28',
  freshness: { asOf: '2026-03-03T10:00:00.000Z', movingFrom: '2026-03-02' },
  cards: [acos],
}
const pointsOf = () => document.querySelector('.sparkline polyline')?.getAttribute('points')?.split(' ').length

it('explains a figure on a tap: what it is, its formula in numbers, its exact value, the period before and its age', async () => {
  render(<HomeCards data={data} today="2026-03-09" />)
  fireEvent.click(screen.getByRole('button', { name: /^ACOS/ }))
  const sheet = within(await screen.findByRole('region', { name: 'ACOS' }))
  expect(sheet.getByText(/how much of every unit of ad sales you spent on ads/)).toBeTruthy()
  expect(sheet.getByText('ACOS = Ad spend ÷ Ad sales')).toBeTruthy()
  expect(sheet.getByText('$9,884.84 ÷ $44,568.60 = 22.18%')).toBeTruthy()
  expect(sheet.getByText('25%')).toBeTruthy()
  expect(sheet.getByText(/the 3 days before/, { selector: 'dt' })).toBeTruthy()
  expect(sheet.getByText(/^Updated/)).toBeTruthy()
  expect(sheet.getByText(/Data since Mar 2 may change/)).toBeTruthy()
  expect(sheet.queryByText(/is not over/)).toBeNull()
})

it('leaves a day that is not over out of the line, and says so', async () => {
  const { rerender } = render(<HomeCards data={data} today="2026-03-04" />)
  expect(pointsOf()).toBe(3)
  expect(screen.getByText(/^Changes compare/).textContent).not.toMatch(/not over/)
  const running = { ...data, comparedTo: '2026-03-02', previousFrom: '2026-02-27' }
  rerender(<HomeCards data={running} today="2026-03-03" />)
  expect(pointsOf()).toBe(2)
  expect(screen.getByLabelText(/without days that are not over/)).toBeTruthy()
  expect(screen.getByText(/^Changes compare/).textContent).toMatch(
    /Mar 1\s–\s2, 2026 with Feb 27\s–\s28, 2026\. Mar 3 is not over/,
  )
  // 20 against 25, not the 22.178 that today is part of.
  expect(screen.getByText('-20%')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^ACOS/ }))
  expect(within(await screen.findByRole('region', { name: 'ACOS' })).getByText(/Mar 3 is not over/)).toBeTruthy()
})

it('says why a figure is not known, on the card and in its explanation', async () => {
  const unknown = { ...acos, value: null, terms: [], unknownBecause: 'Not known: there were no attributed sales.' }
  render(<HomeCards data={{ ...data, cards: [unknown] }} today="2026-03-09" />)
  fireEvent.click(screen.getByRole('button', { name: /^ACOS/ }))
  const sheet = within(await screen.findByRole('region', { name: 'ACOS' }))
  expect(sheet.getByText('Not known: there were no attributed sales.')).toBeTruthy()
  expect(sheet.queryByText(/÷/)).toBeNull()
})

it('says where a figure ends, on the card and exactly in its explanation, unless the band reads as one number', async () => {
  const sales: DashboardCard = { ...acos, metric: 'sales', unit: 'MONEY', value: 48_168.39, terms: [] }
  const banded = { ...sales, band: { low: 48_420.5, high: 50_110 } }
  const { rerender } = render(<HomeCards data={{ ...data, cards: [banded] }} today="2026-03-09" />)
  expect(screen.getByText('Likely $48.4K – $50.1K')).toBeTruthy()
  expect(screen.getByText(/settles in nine of ten cases/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Ad sales/ }))
  const sheet = within(await screen.findByRole('region', { name: 'Ad sales' }))
  expect(sheet.getByText('$48,420.50 and $50,110.00')).toBeTruthy()
  for (const band of [null, { low: 48_170, high: 48_190 }]) {
    rerender(<HomeCards data={{ ...data, cards: [{ ...sales, band }] }} today="2026-03-09" />)
    expect(screen.queryByText(/Likely/)).toBeNull()
  }
})
