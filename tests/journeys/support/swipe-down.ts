import type { Locator } from '@playwright/test'

const frames = 12

/** Dispatches a touch that starts in the middle of `on` and moves down by `px`. */
export async function swipeDown(on: Locator, px: number): Promise<void> {
  const box = await on.boundingBox()
  if (!box) throw new Error('There is nothing to put a finger on')
  const browser = await on.page().context().newCDPSession(on.page())
  const x = box.x + box.width / 2
  const from = box.y + box.height / 2
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] })
  await touch('touchStart', from)
  for (let frame = 1; frame <= frames; frame++) {
    await touch('touchMove', from + (px * frame) / frames)
    await on.page().waitForTimeout(16)
  }
  await touch('touchEnd')
  await browser.detach()
}
