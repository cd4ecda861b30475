import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'

interface RovingRows {
  count: number
  /** The row that Tab enters. */
  current: number
  /** Called with the focused row; null once none has the focus. */
  onHold: (index: number | null) => void
  /** Scrolls until the row is drawn. */
  reveal: (index: number) => void
}
interface RovingProps {
  ref: RefObject<HTMLUListElement | null>
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
  onKeyDown: (event: KeyboardEvent) => void
}

const controls = ['button', 'input', 'select', 'textarea', 'a[href]', 'summary']
  .map(one => `${one}:not(:disabled)`)
  .join()
const rowsOfPage = 10

/**
 * One place in the order of Tab for a list of any length: the controls of the current row. The keys move to the same control
 * of another row. Props for the list, whose rows are `li[data-index]`.
 */
export function useRovingRows({ count, current, onHold, reveal }: RovingRows): RovingProps {
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
    focusIn(row, goal.control)
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
    onFocus: event => {
      const row = rowOf(event.target)
      if (row) onHold(indexOf(row))
    },
    onBlur: event => {
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

function focusIn(row: HTMLElement, control: number): void {
  const all = controlsIn(row)
  const goal = all[control] ?? all[0] ?? row
  goal.focus({ preventScroll: true })
}

function stepOf(event: KeyboardEvent, from: number, count: number): number | null {
  if (event.target instanceof HTMLSelectElement || event.altKey || event.metaKey) return null
  switch (event.key) {
    case 'ArrowDown':
      return from + 1
    case 'ArrowUp':
      return from - 1
    case 'PageDown':
      return from + rowsOfPage
    case 'PageUp':
      return from - rowsOfPage
    // Without Ctrl they belong to the text of a field.
    case 'Home':
      return event.ctrlKey ? 0 : null
    case 'End':
      return event.ctrlKey ? count - 1 : null
    default:
      return null
  }
}
