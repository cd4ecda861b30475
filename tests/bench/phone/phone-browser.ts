import type { BrowserContextOptions, LaunchOptions, Page } from 'playwright'
import { findChromium } from '../../support/find-chromium.mjs'

/** The simulated phone's screen. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  locale: 'en-US',
  timezoneId: 'America/Los_Angeles',
}

/** How Chromium is started: nothing of its own on the network. */
export async function launchOptions(): Promise<LaunchOptions> {
  return {
    executablePath: await findChromium(),
    // The run ends all that it started by itself; the library would end the process first.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}

/** Slows a page to a phone: a quarter of the processor, 1.6 Mbit/s down, 750 kbit/s up, 150 ms. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

interface Watched {
  figuresMs?: number
  /** When they were there to be painted. */
  seenMs?: number
  appMs?: number
  /** The sum of all layout shifts so far. */
  shift: number
}
declare global {
  var watched: Watched
}

/** Notes, in every page of a context from now on, when Home's figures were first painted, and when the app itself had drawn them; and what moved. */
export function watchFigures(): void {
  globalThis.watched = { shift: 0 }
  new PerformanceObserver(list => {
    for (const entry of list.getEntries())
      globalThis.watched.shift += (entry as PerformanceEntry & { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
  const note = (name: 'figuresMs' | 'appMs', selector: string): void => {
    const noteNow = (): void => {
      globalThis.watched[name] = performance.now()
      console.info(`watched ${name}`)
    }
    // The first task after the frame that shows it; the next frame may have to wait for other work.
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = noteNow
    const look = (): void => {
      if (!document.querySelector(selector)) return void requestAnimationFrame(look)
      if (name === 'figuresMs') globalThis.watched.seenMs = performance.now()
      port2.postMessage(null)
    }
    requestAnimationFrame(look)
  }
  note('figuresMs', '.card-grid .metric-value')
  // A copy of the screen has no such elements.
  note('appMs', 'ion-content .card-grid .metric-value')
}

export interface Appearance {
  /** First contentful paint. */
  paintMs: number
  figuresMs: number
  /** When the app can be used. */
  appMs: number
}

/** Opens Home and waits for its figures; both times count from the navigation. Throws when they do not come in a minute. */
export async function openHome(page: Page, url: string): Promise<Appearance> {
  // Asking the page would first run the asking library's own program in it: a tenth of a second of what is measured.
  const drawn = page.waitForEvent('console', { predicate: line => line.text() === 'watched appMs', timeout: 60_000 })
  await page.goto(`${url}/home`, { waitUntil: 'commit' })
  await drawn
  return page.evaluate(() => {
    const { seenMs = 0, figuresMs = 0, appMs = 0 } = globalThis.watched
    const paintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
    // Where the first frame that shows anything has the figures, the browser itself knows best when that was painted.
    return { paintMs, figuresMs: paintMs >= seenMs ? paintMs : figuresMs, appMs }
  })
}

/** How far things moved until the last part of Home has come: the sum of its layout shifts. */
export async function shiftOfHome(page: Page): Promise<number> {
  await page.locator('.breakdown > li').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(500)
  return page.evaluate(() => globalThis.watched.shift)
}
