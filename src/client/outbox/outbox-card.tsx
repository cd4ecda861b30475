import './outbox.css'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useOnline } from '../api/online.ts'
import { useHoldReload } from '../pwa/can-reload-now.ts'
import { navigateHref } from '../ui/ionic/navigate-href.ts'
import { toast } from '../ui/shell/toast-store.ts'
import { Button } from '../ui/states/button.tsx'
import { flushOutbox, isStale, type OutboxRoute, startOutbox, retryEdit } from './flush-outbox.ts'
import { discardEdit, type PendingEdit, usePendingEdits } from './outbox.ts'

const changes = (count: number): string => `${count} ${count === 1 ? 'change' : 'changes'}`

// Edits become stale while a page is open for days.
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function useOutboxRoute({ senders, shop, onSent }: Omit<OutboxRoute, 'onRefused'>): OutboxRoute {
  const router = useRouter()
  const onRefused = (edit: PendingEdit, reason: string): void => {
    onSent(edit)
    toast({
      title: reason === 'CONFLICT' ? `${edit.name} was changed in the meantime` : `${edit.name} was not changed`,
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
  const currentShop = useEffectEvent(() => route.shop())
  const onSent = useEffectEvent((edit: PendingEdit) => route.onSent(edit))
  const onRefused = useEffectEvent((edit: PendingEdit, reason: string) => route.onRefused(edit, reason))
  useEffect(
    () =>
      startOutbox({
        senders,
        shop: () => currentShop(),
        onSent: edit => onSent(edit),
        onRefused: (edit, reason) => onRefused(edit, reason),
      }),
    [senders],
  )
}

/** The pending edits with an undo for each; sends them when possible and shows which could not be made. */
export function OutboxCard(props: Omit<OutboxRoute, 'onRefused'>) {
  const edits = usePendingEdits()
  const online = useOnline()
  const now = useNow()
  const route = useOutboxRoute(props)
  useSending(route)
  const [chosen, setChosen] = useState<boolean>()
  const failedEdits = edits.filter(edit => edit.aside !== undefined)
  const pending = edits.filter(edit => edit.aside === undefined)
  // Edits that were set aside do not hold it: they may need the new version.
  useHoldReload(pending.length > 0)
  if (edits.length === 0) return null
  const old = pending.filter(edit => isStale(edit, now))
  const sendOld = (): void => void flushOutbox(route, edit => old.some(one => one.id === edit.id))
  const again = (id: string): void => void retryEdit(route, id)
  const open = chosen ?? failedEdits.length > 0
  const pendingTitle = `${changes(pending.length)} ${pending.length === 1 ? 'waits' : 'wait'} for the network`
  const failedTitle = `${changes(failedEdits.length)} could not be sent`
  return (
    <aside className="floating-card outbox-card" aria-label="Changes that wait">
      <div className="outbox-head">
        <output>
          {failedEdits.length > 0 && <strong>{failedTitle}</strong>}
          {pending.length > 0 && <strong>{pendingTitle}</strong>}
          {old.length > 0 && <span>{`${changes(old.length)} older than 12 hours: not sent unless you confirm.`}</span>}
        </output>
        <Button aria-expanded={open} onClick={() => setChosen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
      </div>
      {open && failedEdits.length > 0 && <EditList edits={failedEdits} onAgain={again} />}
      {open && pending.length > 0 && <EditList edits={pending} onAgain={again} />}
      {old.length > 0 && online && (
        <Button block onClick={sendOld}>
          Send {old.length === 1 ? 'it' : 'them'} now
        </Button>
      )}
    </aside>
  )
}

/** The changes that wait, or that the server failed at too often, with what can be done about each. */
function EditList({ edits, onAgain }: { edits: readonly PendingEdit[]; onAgain: (id: string) => void }) {
  return (
    <ul>
      {edits.map(({ id, name, words, aside }) => {
        const end = aside === undefined ? 'Undo' : 'Discard'
        const discard = (
          <Button onClick={() => discardEdit(id)} aria-label={`${end} ${words} of ${name}`}>
            {end}
          </Button>
        )
        return (
          <li key={id}>
            <span>
              {`${name}: ${words}`}
              {aside !== undefined && <small>{aside}</small>}
            </span>
            {aside === undefined ? (
              discard
            ) : (
              <div className="outbox-choices">
                <Button onClick={() => onAgain(id)} aria-label={`Try again: ${words} of ${name}`}>
                  Try again
                </Button>
                {discard}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
