import './deck.css'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import { Card } from '#client/ui/lists/card.tsx'
import { type AppNotification, kinds } from '../../contract.ts'
import type { Decisions } from '../use-decisions.ts'
import { Decide, NotificationCard } from './card.tsx'
import { type Direction, useSwipe } from './use-swipe.ts'

interface DeckProps {
  /** Those that wait for a decision, the one to be shown first. */
  cards: readonly AppNotification[]
  decisions: Decisions
  mayAct: boolean
}

/** The open alerts, one card at a time: decided by button, swipe or key. */
export function Deck({ cards, decisions, mayAct }: DeckProps) {
  const [one, next] = cards
  const done = decisions.decided.length
  const place = useRef<HTMLElement>(null)
  const id = one?.id
  // The next card gets the focus of the one that was decided by a key.
  const follow = useEffectEvent(() => {
    if (done === 0) return
    place.current?.scrollIntoView?.({ block: 'nearest' })
    if (place.current?.contains(document.activeElement)) place.current.focus({ preventScroll: true })
  })
  useEffect(() => follow(), [id])
  if (!one) return <NothingOpen isAfterAll={done > 0} />
  const doIt = (): void => {
    // What its button does, and only once that says what it costs.
    place.current?.querySelector<HTMLButtonElement>('.deck-decide .button-accent')?.click()
  }
  const decide = { right: doIt, left: () => void decisions.askDismiss(one), up: () => void decisions.snooze(one) }
  const keys: Record<string, () => void> = {
    ArrowRight: decide.right,
    Enter: decide.right,
    ArrowLeft: decide.left,
    d: decide.left,
    ArrowUp: decide.up,
    s: decide.up,
    u: decisions.undoLast,
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target as Element
    // A field has its keys for itself, but for the one that is done with it.
    if (target.closest('input') && event.key !== 'Enter') return
    const isOwn = target.closest('button, a') && event.key === 'Enter'
    const run = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!run || isOwn || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return
    event.preventDefault()
    run()
  }
  return (
    // The keys belong to the card that has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={place}
      className="deck"
      aria-label={`Decision ${done + 1} of ${done + cards.length}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <p className="deck-progress" aria-live="polite">
        {done + 1} of {done + cards.length}
      </p>
      <div className="deck-pile" data-more={next ? true : undefined}>
        <SwipeCard key={one.id} one={one} canAct={mayAct && one.actions.length > 0} onSwipe={way => decide[way]()}>
          <Decide one={one} decisions={decisions} mayAct={mayAct} />
        </SwipeCard>
      </div>
      <p className="deck-keys">
        Keys: <kbd>→</kbd> or <kbd>Enter</kbd> do it, <kbd>←</kbd> or <kbd>D</kbd> dismiss, <kbd>↑</kbd> or <kbd>S</kbd>{' '}
        snooze for 4 hours, <kbd>U</kbd> undo
      </p>
    </section>
  )
}

const hints: Record<Direction, string> = { right: 'Do it', left: 'Dismiss', up: 'Snooze for 4 hours' }

interface SwipeCardProps {
  one: AppNotification
  canAct: boolean
  onSwipe: (way: Direction) => void
  children: React.ReactNode
}

function SwipeCard({ one, canAct, onSwipe, children }: SwipeCardProps) {
  const { offset, direction, handlers } = useSwipe(onSwipe)
  const hint = direction && (direction !== 'right' || canAct) ? hints[direction] : null
  return (
    <article
      className="deck-card"
      data-way={hint ? direction : undefined}
      style={{ translate: `${offset.x}px ${offset.y}px`, rotate: `${offset.x / 40}deg` }}
    >
      <div className="deck-content" {...handlers}>
        <NotificationCard one={one} />
      </div>
      {hint && (
        <p className="deck-hint" aria-hidden="true">
          {hint}
        </p>
      )}
      {children}
    </article>
  )
}

const checked = Object.values(kinds).filter(kind => kind.isDecision)

/** Nothing to decide, and what is looked at to say so. */
function NothingOpen({ isAfterAll }: { isAfterAll: boolean }) {
  return (
    <Card title={isAfterAll ? 'All decided' : 'Nothing needs a decision'}>
      <div className="deck-checked">
        <p>You are notified as soon as one of these comes up:</p>
        <ul>
          {checked.map(({ label }) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
