import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle, Page } from '../ionic/page.tsx'
import { Button } from '../states/button.tsx'
import { useOnline } from '../../api/online.ts'
import { OfflineState, Skeleton } from '../states/state-views.tsx'

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

function ErrorScreen({ error, reset }: Pick<ErrorComponentProps, 'error'> & { reset?: () => void }) {
  const [isErrorOpen, setErrorOpen] = useState(false)
  usePageTitle('Something went wrong!')
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return (
    <main className="whole-screen">
      <h1 id="page-title" tabIndex={-1}>
        Something went wrong!
      </h1>
      <div className="button-row">
        <Button tone="primary" onClick={() => (reset ? reset() : location.reload())}>
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
      {online ? <Skeleton rows={6} /> : <OfflineState />}
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
