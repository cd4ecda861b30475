import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const latestMs = 5000

/** Runs `work` when the page has nothing else to do, after five seconds at the latest. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: latestMs })
  // Safari has no such thing; by then a first screen stands.
  else setTimeout(work, 1500)
}

/** A component that nobody waits for: its code is fetched once the screen around it stands. Draw it inside Suspense. */
export function lazyWhenIdle<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    await new Promise<void>(whenIdle)
    return { default: await load() }
  })
}
