import './sheet-pile.css'
import {
  createContext,
  type CSSProperties,
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { whenIdle } from '../../../early/when-idle.ts'
import { usePageTitle } from '../../ionic/page.tsx'
import { useWide } from '../../shell/use-wide.ts'
import { SheetTitle } from '../sheet.tsx'
import { afterPaint } from './use-sheet-step.ts'

export interface SheetStep {
  key: string
  title: string
  content: ReactNode
}
interface SheetStackProps {
  /** What is being made; names the document. */
  name: string
  /** The same array while nothing on any sheet has changed: what is drawn already is then left alone. */
  steps: readonly SheetStep[]
  step: number
  /** Asked by swipe, Escape, back button or a tap on the edge. */
  onStep: (step: number) => void
  /** Asked on the first sheet instead of onStep(0): leave, after a question if something would be lost. */
  onLeave: () => void
  footer: ReactNode
  aside?: ReactNode
}

const countText = (step: number, steps: readonly SheetStep[]): string => `${step} of ${steps.length}`

/** True on the sheet that the user has before them. What is drawn ahead asks the server for nothing that may not be needed. */
export const SheetInUse = createContext(true)

/** Steps as sheets, each rising over the last one, whose edge still shows; from 768 px a centred column with its summary. */
export function SheetStack(props: SheetStackProps) {
  usePageTitle(props.name)
  return useWide() ? <SheetColumn {...props} /> : <SheetPile {...props} />
}

/** Steps as a centred column with the summary beside it; those below can be returned to by their edges. */
function SheetColumn({ steps, step, onStep, onLeave, footer, aside }: SheetStackProps) {
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

// As long as a sheet moves, see sheet-pile.css.
const moveMs = 300
// Drawing the next sheet waits until nothing moves or is being typed.
const quietMs = 500

/**
 * Steps as sheets on a phone. Ionic's modals take several frames of a slow phone to present themselves; here the next sheet
 * is drawn while the user still fills in this one, and Continue only moves it.
 */
function SheetPile({ steps, step, onStep, onLeave, footer }: SheetStackProps) {
  const pile = useRef<HTMLElement>(null)
  const ahead = useAhead(steps, step)
  const down = (): void => (step === 1 ? onLeave() : onStep(step - 1))
  const inUse = useInUse(step)
  useEscape(pile, down)
  useTitleFocus(pile, inUse)
  return (
    <main className="sheet-pile" ref={pile}>
      <div className="sheet-pile-stage">
        {/* Sheets below take no taps, so that those on their edges come through to this. */}
        <button
          type="button"
          className="sheet-edges"
          tabIndex={-1}
          aria-label={step === 1 ? 'Leave the wizard' : `Down to ${steps[step - 2]?.title}`}
          onClick={down}
        />
        {steps.map(({ key, title, content }, index) => (
          <PileSheet
            key={key}
            title={title}
            count={countText(index + 1, steps)}
            number={index + 1}
            step={step}
            inUse={inUse}
            content={index < step ? content : index === step ? ahead?.content : undefined}
            onDown={down}
          />
        ))}
      </div>
      <div className="sheet-footer">{footer}</div>
    </main>
  )
}

// What the next sheet is drawn from before it is wanted: the steps as they were at the last quiet moment on this one.
function useAhead(steps: readonly SheetStep[], step: number): SheetStep | undefined {
  const [quiet, setQuiet] = useState<{ steps: readonly SheetStep[]; step: number } | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setQuiet({ steps, step })), quietMs)
    return () => clearTimeout(timer)
  }, [steps, step])
  return quiet?.step === step ? quiet.steps[step] : undefined
}

// The sheet that can be used. It follows `step` when the frame is painted: to take the one below out of use, and out of what
// screen readers see, the browser looks at each of its elements.
function useInUse(step: number): number {
  const [inUse, setInUse] = useState(step)
  useEffect(() => afterPaint(() => setInUse(step)), [step])
  return inUse
}

interface PileSheetProps {
  title: string
  count: string
  number: number
  step: number
  inUse: number
  content: ReactNode
  onDown: () => void
}

function PileSheet({ title, count, number, step, inUse, content, onDown }: PileSheetProps) {
  const sheet = useRef<HTMLElement>(null)
  const isUp = number <= step
  const isUsed = number === inUse
  const { stays, times } = useStay(isUp)
  useSwipeDown(sheet, isUsed, onDown)
  if (!isUp && !stays && !content) return null
  return (
    <section
      ref={sheet}
      className="sheet-card"
      // Only the title takes the focus; its description says how far the user has come.
      aria-label={`${title}, step ${count}`}
      data-up={isUp || undefined}
      data-near={isUsed || number === inUse + 1 || undefined}
      inert={!isUsed}
      style={{ '--below': number - 1 } as CSSProperties}
      data-step={number}
    >
      <SheetTitle title={title} count={count} onClose={onDown} closeLabel={number === 1 ? 'Leave' : 'Back'} as="h1" />
      <div className="sheet-scroll">
        <div className="sheet-body">
          <SheetInUse value={isUsed}>
            <Resting key={times} rests={number !== step && (isUp || stays)}>
              {content}
            </Resting>
          </SheetInUse>
        </div>
      </div>
    </section>
  )
}

// A sheet that was up is seen until it has sunk; `times` counts how often it has.
function useStay(isUp: boolean): { stays: boolean; times: number } {
  const [stay, setStay] = useState({ stays: isUp, times: 0 })
  useEffect(() => {
    const timer = setTimeout(
      () =>
        setStay(before =>
          before.stays === isUp ? before : { stays: isUp, times: isUp ? before.times : before.times + 1 },
        ),
      moveMs,
    )
    return () => clearTimeout(timer)
  }, [isUp])
  return stay
}

/** The content of a sheet. It rerenders only while it is on top, so that a tap does not wait for the sheets below. */
const Resting = memo<{ rests: boolean; children: ReactNode }>(
  ({ children }) => children,
  (drawn, { rests, children }) => rests || drawn.children === children,
)

function useTitleFocus(pile: RefObject<HTMLElement | null>, inUse: number): void {
  useEffect(() => {
    pile.current?.querySelector<HTMLElement>(`[data-step='${inUse}'] h1`)?.focus({ preventScroll: true })
  }, [pile, inUse])
}

// Not what is pressed in a question or a sheet of Ionic's above, nor where Escape empties a search first.
function useEscape(pile: RefObject<HTMLElement | null>, down: () => void): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.key !== 'Escape' || event.defaultPrevented) return
    const isOurs = target === document.body || (target instanceof Node && pile.current?.contains(target))
    const empties = target instanceof HTMLInputElement && target.type === 'search' && target.value !== ''
    if (isOurs && !empties) down()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onEscape(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

// Nobody waits for the first sheet to be swipeable; from then on each is at once.
let swipeDown: typeof import('./swipe-down.ts').swipeDown | undefined

/** Swiping the sheet down asks `onDown`; a sheet that stays then springs back. */
function useSwipeDown(sheet: RefObject<HTMLElement | null>, enabled: boolean, onDown: () => void): void {
  const down = useEffectEvent(onDown)
  useEffect(() => {
    const element = sheet.current
    if (!element || !enabled) return
    let end = swipeDown?.(element, () => down())
    let ended = false
    const begin = async (): Promise<void> => {
      ;({ swipeDown } = await import('./swipe-down.ts'))
      if (!ended) end = swipeDown(element, () => down())
    }
    if (!end) whenIdle(() => void begin().catch(() => undefined))
    return () => {
      ended = true
      end?.()
    }
  }, [sheet, enabled])
}
