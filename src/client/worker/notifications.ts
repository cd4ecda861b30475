import { pressButton, sendPendingActions, showBadge } from './push-actions.ts'
import { ownPath, type PushButton, readPush } from './push-payload.ts'
import type { OpenPage, WorkerScope } from './worker-scope.ts'
import { noteLastPush } from './worker-store.ts'

/** What browsers know beyond the types of the language. */
interface ShownOptions extends NotificationOptions {
  renotify: boolean
  actions: { action: string; title: string }[]
}

// Safari has no buttons and says so by having no number.
const mostButtons = (): number => (Notification as { maxActions?: number }).maxActions ?? 0

/** Shows a push, sets the badge and tells open pages that something changed. */
export async function showPush(worker: WorkerScope, event: { data: { json: () => unknown } | null }): Promise<void> {
  const { title, body, tag, url, badge, isLoud, buttons } = readPush(() => event.data?.json())
  const shown = buttons.slice(0, mostButtons())
  const options: ShownOptions = {
    body,
    tag,
    renotify: isLoud,
    actions: shown.map(({ action, title }) => ({ action, title })),
    data: { url, buttons: shown },
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  }
  await worker.registration.showNotification(title, options)
  await noteLastPush(Date.now())
  if (badge !== undefined) await showBadge(worker, badge)
  for (const client of await worker.clients.matchAll({ type: 'window' })) client.postMessage({ type: 'push' })
  // What waited for a network has one now.
  await sendPendingActions(worker).catch(() => false)
}

/** Carries out the button of a notification that was pressed; without a button, opens its page. */
export function clickNotification(
  worker: WorkerScope,
  { action, notification }: { action: string; notification: Pick<Notification, 'close' | 'data' | 'tag'> },
): Promise<void> {
  notification.close()
  const { url, buttons = [] } = (notification.data ?? {}) as { url?: unknown; buttons?: PushButton[] }
  const path = ownPath(typeof url === 'string' ? url : '')
  const pressed = buttons.find(button => button.action === action)
  if (!pressed) return openPath(worker, path)
  const { token } = pressed
  return pressButton(worker, { token, button: action, tag: notification.tag, url: path, pressedAt: Date.now() })
}

const askAgainMs = 500
// For twenty seconds.
const mostTries = 40

/**
 * Opens a page in the existing window or in a new one. What is sent to a window whose app is still starting is lost, so it is
 * sent again until the app answers; a window that never does is not the app, and is led there by the browser.
 */
async function openPath(worker: WorkerScope, path: string): Promise<void> {
  const first = await currentWindow(worker)
  if (!first) {
    await worker.clients.openWindow(path)
    return
  }
  await first.focus().catch(() => undefined)
  for (let tries = 0; tries < mostTries; tries++)
    // A window that is loaded again is another one to the worker, and meanwhile none.
    if (await isAnswered(await currentWindow(worker), path)) return
  await (await currentWindow(worker))?.navigate(path).catch(() => undefined)
}

async function currentWindow({ clients }: WorkerScope): Promise<OpenPage | undefined> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.find(client => client.focused) ?? windows[0]
}

function isAnswered(window: OpenPage | undefined, url: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<boolean>(resolve => {
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), askAgainMs)
  })
  window?.postMessage({ type: 'navigate', url }, { transfer: [port2] })
  return answer.finally(() => port1.close())
}

/** A subscription that the browser gave up, and the one that it made in its place, if any. */
interface ReplacedSubscription {
  oldSubscription: Pick<PushSubscription, 'options'> | null
  newSubscription: unknown
}

/**
 * Puts another subscription in the place of one that the browser gave up. The worker has no log-in: an open page tells
 * the server at once, else the next one that is opened.
 */
export async function renewSubscription(
  { registration, clients }: WorkerScope,
  { oldSubscription, newSubscription }: ReplacedSubscription,
): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey
  if (!newSubscription && key)
    await registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: key })
      .catch(() => undefined)
  for (const client of await clients.matchAll({ type: 'window' })) client.postMessage({ type: 'subscription' })
}
