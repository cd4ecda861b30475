import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { openShelf, productAt, shelf, showTargeting } from './targeting-test-scene.tsx'
import { waitUntil } from '../../../../../tests/support/wait-until.ts'

beforeEach(() => openShelf(10_000))
afterEach(() => {
  cleanup()
  for (const { id } of currentToasts()) dismissToast(id)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const rowPx = 132
const list = () => screen.getByLabelText('Available products')
const rows = () => within(list()).getAllByRole('listitem')
function scrollTo(px: number) {
  const scroller = list().parentElement
  if (!scroller) throw new Error('the list has no scroller')
  act(() => {
    scroller.scrollTop = px
    fireEvent.scroll(scroller)
  })
}
const requestedPages = () => shelf.asked.map(query => Number(query.get('page')))
const select = (index: number) => screen.findByLabelText(`Select Thing ${index}`)

it('draws only the rows in sight of 10,000 products, and asks only for the pages that are looked at', async () => {
  await showTargeting()
  await select(0)
  const counts: number[] = []
  // However long the machine takes for it, nothing comes to rest on the way.
  vi.useFakeTimers()
  for (let px = 0; px < 9_000 * rowPx; px += 54_321) {
    scrollTo(px)
    counts.push(rows().length)
  }
  vi.useRealTimers()
  scrollTo(9_000 * rowPx)
  expect((await select(9_000)).closest('li')?.getAttribute('aria-posinset')).toBe('9001')
  expect(rows().every(row => row.getAttribute('aria-setsize') === '10000')).toBe(true)
  expect(Math.max(...counts)).toBeLessThanOrEqual(5 + 1 + 2 * 6 + 1)
  expect(requestedPages()).toEqual([0, 450])
  expect(screen.getByText('9,001–9,020 of 10,000')).toBeTruthy()
})
it('fetches the next page before its first row comes into sight', async () => {
  await showTargeting()
  await select(0)
  scrollTo(13 * rowPx)
  expect(list().querySelector('[data-index="17"]')).toBeTruthy()
  await waitUntil(() => expect(requestedPages()).toEqual([0, 1]))
  scrollTo(17 * rowPx)
  await select(20)
})
it('goes to another page and to 10, 20 or 50 rows a page, 20 at first', async () => {
  await showTargeting()
  await select(0)
  fireEvent.click(screen.getByLabelText('Next page'))
  await select(20)
  expect(screen.getByText('21–40 of 10,000')).toBeTruthy()
  const sizes = screen.getByLabelText<HTMLSelectElement>('Rows on a page')
  expect([...sizes.options].map(option => option.value)).toEqual(['10', '20', '50'])
  fireEvent.change(sizes, { target: { value: '50' } })
  await select(0)
  expect(shelf.asked.at(-1)?.get('size')).toBe('50')
})
it('searches once nothing was typed for 400 ms, and never calls what is still sought not found', async () => {
  await showTargeting()
  await select(0)
  vi.useFakeTimers()
  const field = screen.getByLabelText('Search by title, SKU or ASIN')
  fireEvent.change(field, { target: { value: 'nothing like it' } })
  act(() => void vi.advanceTimersByTime(399))
  expect(shelf.asked).toHaveLength(1)
  act(() => void vi.advanceTimersByTime(1))
  await waitUntil(() => expect(screen.getByText('No product matches “nothing like it”')).toBeTruthy())
  fireEvent.change(field, { target: { value: `Thing 77${' '.repeat(300)}` } })
  act(() => void vi.advanceTimersByTime(400))
  expect(screen.queryByText(/No product matches/)).toBeNull()
  expect(document.querySelectorAll('.skeleton-shape')).toHaveLength(8)
  vi.useRealTimers()
  await select(77)
  expect(shelf.asked.at(-1)?.get('search')).toBe('Thing 77')
})
it('keeps what is in sight when a later page fails, and tries that again', async () => {
  shelf.refuse = page =>
    page === 1
      ? Response.json({ errorCode: 'RULE_VIOLATED', message: 'No', details: [], requestId: 'r' }, { status: 409 })
      : null
  await showTargeting()
  await select(0)
  scrollTo(12 * rowPx)
  expect(await screen.findByText(/^Failed to fetch inventory/)).toBeTruthy()
  await select(12)
  shelf.refuse = () => null
  fireEvent.click(screen.getByText('Try again'))
  scrollTo(18 * rowPx)
  await select(22)
  expect(screen.queryByText(/^Failed to fetch inventory/)).toBeNull()
})
it('says what to do where there is no product, and what failed where nothing came', async () => {
  openShelf(0)
  await showTargeting()
  expect(await screen.findByText('Products appear here after your inventory is imported.')).toBeTruthy()
  cleanup()
  shelf.refuse = () =>
    Response.json({ errorCode: 'RULE_VIOLATED', message: 'No', details: [], requestId: 'r' }, { status: 409 })
  await showTargeting()
  expect(await screen.findByText('Failed to fetch inventory')).toBeTruthy()
})
it('refuses the same ASIN under another SKU and what may not be advertised, with the reason', async () => {
  openShelf(3)
  const [, second, third] = shelf.products
  if (!second || !third) throw new Error('the shelf has three products')
  second.asin = productAt(0).asin
  Object.assign(third, { spEligibilityStatus: 'INELIGIBLE', spEligibilityMessage: 'It is out of stock.' })
  await showTargeting()
  const lastToast = () => [currentToasts().at(-1)?.title, currentToasts().at(-1)?.message]
  fireEvent.click(await select(0))
  expect(screen.getByLabelText('Thing 0 is selected').getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(await select(1))
  expect(lastToast()).toEqual([
    'ASIN Already Selected',
    'A product with this ASIN is already selected, even with a different SKU.',
  ])
  expect(screen.getByText('It is out of stock.', { exact: false })).toBeTruthy()
  fireEvent.click(await select(2))
  expect(lastToast()).toEqual(['Product Not Eligible', 'It is out of stock.'])
  expect(screen.getByText('Selected Products (1)')).toBeTruthy()
})
it('selects one product after the other by the keys alone, without the focus being lost', async () => {
  await showTargeting()
  const first = await select(0)
  act(() => first.focus())
  for (let i = 0; i < 12; i++) {
    fireEvent.click(document.activeElement ?? document.body)
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowDown' })
  }
  expect(document.activeElement).toBe(await select(12))
  expect(screen.getByText('Selected Products (12)')).toBeTruthy()
  // What can still be chosen stays in reach.
  expect(screen.getByText('Show 8 more products').closest('details')?.open).toBe(false)
  expect(screen.getByText('More than 10 products in one campaign are not recommended.')).toBeTruthy()
})
it('gives a removed product back with what was configured for it', async () => {
  openShelf(1)
  const { asin, sku, title, imageUrl } = productAt(0)
  if (asin === null) throw new Error('it has an ASIN')
  await showTargeting({
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    keywordMatchType: 'EXACT',
    products: [{ asin, sku, title, imageUrl }],
    keywords: { [asin]: [{ keyword: 'thing', matchType: 'EXACT', bid: 1 }] },
  })
  expect(screen.getByText(/1 keyword$/)).toBeTruthy()
  fireEvent.click(screen.getByLabelText('Remove Thing 0'))
  expect(document.activeElement?.textContent).toBe('Selected Products (0)')
  act(() => currentToasts().at(-1)?.action?.onSelect())
  expect(screen.getByText(/1 keyword$/)).toBeTruthy()
})
it('keeps search and page size when the sheets are drawn again, as on a rotated phone', async () => {
  await showTargeting()
  await select(0)
  fireEvent.change(screen.getByLabelText('Rows on a page'), { target: { value: '50' } })
  const search = () => screen.getByLabelText<HTMLInputElement>('Search by title, SKU or ASIN')
  fireEvent.change(search(), { target: { value: 'Thing 77' } })
  await select(77)
  fireEvent.click(screen.getByText('Turn the phone'))
  expect(search().value).toBe('Thing 77')
  await select(77)
  expect(screen.getByLabelText<HTMLSelectElement>('Rows on a page').value).toBe('50')
})
