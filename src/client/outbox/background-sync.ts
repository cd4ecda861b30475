import { createStore, del, set } from 'idb-keyval'
import { outboxDatabase, outboxStore, outboxTag, waitingKey } from '../worker/outbox-tag.ts'

/**
 * Asks the browser to wake the worker once there is a network, where it can, and tells it how many changes wait: the worker
 * cannot read them. Never throws.
 */
export async function requestSync(waiting: number): Promise<void> {
  if (typeof indexedDB === 'undefined' || !('serviceWorker' in navigator)) return
  try {
    const store = createStore(outboxDatabase, outboxStore)
    if (waiting === 0) return await del(waitingKey, store)
    await set(waitingKey, waiting, store)
    const registration = (await navigator.serviceWorker.getRegistration()) as
      | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
      | undefined
    await registration?.sync?.register(outboxTag)
  } catch {
    // Then it is sent when the app is opened.
  }
}
