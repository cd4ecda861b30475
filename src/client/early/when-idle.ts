import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useState } from 'react'

const latestMs = 5000

/** Runs `work` when the page has nothing else to do, after five seconds at the latest. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: latestMs })
  // Safari does not have it; after this time the first screen is drawn.
  else setTimeout(work, 1500)
}

/** Runs `work` in the task after the next frame, so that what was drawn just before is seen first. */
export function afterFrame(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}

/** A component whose code is fetched only after the screen around it is drawn. Draw it inside Suspense. */
export function lazyWhenIdle<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    await new Promise<void>(whenIdle)
    return { default: await load() }
  })
}

let wasPainted = false
const untilPainted: (() => Promise<void>)[] = []

// What stands below on the first screen comes meanwhile.
const restOfScreenMs = 1000
const later = (work: () => Promise<void>): void =>
  void setTimeout(() => whenIdle(() => void work().catch(() => undefined)), restOfScreenMs)

/**
 * Runs `work` in idle time a second after the first screen has been painted, with which it would otherwise compete. What
 * fails is left to the screen that needs it.
 */
export function whenPainted(work: () => Promise<void>): void {
  if (wasPainted) later(work)
  else untilPainted.push(work)
}

/**
 * Whether the first screen of this visit has been painted; `ready` says that what it is for is drawn. What is below that
 * waits for it. True at once on every later screen, so that a page returns to where it was scrolled to.
 */
export function usePainted(ready: boolean): boolean {
  const [painted, setPainted] = useState(wasPainted)
  useEffect(() => {
    if (painted || !ready) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // The task after the frame in which it is painted.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        wasPainted = true
        setPainted(true)
        for (const work of untilPainted.splice(0)) later(work)
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [painted, ready])
  return painted
}
