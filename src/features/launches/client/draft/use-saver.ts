import { onlineManager } from '@tanstack/react-query'
import { type Dispatch, useEffect, useEffectEvent, useRef } from 'react'
import type { Draft } from '../../draft/draft.ts'
import { hasProgress } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardAction } from '../wizard/wizard-reducer.ts'
import type { DraftStore } from './draft-store.ts'
import { removeDiscarded, sendDraft } from './draft-sync.ts'

const saveAfterMs = 800

/** Saves every change of the wizard: on the device at once, on the server a moment later and again when the network returns. */
export function useSaver(store: DraftStore, state: WizardState, draftId: string, dispatch: Dispatch<WizardAction>) {
  // The saved state, compared by identity: to open a draft is not a change.
  const saved = useRef(state)
  const touched = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const adopt = (draft: Draft): void => {
    saved.current = draft.state
    store.write({ draft, sentAt: store.read().sentAt, discardedId: null })
  }
  const send = (): void =>
    void sendDraft(store, newer => {
      adopt(newer)
      dispatch({ type: 'opened', state: newer.state })
    })
  const forget = (id: string): void => {
    clearTimeout(timer.current)
    touched.current = false
    store.write({ draft: null, sentAt: null, discardedId: id })
    store.writeIntent(null)
    store.setOpenId(null)
    void removeDiscarded(store)
  }

  const onChange = useEffectEvent((next: WizardState, id: string) => {
    if (next === saved.current) return
    saved.current = next
    const stored = store.read()
    if (!hasProgress(next)) {
      if (stored.draft) forget(stored.draft.id)
      return
    }
    touched.current = true
    const baseVersion = stored.draft?.id === id ? stored.draft.version : undefined
    const version = baseVersion !== undefined && { version: baseVersion }
    store.write({ ...stored, draft: { id, changedAt: new Date().toISOString(), ...version, state: next } })
    clearTimeout(timer.current)
    timer.current = setTimeout(send, saveAfterMs)
  })
  useEffect(() => onChange(state, draftId), [state, draftId])

  // The same draft in two tabs: each takes over the other's changes, so that its next change does not revert them.
  const onOtherTab = useEffectEvent(() => {
    const { draft } = store.read()
    if (draft?.id !== draftId || draft.state === saved.current) return
    saved.current = draft.state
    dispatch({ type: 'opened', state: draft.state })
  })
  useEffect(() => store.onOtherTab(() => onOtherTab()), [store])

  const onOnline = useEffectEvent(() => {
    void removeDiscarded(store)
    send()
  })
  useEffect(() => {
    onOnline()
    return onlineManager.subscribe(online => online && onOnline())
  }, [])
  const onLeave = useEffectEvent(send)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      onLeave()
    },
    [],
  )
  return { adopt, forget, changed: () => touched.current }
}
