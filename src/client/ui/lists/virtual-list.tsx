import { type ReactNode, useRef } from 'react'
import { usePageScroll } from '../ionic/page-scroll.ts'
import { usePageRows } from './use-page-rows.ts'
import './virtual-list.css'

interface VirtualListProps<T> {
  items: readonly T[]
  itemKey: (item: T) => string | number
  children: (item: T) => ReactNode
  label: string
  onEnd?: () => void
}

const likelyHeight = 116

/** A long list that draws only the rows in sight and scrolls with its page. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const scroller = usePageScroll()
  // Until the page scrolls, the list only takes its room, so that an earlier position can be found again.
  if (!scroller) return <div style={{ height: props.items.length * likelyHeight }} />
  return <Rows {...props} scroller={scroller} />
}

function Rows<T>({ children, label, ...props }: VirtualListProps<T> & { scroller: HTMLElement }) {
  const place = useRef<HTMLUListElement>(null)
  const { rows, offset, totalHeight, measure } = usePageRows({ ...props, place, likelyHeight })
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
          {children(item)}
        </li>
      ))}
    </ul>
  )
}
