import { createAtom } from '@tanstack/react-store'
import { useEffect } from 'react'

const holds = createAtom(0)

/** Forbids a reload while something would be lost (an open wizard, a queued edit). Returns a function that allows it again. */
export function holdReload(): () => void {
  let held = true
  holds.set(count => count + 1)
  return () => {
    if (held) holds.set(count => count - 1)
    held = false
  }
}

/** Forbids a reload while `held`: for screens with input that is not saved yet. */
export function useHoldReload(held: boolean): void {
  useEffect(() => (held ? holdReload() : undefined), [held])
}

/** True when the page may be reloaded without losing anything. */
export const canReloadNow = (): boolean => holds.get() === 0

/** Calls back once, as soon as a reload is allowed. */
export function whenReloadAllowed(then: () => void): void {
  if (canReloadNow()) return then()
  const subscription = holds.subscribe(count => {
    if (count > 0) return
    subscription.unsubscribe()
    then()
  })
}
