import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { stubLayout } from '../../../../tests/support/stub-layout.ts'
import { PageScroll, type PageScroller } from '../ionic/page-scroll.ts'
import { VirtualList } from './virtual-list.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const items = Array.from({ length: 50 }, (_, id) => ({ id }))

function listIn(draw: (item: { id: number }) => ReactNode, page: PageScroller) {
  return (
    <PageScroll value={page}>
      <VirtualList items={items} itemKey={({ id }) => id} label="campaigns">
        {draw}
      </VirtualList>
    </PageScroll>
  )
}

// Eight pixels are the padding of a row whose elements Ionic has not drawn.
it.each([8, 100])('draws the rows in sight and the next, also while they are %i px high', rowPx => {
  stubLayout({ listPx: 700, rowPx })
  const scroller = document.createElement('main')
  render(listIn(({ id }) => <p>Campaign {id}</p>, { element: scroller, top: 0 }))
  const drawn = screen.getAllByRole('listitem').map(row => row.textContent)
  expect(drawn.slice(0, 6)).toEqual(items.slice(0, 6).map(({ id }) => `Campaign ${id}`))
  expect(drawn.length).toBeLessThan(12)
})

it('draws the first rows before the page scrolls, and none again when it does and they are measured', () => {
  stubLayout({ listPx: 700, rowPx: 100 })
  const draw = vi.fn(({ id }: { id: number }) => <p>Campaign {id}</p>)
  const { rerender } = render(listIn(draw, { element: null, top: 0 }))
  const first = screen.getAllByRole('listitem').map(row => row.textContent)
  expect(first.slice(0, 4)).toEqual(items.slice(0, 4).map(({ id }) => `Campaign ${id}`))
  rerender(listIn(draw, { element: document.createElement('main'), top: 0 }))
  const drawn = screen.getAllByRole('listitem')
  expect(drawn.length).toBeGreaterThan(first.length)
  expect(draw).toHaveBeenCalledTimes(drawn.length)
})

it('only takes its room before the page scrolls to where it was left, and then draws the rows there', () => {
  stubLayout({ listPx: 700, rowPx: 116 })
  const draw = vi.fn(({ id }: { id: number }) => <p>Campaign {id}</p>)
  const { container, rerender } = render(listIn(draw, { element: null, top: 2320 }))
  expect(draw).not.toHaveBeenCalled()
  expect(container.querySelector('div')?.style.height).toBe('5800px')
  const scroller = document.createElement('main')
  scroller.scrollTop = 2320
  vi.spyOn(HTMLUListElement.prototype, 'getBoundingClientRect').mockReturnValue({ top: -2320 } as DOMRect)
  rerender(listIn(draw, { element: scroller, top: 2320 }))
  expect(screen.getByText('Campaign 20')).toBeTruthy()
  expect(screen.queryByText('Campaign 0')).toBeNull()
})
