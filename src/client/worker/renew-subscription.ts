/// <reference lib="webworker" />

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
