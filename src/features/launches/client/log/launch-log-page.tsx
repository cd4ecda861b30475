import '../launches.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '#client/api/api-error.ts'
import { formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import { useMayChange, useShop } from '#features/accounts/client/public.ts'
import { retryMayHelp } from '#shared/marketplace-rejections.ts'
import { createdEntities, type Launch, type LaunchLogRow } from '../../contract.ts'
import { currentStepLabel, failedCount, progressOf, relaunchLabel, wizardPath } from '../launch-labels.ts'
import { LaunchSteps, RetryButton } from '../launch-steps.tsx'
import { undoLaunch } from '../mutations.ts'
import { isUnderWay, launchQueries, useLaunchEvents } from '../queries.ts'
import { Fold, LaunchCalls } from './launch-calls.tsx'

const route = getRouteApi('/dashboard/create-campaign-logs')

export function LaunchLogPage() {
  const shop = useShop()
  const mayChange = useMayChange()
  const { page = 0, size = 20 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(launchQueries.log(shop, page, size))
  useLaunchEvents(() => void query.refetch())
  return (
    <Page
      title="Launches"
      back="/campaigns"
      status={query.data && <OfflineAge updatedAt={[query.dataUpdatedAt]} />}
      onRefresh={() => query.refetch()}
    >
      <QueryView
        query={query}
        loading={{ rows: 5, label: 'Loading launches' }}
        empty={({ content }) => content.length === 0 && nothingLaunched}
      >
        {({ content }) => (
          <ul className="plain-list">
            {content.map(launch => (
              <li key={launch.id}>
                <LaunchRow launch={launch} mayChange={mayChange} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {query.data && query.data.page.totalElements > 10 && (
        <Pager
          page={query.data.page}
          sizes={[10, 20, 50]}
          onPage={next => void navigate({ search: { page: next, size } })}
          onSize={next => void navigate({ search: { page: 0, size: next } })}
        />
      )}
    </Page>
  )
}

const nothingLaunched = (
  <EmptyState
    title="No launches yet"
    hint="Each launch appears here with its steps and failures."
    action={
      <Link to={wizardPath} className="button button-primary">
        Create a campaign
      </Link>
    }
  />
)

/** One launch; who may not change anything gets its steps and no acts. */
export function LaunchRow({ launch, mayChange }: { launch: LaunchLogRow; mayChange: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <article className="list-row">
      <RowHead launch={launch} />
      {isUnderWay(launch) && (
        <div className="launch-now">
          <span>{currentStepLabel(launch)}</span>
          <ProgressBar value={progressOf(launch)} label={`Launch of ${launch.campaignName}`} />
        </div>
      )}
      {open && (
        <>
          <LaunchSteps steps={launch.steps} timed />
          {launch.createdCount > 0 && (
            <Fold summary={`Created items (${formatNumber(launch.createdCount)})`}>
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
        {mayChange && (
          <>
            {launch.canRetry && <RetryButton id={launch.id} tone={retryMayHelp(launch) ? 'accent' : 'quiet'} />}
            <LaunchAgain launch={launch} />
            <UndoButton launch={launch} />
          </>
        )}
      </div>
    </article>
  )
}

function LaunchAgain({ launch }: { launch: LaunchLogRow }) {
  const words = relaunchLabel(launch)
  if (!words) return null
  const isTheWay = launch.canRetry && !retryMayHelp(launch)
  return (
    <Link
      to={wizardPath}
      search={{ launch: launch.id }}
      className={`button ${isTheWay ? 'button-accent' : 'button-quiet'}`}
    >
      {words}
      <span className="visually-hidden"> “{launch.campaignName}”</span>
    </Link>
  )
}

const launchStatusLabels: Record<Launch['status'], string> = {
  PENDING: 'Waiting to start',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Completed',
  PARTIAL: 'Partly completed',
  FAILED: 'Failed',
}
const undoLabels = { PENDING: 'Undoing', DONE: 'Undone', PARTIAL: 'Partly undone' } as const

function RowHead({ launch }: { launch: LaunchLogRow }) {
  const failed = failedCount(launch)
  const tone = launch.status === 'COMPLETED' ? 'tag-good' : failed ? 'tag-danger' : ''
  return (
    <>
      <div className="list-row-head">
        <strong className="list-row-name">{launch.campaignName}</strong>
        <span className={`tag ${tone}`}>
          {launch.undo ? undoLabels[launch.undo] : launchStatusLabels[launch.status]}
        </span>
      </div>
      <div className="list-row-detail">
        {formatMoment(launch.createdAt)} · {formatNumber(launch.createdCount)}{' '}
        {launch.createdCount === 1 ? 'item' : 'items'} created
        {failed > 0 && ` · ${formatNumber(failed)} failed`}
      </div>
    </>
  )
}

/** Undoes a whole launch after the user confirms; asks again when other items were added to its campaigns. */
function UndoButton({ launch }: { launch: LaunchLogRow }) {
  const { id, campaignName, createdCount, undo: status } = launch
  const undo = useMutation(undoLaunch(useQueryClient()))
  // Later additions would be archived too; the server lists them.
  const confirmAnyway = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return
    const confirmed = await confirm({
      title: 'Also archive later additions?',
      message: `${error.problem.details.join(', ')}. They will be archived together with the campaigns.`,
      confirmText: 'Archive everything',
      tone: 'danger',
    })
    if (confirmed) undo.mutate({ id, anyway: true })
  }
  const ask = async () => {
    const confirmed = await confirm({
      title: `Undo “${campaignName}”?`,
      message: 'Everything this launch created will be archived on the marketplace. You cannot undo this.',
      confirmText: 'Archive all',
      tone: 'danger',
    })
    if (confirmed) undo.mutate({ id }, { onError: error => void confirmAnyway(error) })
  }
  // A partly undone launch can be undone again; archived items stay archived.
  if (createdCount === 0 || (status !== null && status !== 'PARTIAL')) return null
  return (
    <Button tone="danger" busy={undo.isPending} busyLabel="Undoing..." onClick={() => void ask()}>
      Undo
    </Button>
  )
}

// By kind, with the marketplace's ids.
function CreatedList({ launchId }: { launchId: number }) {
  return (
    <QueryView
      query={useQuery(launchQueries.detail(launchId))}
      loading={{ rows: 3, kind: 'line', label: 'Loading created items' }}
      offline={<OfflineState title="The list needs a connection" />}
    >
      {({ created, createdCount }) => (
        <>
          {createdCount > created.length && (
            <p className="call-body-title">
              The first {formatNumber(created.length)} of {formatNumber(createdCount)}:
            </p>
          )}
          <dl className="created">
            {createdEntities.map(entity => {
              const items = created.filter(item => item.entity === entity)
              return (
                items.length > 0 && (
                  <div key={entity}>
                    <dt>
                      {entityLabels[entity]} ({items.length})
                    </dt>
                    {items.map(item => (
                      <dd key={item.id}>
                        {item.name} <small>{item.id}</small>
                      </dd>
                    ))}
                  </div>
                )
              )
            })}
          </dl>
        </>
      )}
    </QueryView>
  )
}

const entityLabels: Record<Launch['created'][number]['entity'], string> = {
  CAMPAIGN: 'Campaigns',
  AD_GROUP: 'Ad groups',
  PRODUCT_AD: 'Product ads',
  KEYWORD: 'Keywords',
  PRODUCT_TARGET: 'Product targets',
  NEGATIVE_KEYWORD: 'Negative keywords',
}
