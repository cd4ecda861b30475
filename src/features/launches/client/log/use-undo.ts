import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/api/api-error.ts'
import { confirm } from '#client/ui/overlays/confirm.ts'
import type { LaunchLogRow } from '../../contract.ts'
import { undoLaunch } from '../mutations.ts'

/** The undo of a whole launch, after a question; after another where things were added to its campaigns since. */
export const useUndo = ({ id, campaignName, createdCount, undo: asked }: LaunchLogRow) => {
  const undo = useMutation(undoLaunch(useQueryClient()))
  // Things that were added to the campaigns since would go along: the server says which.
  const askAnyway = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return
    const sure = await confirm({
      title: 'Archive what was added since, too?',
      message: `${error.problem.details.join(', ')}. All of it is archived with the campaigns.`,
      confirmText: 'Archive that too',
      tone: 'danger',
    })
    if (sure) undo.mutate({ id, anyway: true })
  }
  const ask = async () => {
    const sure = await confirm({
      title: `Undo “${campaignName}”?`,
      message: 'Everything this launch made is archived on the marketplace. That cannot be taken back.',
      confirmText: 'Archive all of it',
      tone: 'danger',
    })
    if (sure) undo.mutate({ id }, { onError: error => void askAnyway(error) })
  }
  // One that was undone in part can be asked again: what is archived stays so.
  return { isOffered: createdCount > 0 && (asked === null || asked === 'PARTIAL'), isPending: undo.isPending, ask }
}
