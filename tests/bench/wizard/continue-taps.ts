import type { Page } from 'playwright'

/** The sheets that Continue leads to. */
export const laterSheets = ['Strategy', 'Campaign Settings', 'Targeting', 'Review'] as const
const settleMs = 1500
// The browser does not report events that took less.
const leastMs = 16

interface Watched {
  /** When the finger left the button. */
  tappedAt: number
  /** The longest event of the tap, from then to the next painted frame. */
  eventMs: number
  /** From then until the next sheet was first painted in sight. */
  sheetMs: number | null
}
declare global {
  var continued: Watched
}

// Runs in the page: from now on each tap is timed until the sheet of that title is in sight.
const watch = ([title, least]: readonly [string, number]): void => {
  const found: Watched = { tappedAt: 0, eventMs: 0, sheetMs: null }
  globalThis.continued = found
  addEventListener('pointerup', event => (found.tappedAt = event.timeStamp), { capture: true, once: true })
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
      if (entry.interactionId) found.eventMs = Math.max(found.eventMs, entry.duration)
  }).observe({ type: 'event', durationThreshold: least } as PerformanceObserverInit)
  const inSight = (): boolean =>
    [...document.querySelectorAll('.sheet-title h1')].some(heading => {
      const { top, height } = heading.getBoundingClientRect()
      return heading.textContent === title && height > 0 && top < innerHeight
    })
  const look = (): void => {
    // What this frame lays out is painted before the next begins.
    if (found.tappedAt && inSight()) requestAnimationFrame(now => (found.sheetMs = now - found.tappedAt))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

export interface Continued {
  eventMs: number
  sheetMs: number
}

/** Taps Continue and answers how long the tap took, as INP has it, and when the sheet of that title was in sight. */
export async function tapContinue(page: Page, title: string): Promise<Continued> {
  await page.evaluate(watch, [title, leastMs] as const)
  // A bare tap: what a tool looks at to be sure that it hits is no part of it.
  const box = await page.getByRole('button', { name: 'Continue', exact: true }).boundingBox()
  if (!box) throw new Error(`There is no Continue to ${title}`)
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  await page.waitForFunction(() => globalThis.continued.sheetMs !== null, undefined, { timeout: 30_000 })
  await page.waitForTimeout(settleMs)
  const { eventMs, sheetMs } = await page.evaluate(() => globalThis.continued)
  return { eventMs: Math.max(leastMs, eventMs), sheetMs: sheetMs ?? 0 }
}
