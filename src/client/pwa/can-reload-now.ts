import { createAtom } from '@tanstack/react-store'
import { useEffect } from 'react'

const holds = createAtom(0)

/** Forbids a reload while something would be lost (an open wizard, a queued edit). */
export function useHoldReload(held: boolean): void {
  useEffect(() => {
    if (!held) return
    holds.set(count => count + 1)
    return () => holds.set(count => count - 1)
  }, [held])
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
