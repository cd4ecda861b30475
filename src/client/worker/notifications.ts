import { pressButton, sendPendingActions, showBadge } from './push-actions.ts'
import { ownPath, type PushButton, readPush } from './push-payload.ts'
import type { WorkerScope } from './worker-scope.ts'
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

/** Opens a page in the existing window or in a new one. */
async function openPath(worker: WorkerScope, path: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(client => client.focused) ?? windows[0]
  if (!open) {
    await worker.clients.openWindow(path)
    return
  }
  await open.focus().catch(() => undefined)
  open.postMessage({ type: 'navigate', url: path })
}
