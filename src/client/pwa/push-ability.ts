import { useSyncExternalStore } from 'react'
import { isAppleMobile, isInstalled } from './install-offer.ts'

/** Whether this browser can take pushes: `install-first` on iPhone and iPad, where only installed apps can. */
export type PushAbility = 'able' | 'denied' | 'install-first' | 'unable'

/** Whether this browser can take pushes, as of now. */
export function pushAbility(): PushAbility {
  const known = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  if (!known) return isAppleMobile() && !isInstalled() ? 'install-first' : 'unable'
  return Notification.permission === 'denied' ? 'denied' : 'able'
}

// A permission is changed in the browser's own settings, from which one comes back to the page.
function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  let status: PermissionStatus | undefined
  void navigator.permissions?.query({ name: 'notifications' }).then(
    found => {
      status = found
      status.addEventListener('change', changed)
    },
    () => undefined,
  )
  return () => {
    document.removeEventListener('visibilitychange', changed)
    status?.removeEventListener('change', changed)
  }
}

/** The same, kept up to date. */
export const usePushAbility = (): PushAbility => useSyncExternalStore(subscribe, pushAbility)
