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
  type FocusEvent,
  type KeyboardEvent,
  useLayoutEffect,
} from 'react'
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

interface RovingRows {
  count: number
  current: number
  /** Called with the focused row; null once none has the focus. */
  onHold: (index: number | null) => void
  reveal: (index: number) => void
}

const controls = ['button', 'input', 'select', 'textarea', 'a[href]', 'summary']
  .map(one => `${one}:not(:disabled)`)
  .join()
const rowsOfPage = 10

/**
 * One place in the order of Tab for a list of any length: the controls of the current row. The keys move to the same control
 * of another row. Props for the list, whose rows are `li[data-index]`.
 */
function useRovingRows({ count, current, onHold, reveal }: RovingRows) {
  const ref = useRef<HTMLUListElement>(null)
  const nextFocus = useRef<{ index: number; control: number } | null>(null)
  useLayoutEffect(() => {
    for (const row of rowsIn(ref.current)) {
      const all = controlsIn(row)
      for (const control of all) control.tabIndex = indexOf(row) === current ? 0 : -1
      // A row without a control is read by those who walk the list: it takes the focus itself.
      row.tabIndex = indexOf(row) === current && !all.length ? 0 : -1
    }
    const goal = nextFocus.current
    const row = goal && rowsIn(ref.current).find(li => indexOf(li) === goal.index)
    if (!row || !goal) return
    nextFocus.current = null
    const all = controlsIn(row)
    const next = all[goal.control] ?? all[0] ?? row
    next.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowOf(event.target)
    const step = row && stepOf(event, indexOf(row), count)
    if (!row || step === null) return
    event.preventDefault()
    const index = Math.min(count - 1, Math.max(0, step))
    nextFocus.current = { index, control: Math.max(0, controlsIn(row).indexOf(event.target as HTMLElement)) }
    onHold(index)
    reveal(index)
  }
  return {
    ref,
    onKeyDown,
    onFocus: (event: FocusEvent) => {
      const row = rowOf(event.target)
      if (row) onHold(indexOf(row))
    },
    onBlur: (event: FocusEvent) => {
      if (nextFocus.current === null && !ref.current?.contains(event.relatedTarget)) onHold(null)
    },
  }
}

const rowsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('li[data-index]') ?? []),
]
const controlsIn = (row: HTMLElement): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(controls)]
const indexOf = (row: HTMLElement): number => Number(row.dataset['index'])
const rowOf = (target: EventTarget): HTMLElement | null =>
  (target as HTMLElement).closest<HTMLElement>('li[data-index]')

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: rowsOfPage, PageUp: -rowsOfPage }

function stepOf(event: KeyboardEvent, from: number, count: number): number | null {
  if (event.target instanceof HTMLSelectElement || event.altKey || event.metaKey) return null
  const step = steps[event.key]
  if (step !== undefined) return from + step
  // Without Ctrl they belong to the text of a field.
  if (event.ctrlKey && event.key === 'Home') return 0
  return event.ctrlKey && event.key === 'End' ? count - 1 : null
}
