import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'

interface RovingRows {
  count: number
  current: number
  /** Called with the focused row; null once none has the focus. */
  onHold: (index: number | null) => void
  reveal: (index: number) => void
  /** Space on a link of a row selects it; Shift with an arrow selects on the way (`extend`). */
  onSelect?: ((index: number, extend: boolean) => void) | undefined
}

const controls = ['button', 'input', 'select', 'textarea', 'a[href]', 'summary']
  .map(one => `${one}:not(:disabled)`)
  .join()
const rowsOfPage = 10

/**
 * One place in the order of Tab for a list of any length: the controls of the current row. The keys move to the same control
 * of another row. Props for the list or table body, whose rows are `li` or `tr` with `data-index`.
 */
export function useRovingRows<E extends HTMLElement = HTMLUListElement>(options: RovingRows) {
  const { count, current, onHold, reveal, onSelect } = options
  const ref = useRef<E>(null)
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
    if (row && onSelect && event.key === ' ' && event.target instanceof HTMLAnchorElement) {
      event.preventDefault()
      return onSelect(indexOf(row), event.shiftKey)
    }
    const step = row && stepOf(event, indexOf(row), count)
    if (!row || step === null) return
    event.preventDefault()
    const index = Math.min(count - 1, Math.max(0, step))
    if (event.shiftKey) onSelect?.(index, true)
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

const rowSelector = ':is(li, tr)[data-index]'
const rowsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(rowSelector) ?? []),
]
const controlsIn = (row: HTMLElement): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(controls)]
const indexOf = (row: HTMLElement): number => Number(row.dataset['index'])
const rowOf = (target: EventTarget): HTMLElement | null => (target as HTMLElement).closest<HTMLElement>(rowSelector)

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: rowsOfPage, PageUp: -rowsOfPage }

function stepOf(event: KeyboardEvent, from: number, count: number): number | null {
  if (event.target instanceof HTMLSelectElement || event.altKey || event.metaKey) return null
  const step = steps[event.key]
  if (step !== undefined) return from + step
  // Without Ctrl they belong to the text of a field.
  if (!event.ctrlKey && isTextField(event.target)) return null
  if (event.key === 'Home') return 0
  return event.key === 'End' ? count - 1 : null
}

const isTextField = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox')
