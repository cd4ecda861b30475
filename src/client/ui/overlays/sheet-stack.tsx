import { IonModal } from '@ionic/react'
import { type ReactNode, useState } from 'react'
import { useWide } from '../shell/use-wide.ts'
import { SheetFrame } from './sheet.tsx'

export interface SheetStep {
  key: string
  title: string
  content: ReactNode
}
export interface SheetStackProps {
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
export const SheetStack = (props: SheetStackProps) =>
  useWide() ? <SheetColumn {...props} /> : <StackedSheets {...props} />

const countText = (step: number, steps: readonly SheetStep[]): string => `${step} of ${steps.length}`

const StackedSheets = ({ steps, step, onStep, onLeave, footer }: SheetStackProps) => {
  const [presented, setPresented] = useState(0)
  // One by one, so that each opens over the one below it, on a deep link too.
  const opened = Math.min(step, presented + 1)
  return steps.map(({ key, title, content }, index) => {
    const number = index + 1
    const down = (): void => (number === 1 ? onLeave() : onStep(number - 1))
    return (
      <IonModal
        key={key}
        isOpen={number <= opened}
        aria-label={`${title}, step ${countText(number, steps)}`}
        breakpoints={[0, 0.5, 1]}
        initialBreakpoint={1}
        expandToScroll={false}
        className="sheet"
        style={{ '--height': `calc(100% - ${24 + index * 14}px - env(safe-area-inset-top))` }}
        onDidPresent={() => setPresented(current => Math.max(current, number))}
        // The first sheet stays until the question is answered.
        canDismiss={number > 1 ? true : (_data, role) => leaveInstead(role, onLeave)}
        onDidDismiss={() => {
          setPresented(current => Math.min(current, number - 1))
          if (number <= step && number > 1) onStep(number - 1)
        }}
      >
        <SheetFrame
          title={title}
          count={countText(number, steps)}
          onClose={down}
          closeLabel={number === 1 ? 'Leave' : 'Back'}
          footer={number === step && footer}
        >
          {content}
        </SheetFrame>
      </IonModal>
    )
  })
}

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
      <div className="sheet-column-stack">
        {steps.slice(0, step - 1).map(({ key, title }, index) => (
          <button key={key} type="button" className="sheet-edge" onClick={() => onStep(index + 1)}>
            {index + 1}. {title}
          </button>
        ))}
        <section
          className="sheet-column-card"
          aria-label={`${current.title}, step ${countText(step, steps)}`}
          key={current.key}
        >
          <SheetFrame
            title={current.title}
            count={countText(step, steps)}
            onClose={onLeave}
            closeLabel="Leave"
            footer={footer}
          >
            {current.content}
          </SheetFrame>
        </section>
      </div>
      {aside && (
        <aside className="sheet-aside" aria-label="Summary">
          {aside}
        </aside>
      )}
    </div>
  )
}
