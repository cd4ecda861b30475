import { createContext, useContext } from 'react'
export const PageScroll = createContext<HTMLElement | null>(null)
export const usePageScroll = (): HTMLElement | null => useContext(PageScroll)
