import { IonModal } from '@ionic/react'
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useWide } from '../shell/use-wide.ts'
import { usePageTitle } from '../ionic/use-page-focus.ts'
import { nameSheet, SheetFrame, SheetTitle, unnameHost } from './sheet.tsx'

export interface SheetStep {
  key: string
  title: string
  content: ReactNode
}
export interface SheetStackProps {
  /** What is being made; names the document. */
  name: string
  steps: readonly SheetStep[]
  /** From 1; from useSheetStep. */
  step: number
  /** Asked by swipe, Escape, back button or a tap on the edge. */
  onStep: (step: number) => void
  /** Asked on the first sheet instead of onStep(0): leave, after a question if something would be lost. */
  onLeave: () => void
  footer: ReactNode
  /** Beside the column from 768 px: the summary. */
  aside?: ReactNode
}

/** Steps as sheets, each rising over the last one, whose edge still shows; from 768 px a centred column with its summary. */
export const SheetStack = (props: SheetStackProps) => {
  usePageTitle(props.name)
  return useWide() ? <SheetColumn {...props} /> : <StackedSheets {...props} />
}

const countText = (step: number, steps: readonly SheetStep[]): string => `${step} of ${steps.length}`

const StackedSheets = ({ steps, step, onStep, onLeave, footer }: SheetStackProps) => {
  const [presented, setPresented] = useState(0)
  const sheets = useRef<(HTMLIonModalElement | null)[]>([])
  // Sheets that go because the whole stack goes were not swiped down by anybody.
  const standing = useRef(false)
  useLayoutEffect(() => {
    standing.current = true
    return () => {
      standing.current = false
    }
  }, [])
  const focusTitle = (number: number): void => sheets.current[number - 1]?.querySelector('h2')?.focus()
  // One by one, so that each opens over the one below it, on a deep link too.
  const opened = Math.min(step, presented + 1)
  return steps.map(({ key, title, content }, index) => {
    const number = index + 1
    const down = (): void => (number === 1 ? onLeave() : onStep(number - 1))
    return (
      <IonModal
        key={key}
        ref={sheet => {
          sheets.current[index] = sheet
          nameSheet(sheet, `${title}, step ${countText(number, steps)}`)
        }}
        // Only the top sheet is in use; the edges below it are drawn.
        inert={number < step}
        isOpen={number <= opened}
        breakpoints={[0, 0.5, 1]}
        initialBreakpoint={1}
        expandToScroll={false}
        className="sheet"
        style={{ '--height': `calc(100% - ${24 + index * 14}px - env(safe-area-inset-top))` }}
        onWillPresent={unnameHost}
        onDidPresent={() => {
          setPresented(current => Math.max(current, number))
          focusTitle(number)
        }}
        // The first sheet stays until the question is answered.
        canDismiss={number > 1 ? true : (_data, role) => leaveInstead(role, onLeave)}
        onDidDismiss={() => {
          if (!standing.current) return
          setPresented(current => Math.min(current, number - 1))
          if (number <= step && number > 1) onStep(number - 1)
          requestAnimationFrame(() => focusTitle(number - 1))
        }}
      >
        <SheetFrame
          title={title}
          count={countText(number, steps)}
          onClose={down}
          closeLabel={number === 1 ? 'Leave' : 'Back'}
          footer={number === step && footer}
        >
          <Resting covered={number < step}>{content}</Resting>
        </SheetFrame>
      </IonModal>
    )
  })
}

interface RestingProps {
  covered: boolean
  children: ReactNode
}
/** What stands on a sheet. It is drawn anew only while it is on top: each tap would wait for all that lies below, too. */
const Resting = memo<RestingProps>(
  ({ children }) => children,
  (_before, { covered }) => covered,
)

const leaveInstead = (role: string | undefined, onLeave: () => void): Promise<boolean> => {
  if (role === undefined) return Promise.resolve(true)
  onLeave()
  return Promise.resolve(false)
}

const SheetColumn = ({ steps, step, onStep, onLeave, footer, aside }: SheetStackProps) => {
  const current = steps[step - 1]
  if (!current) return null
  return (
    <div className="sheet-column">
      <main className="sheet-column-stack">
        {steps.slice(0, step - 1).map(({ key, title }, index) => (
          <button key={key} type="button" className="sheet-edge" onClick={() => onStep(index + 1)}>
            {index + 1}. {title}
          </button>
        ))}
        <div className="sheet-column-card" key={current.key}>
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
