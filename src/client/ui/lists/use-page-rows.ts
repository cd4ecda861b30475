import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'

interface PageRows<T> {
  items: readonly T[]
  itemKey: (item: T) => string | number
  onEnd?: (() => void) | undefined
  scroller: HTMLElement
  place: RefObject<HTMLElement | null>
  /** Likely height of a row in px; rows are measured once drawn. */
  likelyHeight: number
}

/** The rows in sight of a list that scrolls with its page; `offset` is the part of the page above it, in px. */
export function usePageRows<T>({ items, itemKey, onEnd, scroller, place, likelyHeight }: PageRows<T>) {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (place.current)
      setOffset(place.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop)
  }, [scroller, place])
  // oxlint-disable-next-line react/incompatible-library -- no compiler runs here, and its values stay in this component
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    initialOffset: () => scroller.scrollTop,
    estimateSize: () => likelyHeight,
    getItemKey: index => {
      const item = items[index]
      return item === undefined ? index : itemKey(item)
    },
    overscan: 8,
    scrollMargin: offset,
  })
  const rows = virtual.getVirtualItems().flatMap(row => {
    const item = items[row.index]
    return item === undefined ? [] : [{ ...row, item }]
  })
  const last = rows.at(-1)?.index ?? -1
  const end = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 5) end()
  }, [last, items.length])
  return { rows, offset, totalHeight: virtual.getTotalSize(), measure: virtual.measureElement }
}
