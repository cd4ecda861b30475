import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RatesNote } from './marketplace-breakdown.tsx'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z'), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const converted = (rate: number) => ({ cost: 1, sales: 1, rate })
function show(ratesOf: string) {
  return render(
    <RatesNote
      userCurrency="USD"
      ratesOf={ratesOf}
      rows={[
        { currency: 'USD', converted: converted(1) },
        { currency: 'JPY', converted: converted(157.9837) },
        { currency: 'EGP', converted: null },
      ]}
    />,
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
it('says nothing where no money was converted', () => {
  const { container } = render(
    <RatesNote userCurrency="USD" ratesOf="2026-11-19" rows={[{ currency: 'USD', converted: converted(1) }]} />,
  )
  expect(container.innerHTML).toBe('')
})
