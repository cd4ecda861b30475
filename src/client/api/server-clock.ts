import { clockKey } from './storage-keys.ts'

// Days of figures, and how old they are, go by the server's time: the device's own clock may be wrong. Answers carry whole
// seconds and take a while to come, so small differences say nothing.
const toleranceMs = 90_000
const listeners = new Set<() => void>()

const readStored = (): number => {
  try {
    return Number(localStorage.getItem(clockKey)) || 0
  } catch {
    return 0
  }
}
let aheadMs = readStored()

/** Notes the server's time, as an answer's Date header says it. Null and what is no date are ignored. */
export const noteServerTime = (date: string | null): void => {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  const found = at - Date.now()
  if (Math.abs(found - aheadMs) <= toleranceMs) return
  aheadMs = Math.abs(found) <= toleranceMs ? 0 : found
  try {
    if (aheadMs) localStorage.setItem(clockKey, String(aheadMs))
    else localStorage.removeItem(clockKey)
  } catch {
    // A full or closed storage costs the memory of the next start only.
  }
  for (const changed of listeners) changed()
}

/** The server's time in milliseconds, as far as it is known. */
export const serverNow = (): number => Date.now() + aheadMs

/** How far the server's clock is ahead of the device's, in milliseconds. */
export const serverAheadMs = (): number => aheadMs

/** Calls back when the server's clock turned out to be another one than was known. Returns how to stop. */
export const onServerClock = (changed: () => void): (() => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
