import { createStore, get } from 'idb-keyval'
import { outboxDatabase, outboxStore, outboxTag, waitingKey } from '../api/storage-keys.ts'
import type { WorkerScope } from './worker-scope.ts'

/**
 * There is a network again: an open page sends what waits. Without one nothing is sent, because the session and the changes
 * are in local storage, and a second holder of a refresh token would end the session; a notification asks to open the app.
 */
export async function wakeOutbox(worker: WorkerScope): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) page.postMessage({ type: 'outbox' })
  const waiting = await get<number>(waitingKey, createStore(outboxDatabase, outboxStore)).catch(() => 0)
  if (pages.length > 0 || !waiting || Notification.permission !== 'granted') return
  await worker.registration.showNotification(waiting === 1 ? '1 change is queued' : `${waiting} changes are queued`, {
    body: 'You are online again. Open Tideline to send them.',
    tag: outboxTag,
    data: { url: '/home' },
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  })
}
