import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useHeaderMotion } from './use-header-motion.ts'

// A page of 2,000 px in a window of 700 px whose header shrinks by 68 px.
function reader(contentHeight = 2000) {
  let motion = { collapsed: false, tucked: false }
  let scrollTop = 0
  const clientHeight = () => 700 + (motion.tucked ? 68 : 0)
  const scroller = Object.defineProperties(document.createElement('div'), {
    scrollTop: { get: () => Math.max(0, Math.min(scrollTop, contentHeight - clientHeight())) },
    scrollHeight: { get: () => Math.max(contentHeight, clientHeight()) },
    clientHeight: { get: clientHeight },
  })
  const { result } = renderHook(() => useHeaderMotion(scroller))
  const scroll = () => {
    scrollTop = scroller.scrollTop
    act(() => void scroller.dispatchEvent(new Event('scroll')))
    motion = result.current
  }
  return (to: number) => {
    scrollTop = to
    scroll()
    // The header's own movement scrolls once more.
    scroll()
    return motion
  }
}

it('makes room on the way down, and comes back on the way up before the top is reached', () => {
  const scrollTo = reader()
  expect(scrollTo(60)).toEqual({ collapsed: false, tucked: false })
  expect(scrollTo(400)).toEqual({ collapsed: true, tucked: true })
  expect(scrollTo(390)).toEqual({ collapsed: true, tucked: true })
  expect(scrollTo(360)).toEqual({ collapsed: true, tucked: false })
  expect(scrollTo(500)).toEqual({ collapsed: true, tucked: true })
  expect(scrollTo(0)).toEqual({ collapsed: false, tucked: false })
})
it.each([710, 760, 796, 800, 830, 870])('does not flutter at the end of a page of %i px', contentHeight => {
  const scrollTo = reader(contentHeight)
  const first = scrollTo(contentHeight)
  for (let again = 0; again < 5; again += 1) expect(scrollTo(contentHeight)).toEqual(first)
})
