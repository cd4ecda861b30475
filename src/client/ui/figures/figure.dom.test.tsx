import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Change, Figure, Metric, Sparkline } from './figure.tsx'

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
it('knows no change without both values or from nothing', () => {
  const changeOf = (now: number | null, before: number | null) => {
    cleanup()
    return render(<Change now={now} before={before} />).container.textContent
  }
  expect(changeOf(110, 100)).toBe('+10% more than the period before')
  expect(changeOf(50, -100)).toBe('+150% more than the period before')
  for (const [now, before] of [
    [null, 1],
    [1, null],
    [1, 0],
  ] as const)
    expect(changeOf(now, before)).toBe('– no comparison with the period before')
})
it('draws gaps where a value is missing, and a flat line in the middle', () => {
  const linesOf = (values: (number | null)[]) => {
    const { container } = render(<Sparkline values={values} label="Spend" />)
    return [...container.querySelectorAll('polyline')].map(line => line.getAttribute('points'))
  }
  expect(linesOf([0, 10, null, 5])).toEqual(['0,30 40,2', '120,16'])
  expect(linesOf([4, 4])).toEqual(['0,16 120,16'])
  expect(linesOf([null, null])).toEqual([])
})
