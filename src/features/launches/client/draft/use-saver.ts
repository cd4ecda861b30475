import { onlineManager } from '@tanstack/react-query'
import { type Dispatch, useEffect, useEffectEvent, useRef } from 'react'
import type { Draft } from '../../draft/draft.ts'
import { hasProgress } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardAction } from '../wizard/wizard-reducer.ts'
import type { DraftStore } from './draft-store.ts'
import { removeDiscarded, sendDraft } from './draft-sync.ts'

const saveAfterMs = 800

/** Keeps every change of the wizard: on the device at once, on the server a moment later and whenever there is network again. */
export function useSaver(store: DraftStore, state: WizardState, draftId: string, dispatch: Dispatch<WizardAction>) {
  // The state that is saved already, by identity: opening a draft is no change of it.
  const known = useRef(state)
  const touched = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const adopt = (draft: Draft): void => {
    known.current = draft.state
    store.write({ draft, sentAt: store.read().sentAt, discardedId: null })
  }
  const send = (): void =>
    void sendDraft(store, standing => {
      adopt(standing)
      dispatch({ type: 'opened', state: standing.state })
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
    if (next === known.current) return
    known.current = next
    const before = store.read()
    if (!hasProgress(next)) {
      if (before.draft) forget(before.draft.id)
      return
    }
    touched.current = true
    const seen = before.draft?.id === id ? before.draft.version : undefined
    const version = seen !== undefined && { version: seen }
    store.write({ ...before, draft: { id, changedAt: new Date().toISOString(), ...version, state: next } })
    clearTimeout(timer.current)
    timer.current = setTimeout(send, saveAfterMs)
  })
  useEffect(() => onChange(state, draftId), [state, draftId])

  // The same draft in two tabs: each goes on from what the other has entered, or its next letter would undo that.
  const onOtherTab = useEffectEvent(() => {
    const { draft } = store.read()
    if (draft?.id !== draftId || draft.state === known.current) return
    known.current = draft.state
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
