import { usePageTitle } from '../../ionic/page.tsx'
import { useWide } from '../../shell/use-wide.ts'
import { SheetPile } from './sheet-pile.tsx'
import { type SheetStackProps, countText } from './sheet-steps.ts'
import { useEffect, useRef } from 'react'
import { SheetTitle } from '../sheet.tsx'

/** Steps as sheets, each rising over the last one, whose edge still shows; from 768 px a centred column with its summary. */
export function SheetStack(props: SheetStackProps) {
  usePageTitle(props.name)
  return useWide() ? <SheetColumn {...props} /> : <SheetPile {...props} />
}

/** Steps as a centred column with the summary beside it; those below can be returned to by their edges. */
export function SheetColumn({ steps, step, onStep, onLeave, footer, aside }: SheetStackProps) {
  const column = useRef<HTMLDivElement>(null)
  // The button that led here went away with its card, and the focus with it.
  useEffect(() => {
    column.current?.querySelector<HTMLElement>(`[data-step='${step}'] h1`)?.focus({ preventScroll: true })
  }, [step])
  const current = steps[step - 1]
  if (!current) return null
  return (
    <div className="sheet-column" ref={column}>
      <main className="sheet-column-stack">
        {steps.slice(0, step - 1).map(({ key, title }, index) => (
          <button key={key} type="button" className="sheet-edge" onClick={() => onStep(index + 1)}>
            {index + 1}. {title}
          </button>
        ))}
        <div className="sheet-column-card" key={current.key} data-step={step}>
          <SheetTitle
            title={current.title}
            count={countText(step, steps)}
            onClose={onLeave}
            closeLabel="Leave"
            as="h1"
          />
          <div className="sheet-column-body">{current.content}</div>
          <div className="sheet-footer">{footer}</div>
        </div>
      </main>
      {aside && (
        <aside className="sheet-aside" aria-label="Summary">
          {aside}
        </aside>
      )}
    </div>
  )
}
