import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useRovingRows } from './use-roving-rows.ts'
import './virtual-list.css'

export interface ScrollListProps {
  count: number
  itemKey: (index: number) => string | number
  children: (index: number) => ReactNode
  label: string
  /** Likely height of a row in px; rows are measured once drawn. */
  estimate?: number
  /** So few are all drawn, at their full height, each with its own place in the order of Tab. */
  plainUpTo?: number
  onRange?: (range: ListRange) => void
  ref?: Ref<ScrollListHandle>
}
/** Rows in sight, from 0; `settled` is false while the list is being scrolled. */
export interface ListRange {
  first: number
  last: number
  settled: boolean
}
export interface ScrollListHandle {
  scrollTo: (index: number) => void
}

/**
 * A list of its own height that draws only the rows in sight. Tab enters and leaves a long one in one step; the arrow keys,
 * Page Up and Down, Ctrl+Home and Ctrl+End go from row to row.
 */
export function ScrollList(props: ScrollListProps) {
  return props.count <= (props.plainUpTo ?? usuallyPlain) ? <PlainList {...props} /> : <WindowedList {...props} />
}
const usuallyPlain = 30

function PlainList({ count, itemKey, children, label, onRange }: ScrollListProps) {
  const reportRange = useEffectEvent((last: number) => onRange?.({ first: 0, last, settled: true }))
  useEffect(() => reportRange(count - 1), [count])
  return (
    <ul className="plain-list" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <li key={itemKey(index)}>{children(index)}</li>
      ))}
    </ul>
  )
}

function WindowedList({ count, itemKey, children, label, estimate = 96, onRange, ref }: ScrollListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<number | null>(null)
  // oxlint-disable-next-line react/incompatible-library -- no compiler runs here, and its values stay in this component
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: itemKey,
    overscan: 6,
    // The row that has the focus stays drawn, or the focus would be lost.
    rangeExtractor: range => {
      const shown = defaultRangeExtractor(range)
      return held === null || held >= count || shown.includes(held) ? shown : [...shown, held].toSorted((a, b) => a - b)
    },
  })
  useImperativeHandle(ref, () => ({ scrollTo: index => virtual.scrollToIndex(index, { align: 'start' }) }))
  useToldRange(virtual, onRange)
  const first = virtual.range?.startIndex ?? 0
  const rows = useRovingRows({
    count,
    current: Math.min(held ?? first, count - 1),
    onHold: setHeld,
    reveal: index => virtual.scrollToIndex(index, { align: 'auto' }),
  })
  const hint = useId()
  return (
    <>
      <div ref={scroller} className="scroll-list" onScroll={hostsSwipe}>
        <ul
          {...rows}
          className="virtual-list"
          aria-label={label}
          aria-describedby={hint}
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map(row => (
            <li
              key={row.key}
              data-index={row.index}
              ref={virtual.measureElement}
              aria-setsize={count}
              aria-posinset={row.index + 1}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {children(row.index)}
            </li>
          ))}
        </ul>
      </div>
      <p id={hint} className="scroll-hint">
        Use the arrow keys to move between rows, and Ctrl+Home or Ctrl+End for the first or last row.
      </p>
    </>
  )
}

// Where Ionic looks before a swipe down closes its sheet: this list, but only while it can still scroll up itself.
function hostsSwipe({ currentTarget }: { currentTarget: HTMLElement }): void {
  currentTarget.classList.toggle('ion-content-scroll-host', currentTarget.scrollTop > 0)
}

function useToldRange(virtual: Virtualizer<HTMLDivElement, Element>, onRange: ScrollListProps['onRange']): void {
  const { isScrolling, range } = virtual
  const first = range?.startIndex ?? 0
  const last = range?.endIndex ?? 0
  const reportRange = useEffectEvent((shown: ListRange) => onRange?.(shown))
  useEffect(() => reportRange({ first, last, settled: !isScrolling }), [first, last, isScrolling])
}
