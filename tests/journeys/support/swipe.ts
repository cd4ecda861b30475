import type { Locator } from '@playwright/test'

const frames = 12

/** Dispatches a touch that starts in the middle of `on` and moves by so many pixels. */
export async function swipe(on: Locator, { x = 0, y = 0 }: { x?: number; y?: number }): Promise<void> {
  const box = await on.boundingBox()
  if (!box) throw new Error('There is nothing to put a finger on')
  const browser = await on.page().context().newCDPSession(on.page())
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: typeof from) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  await touch('touchStart', from)
  for (let frame = 1; frame <= frames; frame++) {
    await touch('touchMove', { x: from.x + (x * frame) / frames, y: from.y + (y * frame) / frames })
    await on.page().waitForTimeout(16)
  }
  await touch('touchEnd')
  await browser.detach()
}
