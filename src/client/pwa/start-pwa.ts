import type { AnyRouter } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { whenIdle } from '../early/when-idle.ts'
import { navigateHref } from '../ui/ionic/navigate-href.ts'
import { watchInstallOffer } from './install-offer.ts'
import { pushSubscriptionChanged } from './push-changes.ts'

/**
 * Registers the worker in idle time, once per page. A notification's click arrives as an address to go to; a push as
 * the news that what is on screen may be old; another subscription as something that the server has to be told.
 */
export const startPwa = (router: AnyRouter): void => {
  watchInstallOffer()
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  whenIdle(() => {
    void import('./register-worker.ts')
      .then(({ registerWorker }) =>
        registerWorker(message => {
          if (message.type === 'navigate') void navigateHref(router, message.url)
          else if (message.type === 'push') void queryClient.invalidateQueries({ refetchType: 'active' })
          else pushSubscriptionChanged()
        }),
      )
      // Without a worker the app still works, only not offline.
      .catch(() => undefined)
  })
}
