import { useSyncExternalStore } from 'react'
import { isAppleMobile, isInstalled } from './install-offer.ts'

/** Why a browser takes no pushes: the user did not allow it, its push service cannot be reached, or it has no worker. */
export class PushRefused extends Error {
  readonly reason: 'permission' | 'service' | 'worker'
  constructor(reason: PushRefused['reason'], cause?: unknown) {
    super(words[reason], { cause })
    this.name = 'PushRefused'
    this.reason = reason
  }
}
const words = {
  permission: 'Notifications were not allowed. You can allow them in the browser’s settings for this site.',
  service: 'Your browser’s push service cannot be reached. A firewall may be blocking it. Please try again later.',
  worker: 'Tideline is not ready for notifications in this browser yet. Reload the page and try again.',
}

// Behind some firewalls a browser waits forever for its push service.
const patienceMs = 15_000
function within<T>(ms: number, work: Promise<T>, reason: PushRefused['reason']): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new PushRefused(reason)), ms)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** The push subscription of this browser; null when there is none. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator)) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/**
 * Asks the user for permission, where it is not given yet, and subscribes with this key; one made with another key is
 * given up. Call it in a tap. Throws PushRefused.
 */
export async function subscribeToPush(publicKey: string): Promise<PushSubscription> {
  // This comes first: a browser asks only right after a tap.
  const permission = Notification.permission === 'granted' ? 'granted' : await Notification.requestPermission()
  if (permission !== 'granted') throw new PushRefused('permission')
  const registration = await within(patienceMs, navigator.serviceWorker.ready, 'worker')
  const existing = await registration.pushManager.getSubscription()
  if (existing && publicKeyOf(existing) === publicKey) return existing
  await existing?.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscribing = registration.pushManager.subscribe(options).catch((cause: unknown) => {
    throw new PushRefused('service', cause)
  })
  return within(patienceMs, subscribing, 'service')
}

/** Ends this browser's subscription; its push service then rejects everything that is sent to it. */
export async function unsubscribeFromPush(): Promise<void> {
  const existing = await currentSubscription()
  if (existing) await within(3000, existing.unsubscribe(), 'service').catch(() => false)
}

/** The key that a subscription was made with, base64url as the server gives it; null when the browser does not say. */
export function publicKeyOf({ options }: PushSubscription): string | null {
  const key = options.applicationServerKey
  if (!key) return null
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Whether this browser can take pushes: `install-first` on iPhone and iPad, where only installed apps can. */
type PushAbility = 'able' | 'denied' | 'install-first' | 'unable'

function pushAbility(): PushAbility {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  if (!isSupported) return isAppleMobile() && !isInstalled() ? 'install-first' : 'unable'
  return Notification.permission === 'denied' ? 'denied' : 'able'
}

// Users change a permission in the browser's settings and then come back to the page.
function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  let status: PermissionStatus | undefined
  void navigator.permissions?.query({ name: 'notifications' }).then(
    permission => {
      status = permission
      status.addEventListener('change', changed)
    },
    () => undefined,
  )
  return () => {
    document.removeEventListener('visibilitychange', changed)
    status?.removeEventListener('change', changed)
  }
}

export const usePushAbility = (): PushAbility => useSyncExternalStore(subscribe, pushAbility)
