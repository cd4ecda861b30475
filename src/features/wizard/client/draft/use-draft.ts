import { onlineManager, useQuery } from '@tanstack/react-query'
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { draftEndpoints } from '../../contract.ts'
import { type Draft, mergeDrafts } from '../../draft.ts'
import { hasProgress } from '../../rules.ts'
import { freshWizard, type WizardState } from '../../wizard-state.ts'
import { type DraftStore, savedMode } from './draft-store.ts'
import { type WizardAction, wizardReducer } from '../state.ts'
import { wizardQueries } from '../queries.ts'

const saveAfterMs = 800

export interface DraftedWizard {
  /** `asking`: which draft there is, is not known yet. `offering`: one waits to be gone on with. */
  phase: 'asking' | 'offering' | 'open'
  offered: Draft | null
  state: WizardState
  dispatch: Dispatch<WizardAction>
  draftId: string
  goOn: () => void
  startAnew: () => void
  /** Throws the draft away everywhere: it was launched, or the user said so. */
  discard: () => void
}

/**
 * The wizard's state with its draft: every change is kept on the device at once and, a moment later, on the server. A draft
 * that was not open in this tab is offered first; `resume` (a deep link into a step) opens it without asking.
 */
export const useDraft = (store: DraftStore, scope: string, resume: boolean): DraftedWizard => {
  const [kept] = useState(() => store.read())
  const reopened = kept.draft !== null && (resume || store.openId() === kept.draft.id)
  const [state, dispatch] = useReducer(wizardReducer, null, () =>
    reopened && kept.draft ? kept.draft.state : freshWizard(savedMode()),
  )
  const [draftId, setDraftId] = useState(() => (reopened && kept.draft ? kept.draft.id : newIdempotencyKey()))
  const [decided, setDecided] = useState(reopened)
  const online = useOnline()
  const remote = useQuery({ ...wizardQueries.draft(scope), enabled: online })
  const asked = !online || remote.isFetched
  const offered = mergeDrafts(kept, remote.data?.draft ?? null)
  const saver = useSaver(store, state, draftId, dispatch)

  const open = (draft: Draft): void => {
    saver.adopt(draft)
    setDraftId(draft.id)
    dispatch({ type: 'opened', state: draft.state })
    setDecided(true)
  }
  // Another device went further with the draft that is open here untouched.
  const onRemote = useEffectEvent(() => {
    if (!decided || saver.changed() || !offered || offered.id !== draftId) return
    if (offered.changedAt === kept.draft?.changedAt) return
    open(offered)
    toast({ title: 'Changed on another device', message: 'The latest version of your draft is shown.' })
  })
  useEffect(() => {
    if (!remote.isFetched) return
    const timer = setTimeout(() => onRemote(), 0)
    return () => clearTimeout(timer)
  }, [remote.isFetched])

  const phase = decided ? 'open' : offered ? 'offering' : asked ? 'open' : 'asking'
  useEffect(() => {
    if (phase !== 'open') return
    store.setOpenId(draftId)
    // A reload ends without this; who leaves for another page is asked on the next visit.
    return () => store.setOpenId(null)
  }, [phase, draftId, store])
  const discard = (): void => {
    saver.forget(offered && !decided ? offered.id : draftId)
    setDraftId(newIdempotencyKey())
    dispatch({ type: 'opened', state: freshWizard(savedMode()) })
    setDecided(true)
  }
  return {
    phase,
    offered,
    state,
    dispatch,
    draftId,
    goOn: () => offered && open(offered),
    startAnew: discard,
    discard,
  }
}

const useSaver = (store: DraftStore, state: WizardState, draftId: string, dispatch: Dispatch<WizardAction>) => {
  // The state that is saved already, by identity: opening a draft is no change of it.
  const known = useRef(state)
  const touched = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const adopt = (draft: Draft): void => {
    known.current = draft.state
    store.write({ draft, sentAt: store.read().sentAt, discardedId: null })
  }
  const send = async (): Promise<void> => {
    const { draft, sentAt } = store.read()
    if (!draft || sentAt === draft.changedAt || !onlineManager.isOnline()) return
    try {
      const answer = await call(draftEndpoints.save, { body: draft })
      if (answer.draft.id === draft.id && answer.draft.changedAt > draft.changedAt) {
        if (store.read().draft?.changedAt !== draft.changedAt) return
        adopt(answer.draft)
        dispatch({ type: 'opened', state: answer.draft.state })
      }
      const now = store.read()
      if (now.draft?.id !== draft.id) return
      // The server may date a change anew; what was changed here meanwhile goes on from its version.
      const { version, changedAt } = answer.draft
      const isSame = now.draft.changedAt === draft.changedAt
      const own = { ...now.draft, ...(version !== undefined && { version }), ...(isSame && { changedAt }) }
      store.write({ ...now, draft: own, sentAt: changedAt })
    } catch {
      // Kept on the device; the next change or connection tries again.
    }
  }
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
    timer.current = setTimeout(() => void send(), saveAfterMs)
  })
  useEffect(() => onChange(state, draftId), [state, draftId])

  const onOnline = useEffectEvent(() => {
    void removeDiscarded(store)
    void send()
  })
  useEffect(() => {
    onOnline()
    return onlineManager.subscribe(online => online && onOnline())
  }, [])
  const onLeave = useEffectEvent(() => void send())
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      onLeave()
    },
    [],
  )
  return { adopt, forget, changed: () => touched.current }
}

const removeDiscarded = async (store: DraftStore): Promise<void> => {
  const { discardedId } = store.read()
  if (!discardedId || !onlineManager.isOnline()) return
  try {
    await call(draftEndpoints.remove, { query: { id: discardedId } })
    const now = store.read()
    if (now.discardedId === discardedId) store.write({ ...now, discardedId: null })
  } catch {
    // Remembered as thrown away; tried again later.
  }
}
