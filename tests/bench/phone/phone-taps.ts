import type { BrowserContext, Page } from 'playwright'
import { type Figure, figureOf } from '../figure.ts'
import { openHome, slowDown } from './phone-browser.ts'

const rounds = 6
const settleMs = 700
// The browser does not report events that took less.
const leastMs = 16

declare global {
  var tapMs: number
  var rowsMs: number | undefined
  var scripts: number
}

function watchTaps(leastMs: number): void {
  globalThis.tapMs = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
      if (entry.interactionId) globalThis.tapMs = Math.max(globalThis.tapMs, entry.duration)
  }).observe({ type: 'event', durationThreshold: leastMs } as PerformanceObserverInit)
}

/** From the tap on each destination of the bar to the next painted frame, as INP has it; the first round is not counted. */
export async function measureTaps(page: Page): Promise<Figure[]> {
  await page.evaluate(watchTaps, leastMs)
  const tabs = await page
    .locator('nav.tab-bar a.tab')
    .evaluateAll(links => links.map(link => ({ href: link.getAttribute('href') ?? '', label: link.textContent })))
  const samples = new Map<string, number[]>(tabs.map(({ label }) => [label, []]))
  const worst: number[] = []
  for (let round = 0; round < rounds; round++) {
    const taken: number[] = []
    // From the last back to the first, so that no tap leads to the page that is shown.
    for (const { href, label } of tabs.toReversed()) {
      const ms = await tap(page, href)
      taken.push(ms)
      if (round > 0) samples.get(label)?.push(ms)
    }
    if (round > 0) worst.push(Math.max(...taken))
  }
  return [
    figureOf('worst tap between main screens', 'ms', worst, {
      goal: { atMost: 100 },
      note: `worst of all ${Math.max(...worst)} ms`,
    }),
    ...[...samples].map(([label, ms]) => figureOf(`· to ${label}`, 'ms', ms)),
  ]
}

async function tap(page: Page, href: string): Promise<number> {
  const place = await page.locator(`nav.tab-bar a.tab[href="${href}"]`).boundingBox()
  if (!place) throw new Error(`The bar has no ${href}.`)
  await page.evaluate(() => (globalThis.tapMs = 0))
  // By its place alone: while a locator taps, the library asks the page what is there, in the time that is measured.
  await page.touchscreen.tap(place.x + place.width / 2, place.y + place.height / 2)
  await page.waitForTimeout(settleMs)
  return Math.max(leastMs, await page.evaluate(() => globalThis.tapMs))
}

// The destinations that a phone's bar leads to from Home, what their users wait for, and whether their code is loaded ahead.
const destinations = [
  { label: 'Campaigns', href: '/campaigns', rows: '.figures-list li', ahead: true },
  { label: 'Insights', href: '/insights', rows: '.hour-grid', ahead: true },
  { label: 'More', href: '/more', rows: '.link-row', ahead: false },
]
const firstRuns = 5
// Somebody has looked at the figures by then.
const lookMs = 3000

function watchRows(selector: string): void {
  globalThis.scripts = 0
  addEventListener('click', ({ timeStamp }) => {
    new PerformanceObserver(list => {
      for (const { name } of list.getEntries())
        if (name.endsWith('.js') && globalThis.rowsMs === undefined) globalThis.scripts += 1
    }).observe({ type: 'resource' })
    const look = (): void => {
      if (document.querySelector(selector))
        requestAnimationFrame(() => (globalThis.rowsMs = performance.now() - timeStamp))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

/** The first tap after a start, on each destination: to the next painted frame, to the rows of the page, and the code that they fetch. */
export async function measureFirstTaps(context: BrowserContext, url: string): Promise<Figure[]> {
  const found = destinations.map(one => ({
    ...one,
    frames: [] as number[],
    shown: [] as number[],
    scripts: [] as number[],
  }))
  for (let run = 0; run < firstRuns; run++)
    for (const { href, rows, frames, shown, scripts } of found) {
      const page = await context.newPage()
      await slowDown(page)
      await openHome(page, url)
      await page.waitForTimeout(lookMs)
      await page.evaluate(watchTaps, leastMs)
      await page.evaluate(watchRows, rows)
      frames.push(await tap(page, href))
      await page.waitForFunction(() => globalThis.rowsMs !== undefined, undefined, { timeout: 60_000 })
      shown.push(await page.evaluate(() => globalThis.rowsMs ?? 0))
      scripts.push(await page.evaluate(() => globalThis.scripts))
      await page.close()
    }
  return found.flatMap(({ label, frames, shown, scripts, ahead }) => [
    figureOf(`first tap on ${label}, next frame`, 'ms', frames, { goal: { atMost: 100 } }),
    figureOf(`first tap on ${label}, rows`, 'ms', shown, { goal: { atMost: 600 } }),
    figureOf(`first tap on ${label}, files of code until the rows`, '', scripts, ahead ? { goal: { atMost: 1 } } : {}),
  ])
}
