import type { BrowserContext, Page } from '@playwright/test'
import type { Processes } from '../../support/processes.ts'

interface Sent {
  endpoint: string
  topic: string | null
  payload: string | null
}
interface Payload {
  notification: { title: string }
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
        await deliverTo(page, product.url, data)
        return JSON.parse(data) as Payload
      }
    },
    /** The push service no longer knows the browser, which still believes that it does. */
    lose: async (page: Page): Promise<void> => void (await end((await endpointOf(page)) ?? '')),
    /** The browser has lost its subscription. */
    forget: (page: Page): Promise<void> => page.evaluate(() => localStorage.removeItem('push-of-the-test')),
  }
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
