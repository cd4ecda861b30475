import './sheet-pile.css'
import {
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
import { afterPaint } from './use-sheet-step.ts'
import { SheetInUse, countText, type SheetStackProps, type SheetStep } from './sheet-steps.ts'
import { SheetTitle } from '../sheet.tsx'
import { whenIdle } from '../../../early/when-idle.ts'

// As long as a sheet moves, see sheet-pile.css.
const moveMs = 300
// Drawing the next sheet waits until nothing moves or is being typed.
const quietMs = 500

/**
 * Steps as sheets on a phone. Ionic's modals take several frames of a slow phone to present themselves; here the next sheet
 * is drawn while the user still fills in this one, and Continue only moves it.
 */
export function SheetPile({ steps, step, onStep, onLeave, footer }: SheetStackProps) {
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

interface RestingProps {
  rests: boolean
  children: ReactNode
}
/** The content of a sheet. It rerenders only while it is on top, so that a tap does not wait for the sheets below. */
const Resting = memo<RestingProps>(
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

type SwipeDown = typeof import('./swipe-down.ts').swipeDown

// Nobody waits for the first sheet to be swipeable; from then on each is at once.
let loaded: SwipeDown | undefined
async function load(): Promise<SwipeDown> {
  loaded ??= (await import('./swipe-down.ts')).swipeDown
  return loaded
}

/** Swiping the sheet down asks `onDown`; a sheet that stays then springs back. */
function useSwipeDown(sheet: RefObject<HTMLElement | null>, enabled: boolean, onDown: () => void): void {
  const down = useEffectEvent(onDown)
  useEffect(() => {
    const element = sheet.current
    if (!element || !enabled) return
    let end = loaded?.(element, () => down())
    let ended = false
    const begin = async (): Promise<void> => {
      const swipeDown = await load()
      if (!ended) end = swipeDown(element, () => down())
    }
    if (!end) whenIdle(() => void begin().catch(() => undefined))
    return () => {
      ended = true
      end?.()
    }
  }, [sheet, enabled])
}
