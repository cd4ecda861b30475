import './outbox.css'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useOnline } from '../api/online.ts'
import { useHoldReload } from '../pwa/can-reload-now.ts'
import { navigateHref } from '../ui/ionic/navigate-href.ts'
import { toast } from '../ui/shell/toast-store.ts'
import { Button } from '../ui/states/button.tsx'
import { flushOutbox, isStale, type OutboxRoute, startOutbox, tryAgain } from './flush-outbox.ts'
import { useWaitingEdits, withdrawEdit } from './outbox.ts'
import type { WaitingEdit } from './stored-edits.ts'

const changes = (count: number): string => `${count} ${count === 1 ? 'change' : 'changes'}`

// A page that is left open for days must see its changes grow old.
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

// What comes of sending, wherever it is started from.
function useOutboxRoute({ senders, shop, onSent }: Omit<OutboxRoute, 'onRefused'>): OutboxRoute {
  const router = useRouter()
  const onRefused = (edit: WaitingEdit, reason: string): void => {
    onSent(edit)
    toast({
      title: reason === 'CONFLICT' ? `${edit.name} was changed meanwhile` : `${edit.name} was not changed`,
      message: reason === 'CONFLICT' ? `${edit.words}: not made. Please look and choose.` : reason,
      tone: 'warning',
      durationMs: Number.POSITIVE_INFINITY,
      action: { label: 'Look', onSelect: () => void navigateHref(router, edit.href) },
    })
  }
  return { senders, shop, onSent, onRefused }
}

function useSending(route: OutboxRoute): void {
  const { senders } = route
  const present = useEffectEvent(() => route.shop())
  const told = useEffectEvent((edit: WaitingEdit) => route.onSent(edit))
  const refused = useEffectEvent((edit: WaitingEdit, reason: string) => route.onRefused(edit, reason))
  useEffect(
    () =>
      startOutbox({
        senders,
        shop: () => present(),
        onSent: edit => told(edit),
        onRefused: (edit, reason) => refused(edit, reason),
      }),
    [senders],
  )
}

/** What waits to be sent, with the way back from each; sends it when it can, and says what could not be made. */
export function OutboxCard(given: Omit<OutboxRoute, 'onRefused'>) {
  const edits = useWaitingEdits()
  const online = useOnline()
  const now = useNow()
  const route = useOutboxRoute(given)
  useSending(route)
  const [chosen, setChosen] = useState<boolean>()
  const aside = edits.filter(edit => edit.aside !== undefined)
  const waiting = edits.filter(edit => edit.aside === undefined)
  // What was set aside may need the very version that a reload brings.
  useHoldReload(waiting.length > 0)
  if (edits.length === 0) return null
  const old = waiting.filter(edit => isStale(edit, now))
  const sendOld = (): void => void flushOutbox(route, edit => old.some(one => one.id === edit.id))
  const open = chosen ?? aside.length > 0
  const waits = `${changes(waiting.length)} ${waiting.length === 1 ? 'waits' : 'wait'} for the network`
  const failed = `${changes(aside.length)} could not be sent`
  return (
    <aside className="floating-card outbox-card" aria-label="Changes that wait">
      <div className="outbox-head">
        <output>
          {aside.length > 0 && <strong>{failed}</strong>}
          {waiting.length > 0 && <strong>{waits}</strong>}
          {old.length > 0 && <span>{`${changes(old.length)} older than 12 hours: not sent unless you say so.`}</span>}
        </output>
        <Button aria-expanded={open} onClick={() => setChosen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
      </div>
      {open && aside.length > 0 && <AsideList edits={aside} onAgain={id => void tryAgain(route, id)} />}
      {open && waiting.length > 0 && <WaitingList edits={waiting} />}
      {old.length > 0 && online && (
        <Button block onClick={sendOld}>
          Send {old.length === 1 ? 'it' : 'them'} now
        </Button>
      )}
    </aside>
  )
}

/** The changes that wait, with the way back from each. */
function WaitingList({ edits }: { edits: readonly WaitingEdit[] }) {
  return (
    <ul>
      {edits.map(edit => (
        <li key={edit.id}>
          <span>{`${edit.name}: ${edit.words}`}</span>
          <Button onClick={() => withdrawEdit(edit.id)} aria-label={`Undo ${edit.words} of ${edit.name}`}>
            Undo
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** The changes that the server failed at too often, with the reason and the choice. */
function AsideList({ edits, onAgain }: { edits: readonly WaitingEdit[]; onAgain: (id: string) => void }) {
  return (
    <ul>
      {edits.map(({ id, name, words, aside }) => (
        <li key={id}>
          <span>
            {`${name}: ${words}`}
            <small>{aside}</small>
          </span>
          <div className="outbox-choices">
            <Button onClick={() => onAgain(id)} aria-label={`Try again: ${words} of ${name}`}>
              Try again
            </Button>
            <Button onClick={() => withdrawEdit(id)} aria-label={`Discard ${words} of ${name}`}>
              Discard
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
