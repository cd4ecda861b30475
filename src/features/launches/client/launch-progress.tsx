import './launches.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { isNotFound } from '#client/api/api-error.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { FullScreenOverlay } from '#client/ui/overlays/full-screen-overlay.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { PushOffer } from '#features/notifications/client/public.ts'
import { retryMayHelp } from '#shared/marketplace-rejections.ts'
import type { Launch } from '../contract.ts'
import { type ActiveLaunch, announcedLaunches, followLaunch } from './active-launch.ts'
import { currentStepLabel, failedCount, progressOf, relaunchLabel, wizardPath } from './launch-labels.ts'
import { LaunchSteps, RetryButton } from './launch-steps.tsx'
import { isUnderWay, launchQueries, useLaunchEvents } from './queries.ts'
import { formatTime } from '#client/ui/figures/format.ts'

export function LaunchProgress({ active }: { active: ActiveLaunch }) {
  const client = useQueryClient()
  const router = useRouter()
  const query = useQuery(launchQueries.detail(active.id))
  const launch = query.data
  const underWay = !launch || isUnderWay(launch)
  useLaunchEvents(() => void query.refetch(), underWay)
  const leave = (to: string) => void navigateHref(router, to, { replace: true })
  // Nobody follows a launch that is gone or belongs to someone else.
  const gone = isNotFound(query.error)
  const completed = launch?.status === 'COMPLETED' && !isUnderWay(launch)
  const announce = () => {
    noteWin()
    announcedLaunches.add(active.id)
    // No link to the page that is already open.
    const isLinked = active.dismissed && router.state.location.pathname !== '/campaigns'
    toast({
      title: 'Campaign created successfully!',
      tone: 'success',
      ...(active.dismissed && { message: active.name }),
      ...(isLinked && { action: { label: 'See campaigns', onSelect: () => leave('/campaigns?launched=true') } }),
    })
    void client.invalidateQueries()
  }
  const onEnd = useEffectEvent(() => {
    followLaunch(null)
    if (completed) announce()
    if (!active.dismissed) leave('/campaigns')
  })
  useEffect(() => {
    if (completed || gone) onEnd()
  }, [completed, gone])

  if (completed || gone) return null
  const dismiss = () => {
    followLaunch(underWay ? { ...active, dismissed: true } : null)
    leave('/campaigns')
  }
  if (active.dismissed) return <LaunchCard active={active} launch={launch} />
  if (!underWay) return <LaunchProblems launch={launch} onClose={dismiss} />
  return (
    <FullScreenOverlay
      open
      title="Creating Your Campaign"
      message={`${doing(launch)}. You can close this page. We will notify you.`}
      {...(launch && { progress: progressOf(launch) })}
    >
      {launch && <LaunchSteps steps={launch.steps} />}
      <PushOffer />
      <Button onClick={dismiss}>Keep working</Button>
    </FullScreenOverlay>
  )
}

function doing(launch: Launch | undefined): string {
  if (!launch) return 'Starting'
  return launch.waitingUntil
    ? `The marketplace cannot be reached. Next try at ${formatTime(launch.waitingUntil)}`
    : currentStepLabel(launch)
}

const problemTitle = ({ status }: Launch): string =>
  status === 'FAILED' ? 'The campaign could not be created' : 'Campaign partly created'

// The payload is wrong, so the marketplace would reject the same values again.
const retryHint = 'A retry would send the same values again. See below what to change, then launch again.'

function LaunchProblems({ launch, onClose }: { launch: Launch; onClose: () => void }) {
  const router = useRouter()
  const failed = failedCount(launch)
  const mayHelp = retryMayHelp(launch)
  const isFailed = launch.status === 'FAILED'
  const leaveTo = (href: string) => () => {
    followLaunch(null)
    void navigateHref(router, href)
  }
  return (
    <FullScreenOverlay
      open
      title={problemTitle(launch)}
      message={
        isFailed
          ? `Nothing was enabled, and no money is spent. ${mayHelp ? 'You can retry what failed.' : retryHint}`
          : `${failed} ${failed === 1 ? 'item' : 'items'} failed. The rest was created${mayHelp ? ' and does not change when you retry.' : `. ${retryHint}`}`
      }
      progress={progressOf(launch)}
      tone={isFailed ? 'danger' : 'accent'}
    >
      <LaunchSteps steps={launch.steps} />
      <div className="button-row">
        {launch.canRetry &&
          (mayHelp ? (
            <RetryButton id={launch.id} tone="primary" />
          ) : (
            <Button tone="primary" onClick={leaveTo(`${wizardPath}?launch=${launch.id}`)}>
              {relaunchLabel(launch)}
            </Button>
          ))}
        <Button onClick={leaveTo('/create-campaign-logs')}>See the log</Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </FullScreenOverlay>
  )
}

// `launch` is undefined until it is loaded.
function LaunchCard({ active, launch }: { active: ActiveLaunch; launch: Launch | undefined }) {
  const underWay = !launch || isUnderWay(launch)
  return (
    <aside className="floating-card launch-card" aria-label="Launch">
      <output>
        <strong>{underWay ? `Creating “${active.name}”` : `“${active.name}” needs your attention`}</strong>
        <span>{underWay ? doing(launch) : problemTitle(launch)}</span>
      </output>
      {underWay && <ProgressBar label={`Creating ${active.name}`} {...(launch && { value: progressOf(launch) })} />}
      <Button onClick={() => followLaunch({ ...active, dismissed: false })}>
        {underWay ? 'Show steps' : 'Show what failed'}
      </Button>
    </aside>
  )
}
