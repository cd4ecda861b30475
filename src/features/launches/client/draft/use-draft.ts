import { useQuery } from '@tanstack/react-query'
import { type Dispatch, useEffect, useEffectEvent, useReducer, useState } from 'react'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { useOnline } from '#client/api/online.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Draft, mergeDrafts } from '../../draft/draft.ts'
import { freshWizard, type WizardState } from '../../draft/wizard-state.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { type WizardAction, wizardReducer } from '../wizard/wizard-reducer.ts'
import { type DraftStore, savedMode } from './draft-store.ts'
import { useSaver } from './use-saver.ts'

export interface WizardWithDraft {
  /** `loading`: the server has not answered yet whether there is a draft. `offering`: the user can continue a draft. */
  phase: 'loading' | 'offering' | 'open'
  offered: Draft | null
  state: WizardState
  dispatch: Dispatch<WizardAction>
  draftId: string
  continueDraft: () => void
  startOver: () => void
  /** Deletes the draft everywhere: after its launch, or at the user's request. */
  discard: () => void
}

/**
 * The state of the wizard with its draft: every change is saved on the device at once and on the server a moment later. A
 * draft that was not open in this tab is offered first; `resume` (a link into a step) opens it without asking.
 */
export function useDraft(store: DraftStore, scope: string, resume: boolean): WizardWithDraft {
  const [stored] = useState(() => store.read())
  const reopened = stored.draft !== null && (resume || store.openId() === stored.draft.id)
  const [state, dispatch] = useReducer(wizardReducer, null, () =>
    reopened && stored.draft ? stored.draft.state : freshWizard(savedMode()),
  )
  const [draftId, setDraftId] = useState(() => (reopened && stored.draft ? stored.draft.id : newIdempotencyKey()))
  const [isDecided, setDecided] = useState(reopened)
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
  const onRemote = useEffectEvent(() => {
    if (!isDecided || saver.changed() || !offered || offered.id !== draftId) return
    if (offered.changedAt === stored.draft?.changedAt) return
    open(offered)
    toast({ title: 'Changed on another device', message: 'You see the latest version of your draft.' })
  })
  useEffect(() => {
    if (!remote.isFetched) return
    const timer = setTimeout(() => onRemote(), 0)
    return () => clearTimeout(timer)
  }, [remote.isFetched])

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
    phase,
    offered,
    state,
    dispatch,
    draftId,
    continueDraft: () => {
      // Another tab may have changed it.
      const newest = mergeDrafts(store.read(), isAnswered ? remote.data?.draft : null) ?? offered
      if (newest) open(newest)
    },
    startOver: discard,
    discard,
  }
}
