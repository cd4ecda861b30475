import { pauseOutline, playOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { useOnline } from '#client/api/online.ts'
import { needsUser } from '#client/outbox/flush-outbox.ts'
import { discardEdit, usePendingEditsOf } from '#client/outbox/outbox.ts'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import { SwipeRow } from '#client/ui/lists/swipe-row.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { PendingNote } from '#client/ui/states/state-views.tsx'
import type { NewState } from '#features/structure/contract.ts'
import type { RowKind } from '../form/field-labels.ts'
import { useEdit } from './use-edit.ts'

/** Says, while there is no network, what becomes of changes; that there is none is said above each page. */
export function OfflineNote() {
  return useOnline() ? null : (
    <p className="offline-note" aria-live="polite">
      Changes are queued until you are online again.
    </p>
  )
}

/** A row with the edits that wait for the network, and the note that says so, with its undo. */
export function useWithPending<R extends { id: number }>(kind: RowKind, row: R): { shown: R; note: ReactNode } {
  const edits = usePendingEditsOf(kind, row.id)
  // What was rejected, or met another change, has not been made: the card of the outbox asks what to do with it.
  const pending = edits.filter(edit => !needsUser(edit))
  const last = pending.at(-1)
  if (!last) return { shown: row, note: null }
  const shown = pending.reduce((previous, edit) => ({ ...previous, ...edit.set }), row)
  return { shown, note: <PendingNote onUndo={() => discardEdit(last.id)}>Queued until you are online.</PendingNote> }
}

type Switchable = 'ENABLED' | 'PAUSED'
const otherState = (state: string): Switchable | null =>
  state === 'ENABLED' ? 'PAUSED' : state === 'PAUSED' ? 'ENABLED' : null

/** What messages call each kind, and what archiving ends beside the row itself. */
const kinds: Record<RowKind, { noun: string; ends?: string }> = {
  campaign: { noun: 'Campaign', ends: 'Its ad groups, ads and keywords stop with it. ' },
  adGroup: { noun: 'Ad group', ends: 'Its ads and keywords stop with it. ' },
  ad: { noun: 'Ad' },
  keyword: { noun: 'Keyword' },
  target: { noun: 'Target' },
}
const done: Record<NewState, string> = { ENABLED: 'enabled', PAUSED: 'paused', ARCHIVED: 'archived' }

/**
 * A row as the user wants it, with its note of pending edits and what can be done with it: paused, enabled, archived.
 * `describe` says what it is called and where it is found. The error policy reports a rejection.
 */
export function useEditableRow<R extends { id: number; state: string; version: number; currency: string }>(
  kind: RowKind,
  stored: R,
  describe: (row: R) => { name: string; href: string },
) {
  const { make } = useEdit(kind)
  const { shown: row, note } = useWithPending(kind, stored)
  const { name, href } = describe(row)
  /** The state that it would be switched to; null when it is neither running nor paused. */
  const next = otherState(row.state)
  const { noun, ends = '' } = kinds[kind]

  const change = async (state: NewState) => {
    const was = next && otherState(next)
    if (!was) return
    const { id, version, currency } = row
    // Which kind takes which state is the contract's; ads are never archived here.
    const edit = { kind, id, name, version, set: { state } as { state: Switchable }, was: { state: was } }
    await make({ edit, title: `${noun} ${done[state]}`, currency, href }).catch(() => undefined)
  }
  /** To the other of running and paused, with ten seconds to take it back. */
  const switchState = (): void => {
    if (next) void change(next)
  }
  /** For good, once the user said so. True when it was asked of the server. */
  const archive = async (): Promise<boolean> => {
    const sure = await confirm({
      title: `Archive “${name}”?`,
      message: `${ends}Archiving is permanent at the marketplace and cannot be undone. To stop it for a while, pause it instead.`,
      confirmText: 'Hold to archive',
      tone: 'danger',
      isHeld: true,
    })
    if (sure) await change('ARCHIVED')
    return sure
  }
  const switchAction: RowAction = {
    label: next === 'PAUSED' ? 'Pause' : 'Enable',
    icon: next === 'PAUSED' ? pauseOutline : playOutline,
    onSelect: switchState,
  }
  return { row, name, href, note, next, switchState, switchAction, archive }
}

/** A row with actions by a swipe or behind a button; without actions the row alone. */
export function ActionRow({ name, actions, children }: { name: string; actions: RowAction[]; children: ReactNode }) {
  if (!actions.length) return children
  return (
    <SwipeRow name={name} actions={actions}>
      {children}
    </SwipeRow>
  )
}
