import { createContext, type RefObject, useContext, useLayoutEffect, useState } from 'react'

const positions = new Map<string, number>()
const maxPositions = 200

export const PageScroll = createContext<HTMLElement | null>(null)
export const usePageScroll = (): HTMLElement | null => useContext(PageScroll)

/**
 * Finds the scrolling element of a page and puts it back where this history entry was left; an entry that is new to the
 * page, such as another filter, leaves it where it is. The router's own restoration cannot see into Ionic's content.
 */
export function useRestoredScroll(content: RefObject<HTMLIonContentElement | null>, key: string): HTMLElement | null {
  const [element, setElement] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    let gone = false
    let scroller: HTMLElement | undefined
    const remember = (): void => {
      if (positions.size >= maxPositions && !positions.has(key)) positions.delete(positions.keys().next().value ?? '')
      if (scroller) positions.set(key, scroller.scrollTop)
    }
    const start = async (): Promise<void> => {
      const scrollElement = await content.current?.getScrollElement?.()
      if (gone || !scrollElement) return
      scroller = scrollElement
      const lastTop = positions.get(key)
      if (lastTop !== undefined) scrollElement.scrollTop = lastTop
      scrollElement.addEventListener('scroll', remember, { passive: true })
      setElement(scrollElement)
    }
    void start()
    return () => {
      gone = true
      scroller?.removeEventListener('scroll', remember)
    }
  }, [content, key])
  return element
}
