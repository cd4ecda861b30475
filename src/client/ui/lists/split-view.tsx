import { closeOutline } from 'ionicons/icons'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { useWide } from '../shell/use-wide.ts'
import './split-view.css'

const frames = 20

interface SplitViewProps {
  list: ReactNode
  /** What is chosen; null when nothing is, and the list has the whole width. */
  detail: ReactNode
  /** What the detail shows, for screen readers: "Campaign". */
  label: string
  /** The `data-row` of the link that opened the detail: closing leads back to it. */
  chosen: string | number | undefined
  onClose: () => void
}

/** A list, from 768 px next to the detail of what is chosen in it; on a phone the one or the other. Goes into a wide Page. */
export function SplitView({ list, detail, label, chosen, onClose }: SplitViewProps) {
  const wide = useWide()
  const place = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLElement>(null)
  const last = useRef(detail === null ? undefined : chosen)
  useEffect(() => {
    const before = last.current
    last.current = detail === null ? undefined : chosen
    if (!wide || before === last.current) return
    // The list is laid out again when it gains or loses its width, and its rows are drawn a little later.
    let frame = 0
    const find = (tries: number): void => {
      const row = place.current?.querySelector<HTMLElement>(`[data-row="${last.current ?? before}"]`)
      if (!row && tries > 0) frame = requestAnimationFrame(() => find(tries - 1))
      row?.scrollIntoView({ block: 'nearest' })
      if (last.current === undefined) row?.focus({ preventScroll: true })
    }
    find(frames)
    if (before === undefined) pane.current?.focus({ preventScroll: true })
    return () => cancelAnimationFrame(frame)
  }, [detail, chosen, wide])
  if (!wide) return detail ?? list
  return (
    <div ref={place} className={detail === null ? '' : 'split-view'}>
      <div className="split-list">{list}</div>
      {detail !== null && (
        <section ref={pane} className="split-detail" aria-label={label} tabIndex={-1}>
          <button
            type="button"
            className="icon-button split-close"
            aria-label={`Close ${label.toLowerCase()}`}
            onClick={onClose}
          >
            <Icon icon={closeOutline} />
          </button>
          {detail}
        </section>
      )}
    </div>
  )
}
