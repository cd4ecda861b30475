import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Change, Metric } from './figure.tsx'
import { Figure } from './figure.tsx'

afterEach(cleanup)

it('shows the short form, says the exact one, and shows it on a tap', () => {
  render(<Figure value={12_412.4} kind="money" currency="USD" />)
  expect(screen.getByText('$12.4K').getAttribute('aria-hidden')).toBe('true')
  expect(screen.getByText('$12,412.40').className).toBe('visually-hidden')
  fireEvent.click(screen.getByRole('button'))
  expect(screen.queryByText('$12.4K')).toBeNull()
  expect(screen.getByText('$12,412.40').className).toBe('')
})
it('shows what is not known as a dash, never as 0, and says why', () => {
  render(<Figure value={null} kind="percent" reason="No clicks in these days." />)
  expect(screen.getByText('–')).toBeTruthy()
  expect(screen.queryByText(/0/)).toBeNull()
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByText('No clicks in these days.')).toBeTruthy()
})
it('tells a change with sign and words, and marks it good or bad by its direction', () => {
  const { container } = render(<Change now={90} before={100} good="down" period="the 30 days before" />)
  expect(container.textContent).toBe('-10% less than the 30 days before')
  expect(container.firstElementChild?.className).toContain('change-good')
})
it('shows no change for a figure that is not known', () => {
  const { container } = render(<Metric label="ACOS" value={null} before={12} kind="percent" />)
  expect(container.querySelector('.change')).toBeNull()
})
