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

export function useHoldReload(held: boolean): void {
  useEffect(() => (held ? holdReload() : undefined), [held])
}

export const canReloadNow = (): boolean => holds.get() === 0

export function whenReloadAllowed(then: () => void): void {
  if (canReloadNow()) return then()
  const subscription = holds.subscribe(count => {
    if (count > 0) return
    subscription.unsubscribe()
    then()
  })
}
