import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { onAnswerChange } from './guarded.ts'
import { persistAnswers, restoreAnswers } from './api/memory/persist-answers.ts'
import { tidyFigures } from './api/memory/persist-figures.ts'
import { queryClient, refreshFiguresOnReturn } from './api/query-client.ts'
import { regionChanges, subscribeRegion } from './api/region.ts'
import { startReachability } from './api/reachability.ts'
import { configureSession, type Session } from './api/session/session.ts'
import { wipeClientData } from './api/wipe-client-data.ts'
import { wipeScreenCopy } from './early/save-screen-copy.ts'
import { endScreenCopy, isScreenCopyShown } from './early/screen-copy.ts'
import { whenIdle } from './early/when-idle.ts'
import { canReloadNow } from './pwa/can-reload-now.ts'
import { startPwa } from './pwa/start-pwa.ts'

interface Start {
  router: AnyRouter
  /** How a session is renewed; comes from the feature that owns the log-in. */
  refresh: (refreshToken: string) => Promise<Session>
  /** Shows the context in which managing a user has begun or ended elsewhere; comes from the feature that manages users. */
  followManaging: (router: AnyRouter, where: 'tab' | 'server') => Promise<void>
}

// After this time the app's own frame shows that a page is loading; a copy of the screen may stay longer.
const drawnByMs = 1000
const copyEndsByMs = 4000

/** Starts the app in #root: last known answers, session, screens, then, in idle time, the worker. */
export function startClient({ router, refresh, followManaging }: Start): void {
  // The query library only listens to later changes.
  onlineManager.setOnline(navigator.onLine)
  startReachability()
  reloadOnLoadFailure()
  letTransitionsBeOvertaken()
  configureSession({
    refresh,
    onManagingChanged: where => void followManaging(router, where),
    onSignedOut: async () => {
      await wipeClientData()
      const to: string = '/login'
      if (router.state.location.pathname !== to) await router.navigate({ to, replace: true })
    },
  })
  restoreAnswers(queryClient)
  persistAnswers(queryClient)
  onAnswerChange(queryClient, () => {
    // It may be of another account now.
    wipeScreenCopy()
    void router.invalidate()
  })
  refreshFiguresOnReturn(queryClient)
  const root = document.querySelector('#root')
  if (!root) throw new Error('index.html has no #root')
  // Drawn once, with the first page in it, and not first as a page that is still to come: index.html shows that much.
  void Promise.race([router.load(), untilLate()]).finally(() =>
    createRoot(root).render(
      <Drawn>
        <QueryClientProvider client={queryClient}>
          <Screens router={router} />
        </QueryClientProvider>
      </Drawn>,
    ),
  )
  startPwa(router)
  whenIdle(() => void tidyFigures())
}

async function untilLate(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, drawnByMs))
  if (isScreenCopyShown()) await new Promise(resolve => setTimeout(resolve, copyEndsByMs - drawnByMs))
}

// Every screen is drawn again when the user's format or time zone changes.
function Screens({ router }: Pick<Start, 'router'>) {
  return <RouterProvider key={useSyncExternalStore(subscribeRegion, regionChanges)} router={router} />
}

// With its first frame the app has taken the place of a copy.
function Drawn({ children }: { children: ReactNode }) {
  useLayoutEffect(endScreenCopy, [])
  useEffect(() => whenIdle(() => void import('./ui/ionic/start-ionic.ts').catch(() => undefined)), [])
  return children
}

/**
 * A page that was rebuilt no longer finds its old parts; loading it again does. That happens once for each distinct
 * message, so that a part that is really missing shows its error. Route components do the same by themselves.
 */
function reloadOnLoadFailure(): void {
  addEventListener('vite:preloadError', event => {
    const { message } = event.payload
    const key = `tideline.reloaded:${message}`
    if (!navigator.onLine || sessionStorage.getItem(key) !== null) return
    // Not while something would be lost: then the part shows its error, and the new version is offered as usual.
    if (!canReloadNow()) return
    sessionStorage.setItem(key, '1')
    event.preventDefault()
    location.reload()
  })
}

/** The browser ends a transition between two screens when the next one begins: the router does not wait for what rejects then. */
function letTransitionsBeOvertaken(): void {
  if (typeof document.startViewTransition !== 'function') return
  const begin = document.startViewTransition.bind(document)
  document.startViewTransition = change => {
    const transition = begin(change)
    for (const part of [transition.ready, transition.finished]) part.catch(() => undefined)
    return transition
  }
}
