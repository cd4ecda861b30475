/// <reference lib="webworker" />
import { ownPath, readPush } from './push-payload.ts'

/** Shows a push, sets the badge and tells open pages that something changed. */
export async function showPush(worker: ServiceWorkerGlobalScope, event: PushEvent): Promise<void> {
  const payload = readPush(() => event.data?.json())
  await worker.registration.showNotification(payload.title, {
    body: payload.body,
    tag: payload.tag,
    data: { url: payload.url },
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  })
  if (payload.badge !== undefined) await worker.navigator.setAppBadge?.(payload.badge).catch(() => undefined)
  for (const client of await worker.clients.matchAll({ type: 'window' })) client.postMessage({ type: 'push' })
}

/** Opens the page of a notification, in the existing window or in a new one. */
export async function openNotification(worker: ServiceWorkerGlobalScope, notification: Notification): Promise<void> {
  notification.close()
  const { url } = (notification.data ?? {}) as { url?: unknown }
  const path = ownPath(typeof url === 'string' ? url : '')
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(client => client.focused) ?? windows[0]
  if (!open) {
    await worker.clients.openWindow(path)
    return
  }
  await open.focus().catch(() => undefined)
  open.postMessage({ type: 'navigate', url: path })
}

/**
 * Puts another subscription in the place of one that the browser gave up. The worker has no log-in: an open page tells
 * the server at once, else the next one that is opened.
 */
export async function renewSubscription(
  worker: ServiceWorkerGlobalScope,
  { oldSubscription, newSubscription }: PushSubscriptionChangeEvent,
): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey
  if (!newSubscription && key)
    await worker.registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: key })
      .catch(() => undefined)
  for (const client of await worker.clients.matchAll({ type: 'window' })) client.postMessage({ type: 'subscription' })
}
