import { createAtom } from '@tanstack/react-store'
import type { AnyRouter } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { whenIdle } from '../early/when-idle.ts'
import { navigateHref } from '../ui/ionic/navigate-href.ts'
import { toast } from '../ui/shell/toast-store.ts'
import { onOutdated } from '../api/build-version.ts'
import { whenReloadAllowed } from './can-reload-now.ts'
import { isInstalled, persistStorage, watchInstallOffer } from './install-offer.ts'

type WorkerMessage =
  | { type: 'navigate'; url: string }
  | { type: 'push' }
  | { type: 'subscription' }
  | { type: 'outbox' }

/** How often the browser has replaced its push subscription by itself since the page was opened. */
export const subscriptionChanges = createAtom(0)

/**
 * Registers the worker in idle time, once per page. A click on a notification arrives as an address to go to, a push
 * means that what is on screen may be old, and a replaced subscription has to be sent to the server.
 */
export function startPwa(router: AnyRouter): void {
  watchInstallOffer()
  openLaunchedAddresses(router)
  if (!import.meta.env.PROD) return
  if (!('serviceWorker' in navigator)) return offerReload()
  const onNavigation = (listener: () => void): void =>
    void router.subscribe('onResolved', ({ pathChanged }) => pathChanged && listener())
  const onMessage = ({ data: message, ports }: MessageEvent<WorkerMessage>): void => {
    if (message.type === 'navigate') {
      ports[0]?.postMessage('gone there')
      void navigateHref(router, message.url)
    } else if (message.type === 'push') void queryClient.invalidateQueries({ refetchType: 'active' })
    else if (message.type === 'subscription') subscriptionChanges.set(count => count + 1)
  }
  // Not in idle time: a tap on a notification must not be lost on a busy device. Nor by the library below, which drops what
  // comes from a worker that was there before the page.
  navigator.serviceWorker.addEventListener('message', onMessage)
  navigator.serviceWorker.startMessages()
  whenIdle(() => {
    void import('./register-worker.ts')
      .then(({ registerWorker }) => registerWorker({ onNavigation }))
      // Without a worker the app still works, only not offline.
      .catch(offerReload)
  })
  if (isInstalled()) whenIdle(() => void persistStorage())
}

// What the browser opens in the window that is there, such as a shortcut or a shared page, instead of in another one. A page
// of its own accord would lose what is open in that window.
function openLaunchedAddresses(router: AnyRouter): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue }
  let openedWith: string | undefined = location.href
  launchQueue?.setConsumer(({ targetURL }) => {
    const { pathname, search, href } = new URL(targetURL ?? location.href)
    const isThisPage = href === openedWith
    openedWith = undefined
    if (!isThisPage) void navigateHref(router, pathname + search)
  })
}
interface LaunchQueue {
  setConsumer: (consumer: (launch: { targetURL?: string }) => void) => void
}

// Without a worker every reload gets the newest version.
function offerReload(): void {
  let isOffered = false
  onOutdated(() => {
    if (isOffered) return
    isOffered = true
    const onSelect = (): void => whenReloadAllowed(() => location.reload())
    toast({
      title: 'A new version is ready',
      durationMs: Number.POSITIVE_INFINITY,
      action: { label: 'Reload', onSelect },
    })
  })
}
