import { useQuery } from '@tanstack/react-query'
import { type Dispatch, useEffect, useEffectEvent, useReducer, useState } from 'react'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { useOnline } from '#client/api/online.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Draft, mergeDrafts } from '../../draft/draft.ts'
import { freshWizard, type WizardState } from '../../draft/wizard-state.ts'
import { type DraftStore, savedMode } from './draft-store.ts'
import { type WizardAction, wizardReducer } from '../wizard/wizard-reducer.ts'
import { wizardQueries } from '../wizard/queries.ts'
import { useSaver } from './use-saver.ts'

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
  const offered = mergeDrafts(kept, asked ? remote.data?.draft : null)
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
    toast({ title: 'Changed on another device', message: 'You see the latest version of your draft.' })
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
    goOn: () => {
      // Another tab may have gone on with it since.
      const newest = mergeDrafts(store.read(), asked ? remote.data?.draft : null) ?? offered
      if (newest) open(newest)
    },
    startAnew: discard,
    discard,
  }
}
