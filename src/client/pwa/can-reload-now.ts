const reasons = new Set<symbol>()
const listeners = new Set<() => void>()
const notify = () => listeners.forEach(listener => listener())

/** Forbids a reload while something would be lost (an open wizard, a queued edit). Answers the way to allow it again. */
export const holdReload = (): (() => void) => {
  const reason = Symbol('hold')
  reasons.add(reason)
  return () => {
    if (reasons.delete(reason)) notify()
  }
}

/** True when the page may be reloaded without losing anything. */
export const canReloadNow = (): boolean => reasons.size === 0

/** Calls back once, as soon as a reload is allowed; at once when it already is. */
export const whenReloadAllowed = (then: () => void): void => {
  if (canReloadNow()) return then()
  const listener = (): void => {
    if (!canReloadNow()) return
    listeners.delete(listener)
    then()
  }
  listeners.add(listener)
}
