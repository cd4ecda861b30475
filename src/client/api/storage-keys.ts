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
