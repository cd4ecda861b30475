import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { stubLayout } from '../../../../tests/support/stub-layout.ts'
import { PageScroll } from '../ionic/page-scroll.ts'
import { VirtualList } from './virtual-list.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

// Eight pixels are the padding of a row whose elements Ionic has not drawn.
it.each([8, 100])('draws the rows in sight and the next, also while they are %i px high', rowPx => {
  stubLayout({ listPx: 700, rowPx })
  const scroller = document.createElement('main')
  const items = Array.from({ length: 50 }, (_, id) => ({ id }))
  render(
    <PageScroll value={scroller}>
      <VirtualList items={items} itemKey={({ id }) => id} label="campaigns">
        {({ id }) => <p>Campaign {id}</p>}
      </VirtualList>
    </PageScroll>,
  )
  const drawn = screen.getAllByRole('listitem').map(row => row.textContent)
  expect(drawn.slice(0, 6)).toEqual(items.slice(0, 6).map(({ id }) => `Campaign ${id}`))
  expect(drawn.length).toBeLessThan(12)
})
