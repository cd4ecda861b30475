import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import type { LaunchLogRow } from '../../contract.ts'
import { retryMayHelp } from '#shared/marketplace-rejections.ts'
import { againPath, againWords } from '../launch-again.ts'
import { LaunchSteps } from '../launch-steps.tsx'
import { failedCount, launchStatusWords, nowDoing, progressOf, undoWords } from '../launch-words.ts'
import { retryLaunch } from '../mutations.ts'
import { isUnderWay } from '../queries.ts'
import { CreatedList } from './created-list.tsx'
import { Fold } from './fold.tsx'
import { LaunchCalls } from './launch-calls.tsx'
import { useUndo } from './use-undo.ts'

/** One launch of the log: how far it came, what it made, each call that it made, retry and undo. */
export const LaunchRow = ({ launch }: { launch: LaunchLogRow }) => {
  const [open, setOpen] = useState(false)
  const client = useQueryClient()
  const retry = useMutation(retryLaunch(client))
  const undo = useUndo(launch)
  return (
    <article className="list-row">
      <RowHead launch={launch} />
      {isUnderWay(launch) && (
        <div className="launch-now">
          <span>{nowDoing(launch)}</span>
          <ProgressBar value={progressOf(launch)} label={`Launch of ${launch.campaignName}`} />
        </div>
      )}
      {open && <RowDetails launch={launch} />}
      <div className="button-row launch-actions">
        <Button onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? 'Hide steps' : 'Show steps'}
        </Button>
        {launch.canRetry && (
          <Button
            {...(retryMayHelp(launch) && { tone: 'accent' as const })}
            busy={retry.isPending}
            busyLabel="Retrying..."
            onClick={() => retry.mutate(launch.id)}
          >
            Retry failed items
          </Button>
        )}
        <LaunchAgain launch={launch} />
        {undo.isOffered && (
          <Button tone="danger" busy={undo.isPending} busyLabel="Undoing..." onClick={() => void undo.ask()}>
            Undo
          </Button>
        )}
      </div>
    </article>
  )
}

const LaunchAgain = ({ launch }: { launch: LaunchLogRow }) => {
  const words = againWords(launch)
  if (!words) return null
  const isTheWay = launch.canRetry && !retryMayHelp(launch)
  return (
    <Link
      to={againPath}
      search={{ launch: launch.id }}
      className={`button ${isTheWay ? 'button-accent' : 'button-quiet'}`}
    >
      {words}
      <span className="visually-hidden"> “{launch.campaignName}”</span>
    </Link>
  )
}

const RowHead = ({ launch }: { launch: LaunchLogRow }) => {
  const failed = failedCount(launch)
  const tone = launch.status === 'COMPLETED' ? 'tag-good' : failed ? 'tag-danger' : ''
  return (
    <>
      <div className="list-row-head">
        <strong className="list-row-name">{launch.campaignName}</strong>
        <span className={`tag ${tone}`}>{launch.undo ? undoWords[launch.undo] : launchStatusWords[launch.status]}</span>
      </div>
      <div className="list-row-detail">
        {new Date(launch.createdAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })} ·{' '}
        {formatNumber(launch.createdCount)} {launch.createdCount === 1 ? 'item' : 'items'} made
        {failed > 0 && ` · ${formatNumber(failed)} failed`}
      </div>
    </>
  )
}

const RowDetails = ({ launch }: { launch: LaunchLogRow }) => (
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
)
