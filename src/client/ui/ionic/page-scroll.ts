import { createContext, useContext } from 'react'

export interface PageScroller {
  /** The element that scrolls; null until Ionic has drawn it. */
  element: HTMLElement | null
  /** Where the page is put then, in px: where it was when it was left. */
  top: number
}

export const PageScroll = createContext<PageScroller>({ element: null, top: 0 })
export const usePageScroll = (): PageScroller => useContext(PageScroll)
