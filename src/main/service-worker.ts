/// <reference lib="webworker" />
import { cacheNames, clientsClaim, type WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { formerFile, keepFormerFiles } from '#client/worker/former-files.ts'
import { clickNotification, renewSubscription, showPush } from '#client/worker/notifications.ts'
import { actionsSync, sendPendingActions } from '#client/worker/push-actions.ts'
import { wakeOutbox } from '#client/worker/outbox-sync.ts'
import { outboxTag } from '#client/api/storage-keys.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

// The plugin's type allows `undefined` where the interface does not.
const expiry = new ExpirationPlugin({
  maxEntries: 200,
  maxAgeSeconds: 30 * 86_400,
  purgeOnQuotaError: true,
}) as WorkboxPlugin

// The app's files are cached. Answers of /api are not: the page caches them itself, with their age.
cleanupOutdatedCaches()
const files = self.__WB_MANIFEST
precacheAndRoute(files)
// What is not among them may be of the build before, for a page that is still open.
const current = new Set(files.map(({ url }: { url: string }) => new URL(url, self.location.origin).pathname))
self.addEventListener('install', event => event.waitUntil(keepFormerFiles(cacheNames.precache, current)))
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  ({ request }) => formerFile(request),
)
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('index.html'), {
    denylist: [/^\/api\//, /^\/(healthz|readyz|metrics)$/, /^\/service-worker\.js$/],
  }),
)
// Images of other hosts are left to the browser: the CSP lets pages show them, but does not let workers fetch them.
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.destination === 'image' && !url.pathname.startsWith('/api/'),
  new CacheFirst({
    cacheName: 'images',
    plugins: [expiry],
  }),
)
clientsClaim()

self.addEventListener('message', event => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
self.addEventListener('push', event => event.waitUntil(showPush(self, event)))
self.addEventListener('notificationclick', event => event.waitUntil(clickNotification(self, event)))
// Where the browser does not wake the worker once there is a network, opening the app does.
self.addEventListener('fetch', event => {
  if (event.request.mode === 'navigate') event.waitUntil(sendPendingActions(self).catch(() => false))
})
self.addEventListener('sync', event => {
  const sync = event as ExtendableEvent & { tag: string }
  if (sync.tag === outboxTag) sync.waitUntil(wakeOutbox(self))
  if (sync.tag === actionsSync)
    sync.waitUntil(
      sendPendingActions(self).then(isDone => {
        // The browser tries again later.
        if (!isDone) throw new Error('some actions wait for the server')
      }),
    )
})
self.addEventListener('pushsubscriptionchange', event => event.waitUntil(renewSubscription(self, event)))
