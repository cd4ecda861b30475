import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { onAnswerChange } from './api/memory/guard-answers.ts'
import { watchOnline } from './api/online.ts'
import { keepAnswers, restoreAnswers } from './api/memory/persist-answers.ts'
import { tidyFigures } from './api/memory/persist-figures.ts'
import { queryClient } from './api/query-client.ts'
import { refreshFiguresOnReturn } from './api/memory/refresh-figures.ts'
import { configureSession, type Session } from './api/session/session.ts'
import { wipeClientData } from './api/wipe-client-data.ts'
import { whenIdle } from './early/when-idle.ts'
import { startPwa } from './pwa/start-pwa.ts'
import { setupIonic } from './ui/ionic/setup-ionic.ts'
import { reloadOnLoadFailure } from './ui/shell/reload-on-load-failure.ts'
import { startTheme } from './ui/theme/apply-theme.ts'

interface Start {
  router: AnyRouter
  /** How a session is renewed; comes from the feature that owns the log-in. */
  refresh: (refreshToken: string) => Promise<Session>
}

// From then on what takes long is told by the app's own frame.
const drawnByMs = 1000

/** Starts the app in #root: look, last known answers, session, screens, then, in idle time, the worker. */
export function startClient({ router, refresh }: Start): void {
  startTheme()
  setupIonic()
  watchOnline()
  reloadOnLoadFailure()
  configureSession({
    refresh,
    onSignedOut: async () => {
      await wipeClientData()
      const to: string = '/login'
      if (router.state.location.pathname !== to) await router.navigate({ to, replace: true })
    },
  })
  restoreAnswers(queryClient)
  keepAnswers(queryClient)
  onAnswerChange(queryClient, () => void router.invalidate())
  refreshFiguresOnReturn(queryClient)
  const root = document.querySelector('#root')
  if (!root) throw new Error('index.html has no #root')
  // Drawn once, with the first page in it, and not first as a page that is still to come: index.html shows that much.
  void Promise.race([router.load(), new Promise(resolve => setTimeout(resolve, drawnByMs))]).finally(() =>
    createRoot(root).render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  )
  startPwa(router)
  whenIdle(() => void tidyFigures())
}
