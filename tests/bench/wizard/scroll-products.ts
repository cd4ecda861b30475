import type { Page } from 'playwright'

// A hasty thumb: twenty times almost the height of the list, each in a fifth of a second.
const strokes = 20
const strokePx = 420
const movesEach = 12

interface Scrolled {
  frames: number
  /** Between two frames, the longest. */
  longestMs: number
  /** Frames in which a part of the list in sight had no row. */
  empty: number
  /** Rows in the document at once, the most. */
  rows: number
}
declare global {
  var scrolled: Scrolled & { ended?: boolean }
}

// Runs in the page: looks at the list in every frame.
function watch(): void {
  const seen: typeof globalThis.scrolled = { frames: 0, longestMs: 0, empty: 0, rows: 0 }
  globalThis.scrolled = seen
  let before: number | null = null
  const look = (now: number): void => {
    if (seen.ended) return
    const list = document.querySelector('.product-area .scroll-list')
    const rows = [...(list?.querySelectorAll('li') ?? [])].map(row => row.getBoundingClientRect())
    const { top = 0, bottom = 0 } = list?.getBoundingClientRect() ?? {}
    const isFull = rows.some(row => row.top <= top + 1) && rows.some(row => row.bottom >= bottom - 1)
    if (!isFull) seen.empty += 1
    if (before !== null) seen.longestMs = Math.max(seen.longestMs, now - before)
    before = now
    seen.frames += 1
    seen.rows = Math.max(seen.rows, rows.length)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Scrolls the available products of the sheet on top as a finger does, and answers what was seen meanwhile. */
export async function scrollProducts(page: Page): Promise<Scrolled> {
  const list = page.locator('.product-area .scroll-list')
  await list.evaluate(element => element.scrollIntoView({ block: 'center' }))
  const box = await list.boundingBox()
  if (!box) throw new Error('There is no list of products')
  const browser = await page.context().newCDPSession(page)
  await page.evaluate(watch)
  const x = box.x + box.width / 2
  const from = box.y + box.height / 2 + strokePx / 2
  for (let stroke = 0; stroke < strokes; stroke++) {
    await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: from }] })
    for (let move = 1; move <= movesEach; move++) {
      const y = from - (strokePx * move) / movesEach
      await browser.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] })
      await page.waitForTimeout(16)
    }
    await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const far = await list.evaluate(element => element.scrollTop)
  if (far < (strokes * strokePx) / 2) throw new Error(`The list was scrolled by ${far} px only`)
  return page.evaluate(() => {
    globalThis.scrolled.ended = true
    return globalThis.scrolled
  })
}
