import { Workbox } from 'workbox-window'
import { onOutdated } from '../api/build-version.ts'
import { queryClient } from '../api/query-client.ts'
import { toast } from '../ui/shell/toast-store.ts'
import { canReloadNow, whenReloadAllowed } from './can-reload-now.ts'

interface WorkerHooks {
  /** Calls back when another page of the app has opened. */
  onNavigation: (listener: () => void) => void
}

const hourMs = 3_600_000
// Between two questions for a new version that focus or answers of the server give rise to.
const leastMs = 60_000
// How long the offer of a new version stands before a change of pages takes it.
const offeredMs = 60_000

/**
 * Registers the worker and watches for new versions: on a return to the page, each hour, and when an
 * answer of the server says that there is one. A new version is offered, and taken at the next change of pages after a
 * minute; neither while something would be lost. Rejects where the browser has no workers for this site.
 */
export async function registerWorker({ onNavigation }: WorkerHooks): Promise<void> {
  const { serviceWorker } = navigator
  const reload = reloadOnce()
  // The first worker of a device takes over a page that has its own version already.
  let isControlled = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    if (isControlled) reload()
    isControlled = true
  })
  const workbox = new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
  const registration = await workbox.register({ immediate: true })
  if (!registration) return
  const accept = (): void => activate(registration)
  let offeredAt: number | undefined
  onWaiting(registration, () =>
    whenReloadAllowed(() => {
      offeredAt ??= Date.now()
      offerUpdate(accept)
    }),
  )
  onNavigation(() => {
    if (offeredAt !== undefined && Date.now() - offeredAt > offeredMs) whenQuiet(accept)
  })
  watchForUpdates(registration)
}

const activatesWithinMs = 3000
const mostRequests = 20

/** Lets the version that waits take over. A worker that the browser ends at that moment loses the request: it is repeated. */
function activate(registration: ServiceWorkerRegistration, requests = mostRequests): void {
  if (!registration.waiting || requests === 0) return
  registration.waiting.postMessage({ type: 'SKIP_WAITING' })
  setTimeout(() => activate(registration, requests - 1), activatesWithinMs)
}

/**
 * Calls back for each version that is installed and waits. Every one is followed: an installation that a lost network broke
 * is begun again later, by another worker.
 */
function onWaiting(registration: ServiceWorkerRegistration, listener: () => void): void {
  const look = (): void => {
    // Without an active one it is the first, which takes over by itself.
    if (registration.waiting && registration.active) listener()
  }
  const follow = (): void => registration.installing?.addEventListener('statechange', look)
  registration.addEventListener('updatefound', follow)
  follow()
  look()
}

/** Nothing is open that a reload would lose, and no change is on its way to the server. */
const isIdle = (): boolean => canReloadNow() && queryClient.isMutating() === 0

const quietMs = 250
const mostTries = 40

/**
 * Once the page has what it shows, after ten seconds at the latest: a worker that is busy with answering it is replaced only when it
 * rests again. Not at all where something is open by then.
 */
function whenQuiet(then: () => void, tries = mostTries): void {
  if (!canReloadNow()) return
  const isBusy = queryClient.isFetching() > 0 || queryClient.isMutating() > 0
  if (isBusy && tries > 0) setTimeout(() => whenQuiet(then, tries - 1), quietMs)
  else then()
}

// Another tab may have taken the new version while this one holds something: it is loaded again once that is over.
function reloadOnce(): () => void {
  let isWanted = false
  const attempt = (): void =>
    whenReloadAllowed(() =>
      // A sheet that has closed may only make room for the next one, or have sent something.
      setTimeout(() => (isIdle() ? location.reload() : setTimeout(attempt, 1000)), 0),
    )
  return () => {
    if (isWanted) return
    isWanted = true
    attempt()
  }
}

function watchForUpdates(registration: ServiceWorkerRegistration): void {
  let askedAt = Date.now()
  const ask = (): void => {
    if (document.visibilityState !== 'visible' || Date.now() - askedAt < leastMs) return
    askedAt = Date.now()
    void registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', ask)
  addEventListener('focus', ask)
  setInterval(ask, hourMs)
  onOutdated(outdated => {
    // A call was rejected: the user waits for it.
    if (outdated === 'required') askedAt = 0
    ask()
  })
}

function offerUpdate(accept: () => void): void {
  toast({
    title: 'A new version is ready',
    durationMs: Number.POSITIVE_INFINITY,
    action: {
      label: 'Reload',
      onSelect: () => {
        if (!canReloadNow())
          toast({ title: 'Tideline reloads in a moment', message: 'As soon as what you have open is saved or closed.' })
        whenReloadAllowed(accept)
      },
    },
  })
}
