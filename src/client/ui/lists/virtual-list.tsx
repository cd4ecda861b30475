import { measureElement, useVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { whenIdle } from '../../early/when-idle.ts'
import { usePageScroll } from '../ionic/page-scroll.ts'
import './virtual-list.css'

interface VirtualListProps<T> {
  items: readonly T[]
  itemKey: (item: T) => string | number
  children: (item: T) => ReactNode
  label: string
  onEnd?: () => void
}

// Likely height of a row in px; rows are measured once drawn.
const likelyHeight = 116
// No row is lower than what a finger can hit: Ionic's elements in it have not been drawn yet. Believed, it would make room for
// every row that is loaded.
const leastHeight = 44
// So many rows outside of sight are drawn too, once those in sight are.
const beyondSight = 8

/** A long list that draws only the rows in sight and scrolls with its page. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { element, top } = usePageScroll()
  // Until the page scrolls, a list that was left further down only takes its room, so that the position can be found again.
  if (!element && top > 0) return <div style={{ height: props.items.length * likelyHeight }} />
  return <Rows {...props} scroller={element} />
}

function Rows<T>({ children, label, ...props }: VirtualListProps<T> & { scroller: HTMLElement | null }) {
  const place = useRef<HTMLUListElement>(null)
  const { rows, offset, totalHeight, measure } = usePageRows({ ...props, place })
  return (
    <ul ref={place} className="virtual-list" aria-label={label} style={{ height: totalHeight }}>
      {rows.map(({ key, index, start, item }) => (
        <li
          key={key}
          data-index={index}
          ref={measure}
          aria-setsize={props.items.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - offset}px)` }}
        >
          <Row item={item} draw={children as (item: unknown) => ReactNode} />
        </li>
      ))}
    </ul>
  )
}

/** What a row shows. It is not drawn again where only its place has changed: when rows are measured, or the page scrolls. */
const Row = memo(({ item, draw }: { item: unknown; draw: (item: unknown) => ReactNode }) => draw(item))

interface PageRows<T> {
  items: readonly T[]
  itemKey: (item: T) => string | number
  onEnd?: (() => void) | undefined
  scroller: HTMLElement | null
  place: RefObject<HTMLElement | null>
}

/** The rows in sight of a list that scrolls with its page; `offset` is the part of the page above it, in px. */
function usePageRows<T>({ items, itemKey, onEnd, scroller, place }: PageRows<T>) {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (place.current && scroller)
      setOffset(place.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop)
  }, [scroller, place])
  // A phone takes longest for the first rows: those that nobody sees yet come after them.
  const [overscan, setOverscan] = useState(1)
  const isDrawn = items.length > 0
  useEffect(() => {
    if (isDrawn) whenIdle(() => startTransition(() => setOverscan(beyondSight)))
  }, [isDrawn])
  // oxlint-disable-next-line react/incompatible-library -- no compiler runs here, and its values stay in this component
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    initialOffset: () => scroller?.scrollTop ?? 0,
    // Before its size is known: the other half of the screen is what stands above the list.
    initialRect: { width: innerWidth, height: innerHeight / 2 },
    estimateSize: () => likelyHeight,
    measureElement: (...row) => {
      const height = measureElement(...row)
      return height < leastHeight ? likelyHeight : height
    },
    getItemKey: index => {
      const item = items[index]
      return item === undefined ? index : itemKey(item)
    },
    overscan,
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
