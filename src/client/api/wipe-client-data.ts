import type { QueryClient } from '@tanstack/react-query'
import { wipeAnswers } from './memory/persist-answers.ts'
import { wipeFigures } from './memory/persist-figures.ts'
import { wipeScreenCopy } from '../early/save-screen-copy.ts'
import { queryClient } from './query-client.ts'
import { clientKey, clockKey, managingKey, sessionKey } from './storage-keys.ts'

const alsoWipe = new Set<() => void | Promise<void>>()

/** Registers something else that belongs to the user and must go with the rest. Returns a function that undoes it. */
export function onWipe(wipe: () => void | Promise<void>): () => void {
  alsoWipe.add(wipe)
  return () => alsoWipe.delete(wipe)
}

// What a device may remember of any user, and the work of users that their session has only expired for, or who have not
// logged in yet (a page that they shared).
const retained = [
  clientKey,
  clockKey,
  sessionKey,
  managingKey,
  'tideline.outbox',
  'tideline.draft.',
  'tideline.shared',
  'tideline.reloaded:',
]

/** Deletes everything of ours in local and session storage that is not listed above: what a feature forgot to is not kept. */
function wipeStorage(): void {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith('tideline') && !retained.some(name => key.startsWith(name))) storage.removeItem(key)
}

/**
 * The next user of a device must not get the notifications of the last one: ends the browser's subscription, and deletes what
 * the service worker remembers and has still to send. Here and not with the screens of notifications, whose code may not have
 * been loaded yet.
 */
async function endPushes(): Promise<void> {
  const [{ unsubscribeFromPush }, { wipeWorkerStore }] = await Promise.all([
    import('../pwa/push-subscription.ts'),
    import('../worker/worker-store.ts'),
  ])
  await Promise.all([unsubscribeFromPush(), wipeWorkerStore()])
}

/** The notifications in sight name campaigns, and the badge counts the user's decisions. */
async function closeNotifications(): Promise<void> {
  void navigator.clearAppBadge?.().catch(() => undefined)
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  const shown = (await registration?.getNotifications?.().catch(() => [])) ?? []
  for (const notification of shown) notification.close()
}

/**
 * Deletes all cached data of the user at the end of a session, and when managing a user begins or ends. Work that the server does not have yet stays in the outbox
 * and with its owner's unsaved work, until the user is back or logs out on purpose.
 */
export async function wipeClientData(client: QueryClient = queryClient): Promise<void> {
  await client.cancelQueries()
  client.clear()
  // After the memory: each answer that is removed from it is written to the storage.
  wipeAnswers()
  wipeScreenCopy()
  wipeStorage()
  const images = typeof caches === 'undefined' ? false : caches.delete('images').catch(() => false)
  await Promise.all([
    wipeFigures(),
    closeNotifications(),
    endPushes().catch(() => undefined),
    images,
    ...[...alsoWipe].map(wipe => wipe()),
  ])
}
