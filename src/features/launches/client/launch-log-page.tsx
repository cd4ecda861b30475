import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '#client/api/api-error.ts'
import { useEvents } from '#client/api/use-events.ts'
import { useOnline } from '#client/api/online.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { EmptyState, FailedState, OfflineState } from '#client/ui/states/state-views.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import type { LaunchLogRow } from '../contract.ts'
import { LaunchSteps } from './launch-steps.tsx'
import { failedCount, launchStatusWords, nowDoing, progressOf, undoWords } from './launch-words.ts'
import { retryLaunch, undoLaunch } from './mutations.ts'
import { isUnderWay, launchQueries } from './queries.ts'
import './launches.css'

const route = getRouteApi('/dashboard/create-campaign-logs')
const smallestSize = 10
const sizes = [smallestSize, 20, 50]

/** Every launch of the current advertising account: how far it came, what failed, retry and undo. */
export const LaunchLogPage = () => {
  const shop = useShop()
  const { page = 0, size = 20 } = route.useSearch()
  const navigate = route.useNavigate()
  const online = useOnline()
  const query = useQuery(launchQueries.log(shop, page, size))
  const refetch = () => void query.refetch()
  useEvents('/events', event => event.event === 'launch' && refetch(), { poll: refetch, onReconnect: refetch })
  return (
    <Page title="Launches" back="/campaigns" onRefresh={() => query.refetch()}>
      {query.data ? (
        <LogList data={query.data} />
      ) : !online ? (
        <OfflineState />
      ) : query.error ? (
        <FailedState error={query.error} onRetry={refetch} />
      ) : (
        <Skeleton rows={5} label="Loading launches" />
      )}
      {query.data && query.data.page.totalElements > smallestSize && (
        <Pager
          page={query.data.page}
          sizes={sizes}
          onPage={next => void navigate({ search: { page: next, size } })}
          onSize={next => void navigate({ search: { page: 0, size: next } })}
        />
      )}
    </Page>
  )
}

const wizard: string = '/create-campaign'

const LogList = ({ data }: { data: { content: LaunchLogRow[] } }) =>
  data.content.length ? (
    <ul className="plain-list">
      {data.content.map(launch => (
        <li key={launch.id}>
          <LogRow launch={launch} />
        </li>
      ))}
    </ul>
  ) : (
    <EmptyState
      title="Nothing was launched yet"
      hint="Each launch is listed here with its steps and what failed."
      action={
        <Link to={wizard} className="button button-primary">
          Create a campaign
        </Link>
      }
    />
  )

const LogRow = ({ launch }: { launch: LaunchLogRow }) => {
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
      {open && <LaunchSteps steps={launch.steps} />}
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
