import type { Page } from 'playwright'
import { type Figure, figureOf } from '../figure.ts'

const rounds = 6
const settleMs = 700
// The browser does not report events that took less.
const leastMs = 16

declare global {
  var tapMs: number
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
  await page.evaluate(() => (globalThis.tapMs = 0))
  await page.locator(`nav.tab-bar a.tab[href="${href}"]`).tap()
  await page.waitForTimeout(settleMs)
  return Math.max(leastMs, await page.evaluate(() => globalThis.tapMs))
}
