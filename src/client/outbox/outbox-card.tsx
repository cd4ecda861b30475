import './outbox.css'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useUpdateRequired } from '../api/build-version.ts'
import { useOnline } from '../api/online.ts'
import { useHoldReload } from '../pwa/can-reload-now.ts'
import { toast } from '../ui/shell/toast-store.ts'
import { Button } from '../ui/states/button.tsx'
import { type EditKind, flushOutbox, isStale, needsUser, type OutboxRoute, startOutbox } from './flush-outbox.ts'
import { OutboxList } from './outbox-list.tsx'
import { type PendingEdit, usePendingEdits } from './outbox.ts'

const ReviseSheet = lazy(() => import('./revise-sheet.tsx').then(m => ({ default: m.ReviseSheet })))

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

type CardProps = Omit<OutboxRoute, 'onRefused' | 'onSent'> & {
  /** Something was sent, or met a newer row: what is shown may be old. */
  onSettled: () => void
}

function routeOf({ kinds, shop, onSettled }: CardProps): OutboxRoute {
  return {
    kinds,
    shop,
    onSent: ({ name: title }, message) => {
      onSettled()
      if (message) toast({ title, message, tone: 'warning', durationMs: Number.POSITIVE_INFINITY })
    },
    onRefused: onSettled,
  }
}

function useSending(route: OutboxRoute): void {
  const { kinds } = route
  const currentShop = useEffectEvent(() => route.shop())
  const onSent = useEffectEvent((edit: PendingEdit, notMade?: string) => route.onSent(edit, notMade))
  const onRefused = useEffectEvent((edit: PendingEdit, reason: string) => route.onRefused(edit, reason))
  useEffect(
    () =>
      startOutbox({
        kinds,
        shop: () => currentShop(),
        onSent: (edit, notMade) => onSent(edit, notMade),
        onRefused: (edit, reason) => onRefused(edit, reason),
      }),
    [kinds],
  )
}

/** What the features know of the kinds among these edits, as it comes. */
function useKinds(edits: readonly PendingEdit[], { kinds }: OutboxRoute): Record<string, EditKind> {
  const [loaded, setLoaded] = useState<Record<string, EditKind>>({})
  const missing = [...new Set(edits.map(one => one.kind))].filter(kind => !(kind in loaded)).join()
  useEffect(() => {
    for (const kind of missing.split(',').filter(Boolean))
      void kinds[kind]?.().then(
        loadedKind => setLoaded(before => ({ ...before, [kind]: loadedKind })),
        () => undefined,
      )
  }, [missing, kinds])
  return loaded
}

/** The pending edits, which can be changed and undone; sends them when possible and shows which need a decision. */
export function OutboxCard(props: CardProps) {
  const edits = usePendingEdits()
  const online = useOnline()
  const now = useNow()
  const route = routeOf(props)
  useSending(route)
  const [chosen, setChosen] = useState<boolean>()
  const [revised, setRevised] = useState<string>()
  const conflicts = edits.filter(edit => edit.conflict !== undefined)
  const failed = edits.filter(edit => edit.aside !== undefined)
  const pending = edits.filter(edit => !needsUser(edit))
  const open = chosen ?? conflicts.length + failed.length > 0
  const loadedKinds = useKinds(open ? edits : [], route)
  // Edits that need the user do not hold it: they may need the new version. Nor do those that only that one can send.
  const isUpdateRequired = useUpdateRequired()
  useHoldReload(pending.length > 0 && !isUpdateRequired)
  if (edits.length === 0) return null
  const queuedUntil = isUpdateRequired ? ' for the new version' : online ? '' : ' until you are online'
  const old = pending.filter(edit => isStale(edit, now))
  const sendOld = (): void => void flushOutbox(route, edit => old.some(one => one.id === edit.id))
  const about = edits.find(edit => edit.id === revised)
  const aboutKind = about && loadedKinds[about.kind]
  const list = { kinds: loadedKinds, route, onRevise: setRevised }
  return (
    <aside className="floating-card outbox-card" aria-label="Queued changes">
      <div className="outbox-head">
        <output>
          {conflicts.length > 0 && (
            <strong>{`${changes(conflicts.length)} ${conflicts.length === 1 ? 'needs' : 'need'} your choice`}</strong>
          )}
          {failed.length > 0 && <strong>{`${changes(failed.length)} could not be sent`}</strong>}
          {pending.length > 0 && <strong>{`${changes(pending.length)} queued${queuedUntil}`}</strong>}
          {old.length > 0 && <span>{`${changes(old.length)} older than 12 hours: not sent unless you confirm.`}</span>}
        </output>
        <Button aria-expanded={open} onClick={() => setChosen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
      </div>
      {open && [conflicts, failed, pending].map((some, index) => <OutboxList key={index} edits={some} {...list} />)}
      {old.length > 0 && online && (
        <Button block onClick={sendOld}>
          Send {old.length === 1 ? 'it' : 'them'} now
        </Button>
      )}
      {about && aboutKind && (
        <Suspense>
          <ReviseSheet
            key={about.id}
            edit={about}
            kind={aboutKind}
            onRevised={() => void flushOutbox(route)}
            onClose={() => setRevised(undefined)}
          />
        </Suspense>
      )}
    </aside>
  )
}
