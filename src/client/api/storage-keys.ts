/** Where local storage keeps the tokens of the session. */
export const sessionKey = 'tideline.session'
/** Where it keeps this browser's own random name, which outlives log-ins and says nothing about anybody. */
export const clientKey = 'tideline.client'
/** Where it keeps the last known answers that the guards need. */
export const answersKey = 'tideline.answers'
/** Where it keeps how far the server's clock is ahead of the device's. */
export const clockKey = 'tideline.clock'
/** Where IndexedDB keeps the last figures: a database, its store, and what the library puts before the hash of a query's key. */
export const figuresDatabase = 'tideline-figures'
export const figuresStore = 'queries'
export const figuresPrefix = 'tanstack-query'

/**
 * How far the server's clock was ahead of the device's when this device last noticed, in milliseconds. The early script
 * reads it too, which must stay small, so the store of server-clock.ts is kept out of here.
 */
export function storedAheadMs(): number {
  try {
    return Number(localStorage.getItem(clockKey)) || 0
  } catch {
    return 0
  }
}
