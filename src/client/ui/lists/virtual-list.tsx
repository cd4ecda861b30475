import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { usePageScroll } from '../ionic/page-scroll.ts'
import './virtual-list.css'

interface VirtualListProps<T> {
  items: readonly T[]
  itemKey: (item: T) => string | number
  children: (item: T) => ReactNode
  /** Likely height of a row in px; rows are measured once drawn. */
  estimate?: number
  label: string
  /** Called when the end comes near: fetch the next page. */
  onEnd?: () => void
}

/** A long list that draws only the rows in sight and scrolls with its page. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const scroller = usePageScroll()
  // Until the page scrolls, the list only takes its room, so that an earlier position can be found again.
  if (!scroller) return <div style={{ height: props.items.length * (props.estimate ?? likelyHeight) }} />
  return <Rows {...props} scroller={scroller} />
}
const likelyHeight = 96

function Rows<T>({
  items,
  itemKey,
  children,
  estimate = likelyHeight,
  label,
  onEnd,
  scroller,
}: VirtualListProps<T> & { scroller: HTMLElement }) {
  const list = useRef<HTMLUListElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (list.current)
      setOffset(list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop)
  }, [scroller])
  // oxlint-disable-next-line react/incompatible-library -- no compiler runs here, and its values stay in this component
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    initialOffset: () => scroller.scrollTop,
    estimateSize: () => estimate,
    getItemKey: index => {
      const item = items[index]
      return item === undefined ? index : itemKey(item)
    },
    overscan: 6,
    scrollMargin: offset,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? -1
  const end = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 5) end()
  }, [last, items.length])
  return (
    <ul ref={list} className="virtual-list" aria-label={label} style={{ height: virtual.getTotalSize() }}>
      {rows.map(row => {
        const item = items[row.index]
        return (
          item !== undefined && (
            <li
              key={row.key}
              data-index={row.index}
              ref={virtual.measureElement}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              style={{ transform: `translateY(${row.start - offset}px)` }}
            >
              {children(item)}
            </li>
          )
        )
      })}
    </ul>
  )
}
