import { onlineManager, useQuery } from '@tanstack/react-query'
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { useOnline } from '#client/api/online.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Draft, mergeDrafts } from '../../draft/draft.ts'
import { hasProgress } from '../../draft/rules.ts'
import { freshWizard, type WizardState } from '../../draft/wizard-state.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { useLater } from '../wizard/use-later.ts'
import { type WizardAction, wizardReducer } from '../wizard/wizard-reducer.ts'
import { type DraftStore, savedMode } from './draft-store.ts'
import { removeDiscarded, sendDraft } from './draft-sync.ts'

export type WizardWithDraft = ReturnType<typeof useDraft>

/**
 * The state of the wizard with its draft: every change is saved on the device at once and on the server a moment later. A
 * draft that was not open in this tab is offered first; `resume` (a link into a step) opens it without asking.
 */
export function useDraft(store: DraftStore, scope: string, resume: boolean) {
  const [stored] = useState(() => store.read())
  const reopened = resume || store.openId() === stored.draft?.id ? stored.draft : null
  const [state, dispatch] = useReducer(wizardReducer, null, () => reopened?.state ?? freshWizard(savedMode()))
  const [draftId, setDraftId] = useState(() => reopened?.id ?? newIdempotencyKey())
  const [isDecided, setDecided] = useState(reopened !== null)
  const online = useOnline()
  const remote = useQuery({ ...wizardQueries.draft(scope), enabled: online })
  const isAnswered = !online || remote.isFetched
  const offered = mergeDrafts(stored, isAnswered ? remote.data?.draft : null)
  const saver = useSaver(store, state, draftId, dispatch)

  const open = (draft: Draft): void => {
    saver.adopt(draft)
    setDraftId(draft.id)
    dispatch({ type: 'opened', state: draft.state })
    setDecided(true)
  }
  // Another device has a later version of the draft, which is open here without changes.
  useLater(remote.isFetched, 0, () => {
    if (!isDecided || saver.changed() || !offered || offered.id !== draftId) return
    if (offered.changedAt === stored.draft?.changedAt) return
    open(offered)
    toast({ title: 'Changed on another device', message: 'You see the latest version of your draft.' })
  })

  const phase = isDecided ? 'open' : offered ? 'offering' : isAnswered ? 'open' : 'loading'
  useEffect(() => {
    if (phase !== 'open') return
    store.setOpenId(draftId)
    // A reload does not run this; a user who leaves for another page is asked at the next visit.
    return () => store.setOpenId(null)
  }, [phase, draftId, store])
  const discard = (): void => {
    saver.forget(offered && !isDecided ? offered.id : draftId)
    setDraftId(newIdempotencyKey())
    dispatch({ type: 'opened', state: freshWizard(savedMode()) })
    setDecided(true)
  }
  return {
    /** `loading`: the server has not answered yet whether there is a draft. `offering`: the user can continue a draft. */
    phase,
    offered,
    state,
    dispatch,
    draftId,
    /** Deletes the draft everywhere: after its launch, or at the user's request. */
    discard,
    continueDraft: () => {
      // Another tab may have changed it.
      const newest = mergeDrafts(store.read(), isAnswered ? remote.data?.draft : null) ?? offered
      if (newest) open(newest)
    },
  }
}

// Saves every change of the wizard: on the device at once, on the server a moment later and again when the network returns.
function useSaver(store: DraftStore, state: WizardState, draftId: string, dispatch: Dispatch<WizardAction>) {
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
    timer.current = setTimeout(send, 800)
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
