import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorScreen } from './screens/error-screen.tsx'
import { NotFoundScreen } from './screens/not-found-screen.tsx'
import { PendingScreen } from './screens/pending-screen.tsx'

const RouteError = ({ error, reset }: ErrorComponentProps) => <ErrorScreen error={error} reset={reset} />

interface Place {
  pathname: string
  state: { __TSR_index?: number }
}

/** What every router of the app is made with. */
export const routerOptions = {
  defaultPreload: 'intent',
  // The query client decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingComponent: PendingScreen,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFoundScreen,
  defaultViewTransition: {
    types: ({ fromLocation, toLocation }: { fromLocation?: Place; toLocation: Place }): string[] | false => {
      if (!fromLocation || fromLocation.pathname === toLocation.pathname) return false
      const steps = (toLocation.state.__TSR_index ?? 0) - (fromLocation.state.__TSR_index ?? 0)
      return [steps < 0 ? 'back' : 'forward']
    },
  },
} as const
