import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useOnline } from '../api/online.ts'
import { useHoldReload } from '../pwa/use-hold-reload.ts'
import { navigateHref } from '../ui/ionic/navigate-href.ts'
import { toast } from '../ui/shell/toast-store.ts'
import { Button } from '../ui/states/button.tsx'
import { flushOutbox, isStale, type OutboxRoute, startOutbox } from './flush-outbox.ts'
import { useWaitingEdits, type WaitingEdit, withdrawEdit } from './outbox.ts'
import './outbox.css'

const changes = (count: number): string => `${count} ${count === 1 ? 'change' : 'changes'}`

// A page that is left open for days must see its changes grow old.
const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** What waits to be sent, with the way back from each; sends it when it can, and says what could not be made. */
export const OutboxCard = ({ senders, shop, onSent }: Omit<OutboxRoute, 'onRefused'>) => {
  const edits = useWaitingEdits()
  const online = useOnline()
  const router = useRouter()
  const now = useNow()
  const [open, setOpen] = useState(false)
  useHoldReload(edits.length > 0)
  const refused = (edit: WaitingEdit, reason: string): void => {
    onSent(edit)
    toast({
      title: reason === 'CONFLICT' ? `${edit.name} was changed meanwhile` : `${edit.name} was not changed`,
      message: reason === 'CONFLICT' ? `${edit.words}: not made. Please look and choose.` : reason,
      tone: 'warning',
      durationMs: Number.POSITIVE_INFINITY,
      action: { label: 'Look', onSelect: () => void navigateHref(router, edit.href) },
    })
  }
  const onRefused = useEffectEvent(refused)
  const told = useEffectEvent(onSent)
  const present = useEffectEvent(shop)
  useEffect(
    () =>
      startOutbox({
        senders,
        shop: () => present(),
        onSent: edit => told(edit),
        onRefused: (edit, reason) => onRefused(edit, reason),
      }),
    [senders],
  )
  if (edits.length === 0) return null
  const old = edits.filter(edit => isStale(edit, now))
  const sendOld = (): void =>
    void flushOutbox({ senders, shop, onSent, onRefused: refused }, edit => old.some(one => one.id === edit.id))
  return (
    <aside className="floating-card outbox-card" aria-label="Changes that wait">
      <div className="outbox-head">
        <output>
          <strong>{`${changes(edits.length)} ${edits.length === 1 ? 'waits' : 'wait'} for the network`}</strong>
          {old.length > 0 && <span>{`${changes(old.length)} older than 12 hours: not sent unless you say so.`}</span>}
        </output>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
      </div>
      {open && <WaitingList edits={edits} />}
      {old.length > 0 && online && <Button onClick={sendOld}>Send them now</Button>}
    </aside>
  )
}

const WaitingList = ({ edits }: { edits: readonly WaitingEdit[] }) => (
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
