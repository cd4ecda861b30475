import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { isNotFound } from '#client/api/api-error.ts'
import { useEvents } from '#client/api/events/use-events.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { FullScreenOverlay } from '#client/ui/overlays/full-screen-overlay.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { PushOffer } from '#features/notifications/client/public.ts'
import type { Launch } from '../contract.ts'
import { type ActiveLaunch, followLaunch } from './active-launch.ts'
import { retryMayHelp } from '#shared/marketplace-rejections.ts'
import { relaunchHref, relaunchLabel } from './launch-labels.ts'
import { LaunchSteps } from './launch-steps.tsx'
import { failedCount, currentStepLabel, progressOf } from './launch-labels.ts'
import { retryLaunch } from './mutations.ts'
import { isUnderWay, launchQueries } from './queries.ts'
import './launches.css'

/** The progress of the launch that this device follows, until its end. */
export const LaunchProgress = ({ active }: { active: ActiveLaunch }) => {
  const client = useQueryClient()
  const router = useRouter()
  const query = useQuery(launchQueries.detail(active.id))
  const launch = query.data
  const underWay = !launch || isUnderWay(launch)
  const refetch = () => void query.refetch()
  useEvents('/events', event => event.event === 'launch' && refetch(), {
    enabled: underWay,
    poll: refetch,
    onReconnect: refetch,
  })
  const leave = (to: string) => void navigateHref(router, to, { replace: true })
  const onCompleted = useEffectEvent(() => {
    followLaunch(null)
    noteWin()
    const seeCampaigns = { label: 'See campaigns', onSelect: () => leave('/campaigns') }
    toast({
      title: 'Campaign created successfully!',
      tone: 'success',
      ...(active.dismissed && { message: active.name }),
      // No link to the page that is already open.
      ...(active.dismissed && router.state.location.pathname !== '/campaigns' && { action: seeCampaigns }),
    })
    void client.invalidateQueries()
    if (!active.dismissed) leave('/campaigns')
  })
  // Stop following a launch that is gone or belongs to someone else.
  const gone = isNotFound(query.error)
  const completed = launch?.status === 'COMPLETED' && !isUnderWay(launch)
  const onGone = useEffectEvent(() => {
    followLaunch(null)
    if (!active.dismissed) leave('/campaigns')
  })
  useEffect(() => {
    if (completed) onCompleted()
    else if (gone) onGone()
  }, [completed, gone])

  if (completed || gone) return null
  const dismiss = () => {
    followLaunch(underWay ? { ...active, dismissed: true } : null)
    leave('/campaigns')
  }
  if (active.dismissed) return <LaunchCard active={active} launch={launch} underWay={underWay} />
  if (underWay)
    return (
      <FullScreenOverlay
        open
        title="Creating Your Campaign"
        message={`${launch ? doing(launch) : 'Starting'}. You can close this page. We will notify you.`}
        {...(launch && { progress: progressOf(launch) })}
      >
        {launch && <LaunchSteps steps={launch.steps} />}
        <PushOffer />
        <Button onClick={dismiss}>Keep working</Button>
      </FullScreenOverlay>
    )
  return <LaunchProblems launch={launch} onClose={dismiss} />
}

function doing(launch: Launch): string {
  return launch.waitingUntil
    ? `The marketplace cannot be reached. Next try at ${new Date(launch.waitingUntil).toLocaleTimeString(undefined, { timeStyle: 'short' })}`
    : currentStepLabel(launch)
}

function problemTitle(launch: Launch): string {
  return launch.status === 'FAILED' ? 'The campaign could not be created' : 'Campaign partly created'
}

// The payload is wrong, so the marketplace would reject the same values again.
const retryHint = 'A retry would send the same values again. See below what to change, then launch again.'

function LaunchProblems({ launch, onClose }: { launch: Launch; onClose: () => void }) {
  const client = useQueryClient()
  const router = useRouter()
  const retry = useMutation(retryLaunch(client))
  const failed = failedCount(launch)
  const mayHelp = retryMayHelp(launch)
  const toLog = () => {
    followLaunch(null)
    void navigateHref(router, '/create-campaign-logs')
  }
  const toAgain = () => {
    followLaunch(null)
    void navigateHref(router, relaunchHref(launch.id))
  }
  return (
    <FullScreenOverlay
      open
      title={problemTitle(launch)}
      message={
        launch.status === 'FAILED'
          ? `Nothing was enabled, and no money is spent. ${mayHelp ? 'You can retry what failed.' : retryHint}`
          : `${failed} ${failed === 1 ? 'item' : 'items'} failed. The rest was created${mayHelp ? ' and does not change when you retry.' : `. ${retryHint}`}`
      }
      progress={progressOf(launch)}
      tone={launch.status === 'FAILED' ? 'danger' : 'accent'}
    >
      <LaunchSteps steps={launch.steps} />
      <div className="button-row">
        {launch.canRetry &&
          (mayHelp ? (
            <Button
              tone="primary"
              busy={retry.isPending}
              busyLabel="Retrying..."
              onClick={() => retry.mutate(launch.id)}
            >
              Retry failed items
            </Button>
          ) : (
            <Button tone="primary" onClick={toAgain}>
              {relaunchLabel(launch)}
            </Button>
          ))}
        <Button onClick={toLog}>See the log</Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </FullScreenOverlay>
  )
}

interface LaunchCardProps {
  active: ActiveLaunch
  launch: Launch | undefined
  underWay: boolean
}
function LaunchCard({ active, launch, underWay }: LaunchCardProps) {
  return (
    <aside className="floating-card launch-card" aria-label="Launch">
      <output>
        <strong>{underWay ? `Creating “${active.name}”` : `“${active.name}” needs your attention`}</strong>
        <span>{launch ? (underWay ? doing(launch) : problemTitle(launch)) : 'Starting'}</span>
      </output>
      {underWay && <ProgressBar label={`Creating ${active.name}`} {...(launch && { value: progressOf(launch) })} />}
      <Button onClick={() => followLaunch({ ...active, dismissed: false })}>
        {underWay ? 'Show steps' : 'Show what failed'}
      </Button>
    </aside>
  )
}
