import type { BrowserContext, Page } from '@playwright/test'
import type { Processes } from '../../support/processes.ts'

interface Sent {
  endpoint: string
  topic: string | null
  payload: string | null
}
interface Payload {
  app_badge: number
  notification: { title: string; tag: string }
}
// Of workers; the other types here are those of pages.
declare const NotificationEvent: new (type: string, init: { notification: Notification; action: string }) => Event
interface Worker extends EventTarget {
  registration: ServiceWorkerRegistration
  shownBadges: number[]
}

/**
 * Chromium cannot subscribe without its maker's push service. In its place stands the emulator's, which encrypts for no browser
 * but decrypts by itself; all else is real: the product sends, and the service worker of the browser gets what was decrypted.
 */
export async function openPushBrowser(context: BrowserContext, { sandbox, product }: Processes) {
  await context.grantPermissions(['notifications'], { origin: product.url })
  await context.exposeFunction('pushServiceSubscribe', async (applicationServerKey: string) =>
    (await sandbox.control('POST', 'push/subscriptions', { applicationServerKey })).json(),
  )
  const end = (endpoint: string) => sandbox.control('DELETE', `push/subscriptions/${endpoint.split('/').at(-1)}`)
  await context.exposeFunction('pushServiceUnsubscribe', async (endpoint: string) => void (await end(endpoint)))
  await context.addInitScript(replaceSubscribing)
  const delivered = new Set<string>()
  const endpointOf = (page: Page): Promise<string | null> => page.evaluate(readEndpoint)
  return {
    endpointOf,
    /** Waits for the next push to this browser with this text, and hands it to the service worker. Returns what it says. */
    async deliver(page: Page, text: string): Promise<Payload> {
      const endpoint = await endpointOf(page)
      for (;;) {
        const sent = (await (await sandbox.control('GET', 'push')).json()) as Sent[]
        const data = sent.find(one => one.endpoint === endpoint && one.payload?.includes(text))?.payload
        if (!data || delivered.has(data)) {
          await page.waitForTimeout(100)
          continue
        }
        delivered.add(data)
        const payload = JSON.parse(data) as Payload
        // A browser under load may drop one; push services deliver again what was not acknowledged.
        for (let tries = 0; tries < 3; tries++) {
          await deliverTo(page, product.url, data)
          if (await isShown(page, payload)) break
        }
        return payload
      }
    },
    /** The push service no longer knows the browser, which still believes that it does. */
    lose: async (page: Page): Promise<void> => void (await end((await endpointOf(page)) ?? '')),
    /** The browser has lost its subscription. */
    forget: (page: Page): Promise<void> => page.evaluate(() => localStorage.removeItem('push-of-the-test')),
  }
}

async function isShown(page: Page, { notification: { title } }: Payload): Promise<boolean> {
  for (let looks = 0; looks < 20; looks++) {
    if ((await shownNotifications(page)).includes(title)) return true
    await page.waitForTimeout(100)
  }
  return false
}

const readEndpoint = (): string | null =>
  (JSON.parse(localStorage.getItem('push-of-the-test') ?? 'null') as { endpoint: string } | null)?.endpoint ?? null

async function deliverTo(page: Page, url: string, data: string): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const registered = new Promise<string>(resolve =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(one => one.scopeURL === `${url}/`)
      if (own) resolve(own.registrationId)
    }),
  )
  await browser.send('ServiceWorker.enable')
  await browser.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId: await registered, data })
  await browser.detach()
}

function replaceSubscribing(): void {
  const key = 'push-of-the-test'
  const { pushServiceSubscribe, pushServiceUnsubscribe } = globalThis as unknown as {
    pushServiceSubscribe: (key: string) => Promise<object>
    pushServiceUnsubscribe: (endpoint: string) => Promise<void>
  }
  const stored = (): PushSubscription | null => {
    const held = localStorage.getItem(key)
    if (held === null) return null
    const made = JSON.parse(held) as { endpoint: string; applicationServerKey: string }
    const text = atob(made.applicationServerKey.replaceAll('-', '+').replaceAll('_', '/'))
    const applicationServerKey = Uint8Array.from(text, character => character.charCodeAt(0)).buffer
    return {
      endpoint: made.endpoint,
      options: { applicationServerKey, userVisibleOnly: true },
      toJSON: () => made,
      unsubscribe: async () => {
        localStorage.removeItem(key)
        await pushServiceUnsubscribe(made.endpoint)
        return true
      },
    } as unknown as PushSubscription
  }
  PushManager.prototype.getSubscription = () => Promise.resolve(stored())
  PushManager.prototype.subscribe = async options => {
    const { applicationServerKey } = options as { applicationServerKey: string }
    const made = await pushServiceSubscribe(applicationServerKey)
    localStorage.setItem(key, JSON.stringify({ ...made, applicationServerKey }))
    return stored() as PushSubscription
  }
}

/** The titles of the notifications that the browser shows. */
export const shownNotifications = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title }) => title)
  })

function workerOf(page: Page) {
  const worker = page.context().serviceWorkers().at(-1)
  if (!worker) throw new Error('there is no service worker')
  return worker
}

/** From now on the worker notes the badges that it shows, and the browser has room for three buttons, as Firefox has. */
export const watchWorker = (page: Page): Promise<void> =>
  workerOf(page).evaluate(() => {
    const worker = globalThis as unknown as Worker
    worker.shownBadges = []
    const show = async (count = 0): Promise<void> => void worker.shownBadges.push(count)
    Object.assign(navigator, { setAppBadge: show, clearAppBadge: show })
    Object.defineProperty(Notification, 'maxActions', { value: 3 })
  })

/** The badges that the worker has shown. */
export const shownBadges = (page: Page): Promise<number[]> =>
  workerOf(page).evaluate(() => (globalThis as unknown as Worker).shownBadges)

/** Taps a button of a notification twice, as fast as a thumb can. */
export const tapTwice = (page: Page, tag: string, action: string): Promise<void> =>
  workerOf(page).evaluate(
    async tapped => {
      const worker = globalThis as unknown as Worker
      const [notification] = await worker.registration.getNotifications({ tag: tapped.tag })
      if (!notification) throw new Error(`no notification ${tapped.tag}`)
      // The browser extends the life of its own events only, and the handler has begun by then.
      worker.addEventListener('error', event => event.preventDefault())
      for (let tap = 0; tap < 2; tap++)
        worker.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: tapped.action }))
    },
    { tag, action },
  )
