import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { failureMessage } from '../../api/api-error.ts'
import { usePageTitle, Page } from '../ionic/page.tsx'
import { Button } from '../states/button.tsx'
import { useOnline } from '../../api/online.ts'
import { OfflineState, Skeleton } from '../states/state-views.tsx'
import { StillLoading } from '../states/still-loading.tsx'

type Place = { pathname: string }

export const routerOptions = {
  defaultPreload: 'intent',
  // The query client decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingComponent: PendingScreen,
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  defaultViewTransition: {
    types: ({ fromLocation, toLocation }: { fromLocation?: Place; toLocation: Place }): string[] | false =>
      fromLocation && fromLocation.pathname !== toLocation.pathname ? [] : false,
  },
} as const

function ErrorScreen({ error }: Pick<ErrorComponentProps, 'error'>) {
  const router = useRouter()
  const [isErrorOpen, setErrorOpen] = useState(false)
  usePageTitle('Something went wrong!')
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return (
    <main className="whole-screen">
      <h1 id="page-title" tabIndex={-1}>
        Something went wrong!
      </h1>
      <p className="muted">{failureMessage(error, 'Try again. If it happens again, reload the page.')}</p>
      <div className="button-row">
        {/* What the screen loads before it is drawn is asked for again too. */}
        <Button tone="primary" onClick={() => void router.invalidate()}>
          Try again
        </Button>
        <Button tone="quiet" aria-expanded={isErrorOpen} onClick={() => setErrorOpen(!isErrorOpen)}>
          {isErrorOpen ? 'Hide Error' : 'Show Error'}
        </Button>
      </div>
      {isErrorOpen && <pre className="error-text">{text}</pre>}
    </main>
  )
}

/** What stands in place of a screen whose data is not there yet. Its heading is where the skip link leads meanwhile. */
function PendingScreen() {
  const online = useOnline()
  return (
    <main className="whole-screen pending">
      <h1 id="page-title" tabIndex={-1} className="visually-hidden">
        {online ? 'Loading' : 'Not loaded'}
      </h1>
      {online ? (
        <>
          <StillLoading hasFailed={false} onRetry={() => location.reload()} />
          <Skeleton rows={6} />
        </>
      ) : (
        <OfflineState />
      )}
    </main>
  )
}

export function NotFoundScreen() {
  return (
    <Page title="Not Found" back="/">
      <p>This page does not exist.</p>
      <Link to="/" className="button button-primary">
        Go to the start
      </Link>
    </Page>
  )
}
