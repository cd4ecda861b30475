import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#client/api/api-error.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import type { LaunchLogRow } from '../../contract.ts'
import { LaunchSteps } from '../launch-steps.tsx'
import { failedCount, launchStatusWords, nowDoing, progressOf, undoWords } from '../launch-words.ts'
import { retryLaunch, undoLaunch } from '../mutations.ts'
import { isUnderWay } from '../queries.ts'
import { CreatedList } from './created-list.tsx'
import { Fold } from './fold.tsx'
import { LaunchCalls } from './launch-calls.tsx'

/** One launch of the log: how far it came, what it made, each call that it made, retry and undo. */
export const LaunchRow = ({ launch }: { launch: LaunchLogRow }) => {
  const [open, setOpen] = useState(false)
  const client = useQueryClient()
  const retry = useMutation(retryLaunch(client))
  const undo = useMutation(undoLaunch(client))
  const failed = failedCount(launch)
  const underWay = isUnderWay(launch)
  const askUndo = async () => {
    const sure = await confirm({
      title: `Undo “${launch.campaignName}”?`,
      message: 'Everything this launch made is archived on the marketplace. That cannot be taken back.',
      confirmText: 'Archive all of it',
      tone: 'danger',
    })
    if (sure) undo.mutate({ id: launch.id }, { onError: error => void askAnyway(error) })
  }
  // Things that were added to the campaigns since would go along: the server says which.
  const askAnyway = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return
    const sure = await confirm({
      title: 'Archive what was added since, too?',
      message: `${error.problem.details.join(', ')}. All of it is archived with the campaigns.`,
      confirmText: 'Archive that too',
      tone: 'danger',
    })
    if (sure) undo.mutate({ id: launch.id, anyway: true })
  }
  const tone = launch.status === 'COMPLETED' ? 'tag-good' : failed ? 'tag-danger' : ''
  return (
    <article className="list-row">
      <div className="list-row-head">
        <div className="list-row-name">
          <strong>{launch.campaignName}</strong>
          <div className="list-row-detail">
            {new Date(launch.createdAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })} ·{' '}
            {launch.createdCount} items made{failed > 0 && ` · ${failed} failed`}
          </div>
        </div>
        <span className={`tag ${tone}`}>{launch.undo ? undoWords[launch.undo] : launchStatusWords[launch.status]}</span>
      </div>
      {underWay && (
        <div className="launch-now">
          <span>{nowDoing(launch)}</span>
          <ProgressBar value={progressOf(launch)} label={`Launch of ${launch.campaignName}`} />
        </div>
      )}
      {open && (
        <>
          <LaunchSteps steps={launch.steps} timed />
          {launch.createdCount > 0 && (
            <Fold summary={`What it made (${formatNumber(launch.createdCount)})`}>
              <CreatedList launchId={launch.id} />
            </Fold>
          )}
          <Fold summary="Calls to the marketplace">
            <LaunchCalls launch={launch} />
          </Fold>
        </>
      )}
      <div className="button-row launch-actions">
        <Button onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? 'Hide steps' : 'Show steps'}
        </Button>
        {launch.canRetry && (
          <Button tone="accent" busy={retry.isPending} busyLabel="Retrying..." onClick={() => retry.mutate(launch.id)}>
            Retry failed items
          </Button>
        )}
        {launch.createdCount > 0 && !launch.undo && (
          <Button tone="danger" busy={undo.isPending} busyLabel="Undoing..." onClick={() => void askUndo()}>
            Undo
          </Button>
        )}
      </div>
    </article>
  )
}
