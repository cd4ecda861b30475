import { type ReactNode, useRef } from 'react'
import { checkboxOutline } from 'ionicons/icons'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import type { ListSelection } from './selection.ts'

/** Begins a selection on a phone, where rows show no checkboxes before. */
export function SelectButton({ selection, what }: { selection: ListSelection; what: string }) {
  return (
    <button type="button" className="icon-button" aria-label={`Select ${what}`} onClick={selection.start}>
      <Icon icon={checkboxOutline} />
    </button>
  )
}

interface SelectionBarProps {
  selection: ListSelection
  /** How many rows the list's query matches. */
  matching: number
  what: string
}

/** How many rows are chosen, and the way to all that match or to none. */
export function SelectionBar({ selection, matching, what }: SelectionBarProps) {
  const { isAll, total, clear, selectAll } = selection
  return (
    <div className="selection-bar">
      <span aria-live="polite">
        {isAll ? `All ${formatNumber(total)} ${what} selected` : `${formatNumber(total)} selected`}
      </span>
      {!isAll && matching > total && (
        <button type="button" className="select-button" onClick={selectAll}>
          Select all {formatNumber(matching)}
          <span className="visually-hidden"> that match</span>
        </button>
      )}
      <button type="button" className="select-button" onClick={clear}>
        Done
      </button>
    </div>
  )
}

const holdMs = 500
const slackPx = 10

interface SelectableCardProps {
  id: number
  name: string
  selection: ListSelection
  children: ReactNode
}

/** A row on a phone that is chosen by holding it down, and by a tap while others are being chosen. */
export function SelectableCard({ id, name, selection, children }: SelectableCardProps) {
  const hold = useHold(() => selection.toggle(id))
  return (
    <div className="selectable" {...hold}>
      {selection.isOn ? (
        <label className={selection.has(id) ? 'select-card selected' : 'select-card'}>
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={selection.has(id)}
            onChange={() => selection.toggle(id)}
          />
          <div inert>{children}</div>
        </label>
      ) : (
        children
      )}
    </div>
  )
}

/** Calls back when a finger rests on the element; the tap that ends the hold then does nothing. */
function useHold(onHold: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const held = useRef(false)
  const cancel = (): void => {
    clearTimeout(press.current?.timer)
    press.current = null
  }
  return {
    onPointerDown: (event: React.PointerEvent) => {
      held.current = false
      if (event.pointerType !== 'touch') return
      const timer = setTimeout(() => {
        held.current = true
        onHold()
      }, holdMs)
      press.current = { timer, x: event.clientX, y: event.clientY }
    },
    onPointerMove: (event: React.PointerEvent) => {
      const { x, y } = press.current ?? { x: event.clientX, y: event.clientY }
      if (Math.hypot(event.clientX - x, event.clientY - y) > slackPx) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    // The system's own menu of a link would cover the list.
    onContextMenu: (event: React.MouseEvent) => (press.current || held.current) && event.preventDefault(),
    onClickCapture: (event: React.MouseEvent) => {
      if (!held.current) return
      held.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
