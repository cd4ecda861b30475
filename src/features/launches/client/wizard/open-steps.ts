import type { AnyRouter } from '@tanstack/react-router'

/** Pushes an address for each step up to `to`, so that Back leads through them one by one. */
export function openSteps(router: AnyRouter, from: number, to: number): void {
  const { pathname, state } = router.state.location
  const pushed = (state as { sheets?: number }).sheets ?? 0
  for (let step = from + 1; step <= to; step += 1) {
    router.history.push(`${pathname}?step=${step}`, { sheets: pushed + step - from })
    // The router would merge the pushes of one tick.
    router.history.flush()
  }
}
