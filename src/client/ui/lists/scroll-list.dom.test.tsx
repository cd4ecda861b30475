import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { ScrollList } from './scroll-list.tsx'
import { stubLayout } from '../../../../tests/support/stub-layout.ts'

const height = 500
const rowHeight = 50
beforeAll(() => stubLayout({ listPx: height, rowPx: rowHeight }))
afterAll(() => vi.restoreAllMocks())
afterEach(cleanup)

const label = 'Things'
function Things({ count }: { count: number }) {
  const [last, setLast] = useState('')
  return (
    <>
      <ScrollList count={count} itemKey={index => index} label={label} estimate={rowHeight}>
        {index => (
          <>
            <input aria-label={`Name of ${index}`} />
            <button type="button" onClick={() => setLast(`Took ${index}`)}>
              Take {index}
            </button>
          </>
        )}
      </ScrollList>
      <output>{last}</output>
    </>
  )
}
const rows = () => screen.getAllByRole('listitem')
function scroller() {
  const found = screen.getByLabelText(label).parentElement
  if (!found) throw new Error('the list has no scroller')
  return found
}
function scrollTo(px: number) {
  return act(() => {
    scroller().scrollTop = px
    fireEvent.scroll(scroller())
  })
}
const take = (index: number) => screen.getByText(`Take ${index}`)

it('draws no more rows than are in sight, wherever 10,000 are scrolled to, and says which of how many each is', () => {
  render(<Things count={10_000} />)
  let most = 0
  for (let px = 0; px <= 10_000 * rowHeight - height; px += 12_345) {
    scrollTo(px)
    most = Math.max(most, rows().length)
    expect(screen.getByText(`Take ${Math.floor(px / rowHeight)}`)).toBeTruthy()
  }
  // Ten in sight, one more where the edge cuts a row, six on either side.
  expect(most).toBeLessThanOrEqual(10 + 1 + 2 * 6 + 1)
  expect(rows().every(row => row.getAttribute('aria-setsize') === '10000')).toBe(true)
  const last = rows().at(-1)
  expect(last?.getAttribute('aria-posinset')).toBe(String(Number(last?.dataset['index']) + 1))
})
it('keeps the row that has the focus, however far it is scrolled away', () => {
  render(<Things count={10_000} />)
  const field = screen.getByLabelText('Name of 3')
  act(() => field.focus())
  fireEvent.change(field, { target: { value: 'half typed' } })
  scrollTo(300_000)
  expect(take(6000)).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect(screen.getByLabelText<HTMLInputElement>('Name of 3').value).toBe('half typed')
  act(() => field.blur())
  expect(screen.queryByLabelText('Name of 3')).toBeNull()
})
it('is entered by Tab in one row, and walked by the keys to the same control of other rows', () => {
  render(<Things count={10_000} />)
  const stops = () => rows().flatMap(row => [...row.querySelectorAll<HTMLElement>('[tabindex="0"]')])
  expect(stops()).toEqual([screen.getByLabelText('Name of 0'), take(0)])
  act(() => take(0).focus())
  const press = (key: string, ctrlKey = false) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ctrlKey })
  press('ArrowDown')
  expect(document.activeElement).toBe(take(1))
  press('PageDown')
  expect(document.activeElement).toBe(take(11))
  press('ArrowUp')
  expect(stops().map(stop => stop.closest('li')?.dataset['index'])).toEqual(['10', '10'])
  press('ArrowUp')
  press('Home', true)
  expect(document.activeElement).toBe(take(0))
  press('ArrowUp')
  expect(document.activeElement).toBe(take(0))
})
it('draws a short list whole, each row in the order of Tab, with nothing to scroll', () => {
  render(<Things count={30} />)
  expect(rows()).toHaveLength(30)
  expect(rows().some(row => row.querySelector('[tabindex]'))).toBe(false)
})
