import { createAtom } from '@tanstack/react-store'
import type { AnyRouter } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { whenIdle } from '../early/when-idle.ts'
import { navigateHref } from '../ui/ionic/navigate-href.ts'
import { watchInstallOffer } from './install-offer.ts'

/** How often the browser has replaced its push subscription by itself since the page was opened. */
export const subscriptionChanges = createAtom(0)

/**
 * Registers the worker in idle time, once per page. A click on a notification arrives as an address to go to, a push
 * means that what is on screen may be old, and a replaced subscription has to be sent to the server.
 */
export function startPwa(router: AnyRouter): void {
  watchInstallOffer()
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  whenIdle(() => {
    void import('./register-worker.ts')
      .then(({ registerWorker }) =>
        registerWorker(message => {
          if (message.type === 'navigate') void navigateHref(router, message.url)
          else if (message.type === 'push') void queryClient.invalidateQueries({ refetchType: 'active' })
          else subscriptionChanges.set(count => count + 1)
        }),
      )
      // Without a worker the app still works, only not offline.
      .catch(() => undefined)
  })
}
