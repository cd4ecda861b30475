import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const latestMs = 5000

/** Runs `work` when the page has nothing else to do, after five seconds at the latest. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: latestMs })
  // Safari does not have it; after this time the first screen is drawn.
  else setTimeout(work, 1500)
}

/** A component whose code is fetched only after the screen around it is drawn. Draw it inside Suspense. */
export function lazyWhenIdle<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    await new Promise<void>(whenIdle)
    return { default: await load() }
  })
}
