import { ownContext } from '#shared/managing-context.ts'

/** Local storage: the tokens of the session. */
export const sessionKey = 'tideline.session'
/** Local storage: the user for whom the session acts, while it manages one. */
export const managingKey = 'tideline.managing'
/** Local storage: the random name of this browser, which survives log-outs and identifies no person. */
export const clientKey = 'tideline.client'
/** Local storage: the last answers that the guards need. */
export const answersKey = 'tideline.answers'
/** Local storage: how far the server's clock is ahead of the device's. */
export const clockKey = 'tideline.clock'
/** Local storage: the user's format of numbers and days, and time zone. */
export const regionKey = 'tideline.region'
/** Local storage: when the server last answered, by its own clock. */
export const answeredKey = 'tideline.answered'
/** Local storage: a copy of the first screen as it last was. */
export const screenCopyKey = 'tideline.screen'
/** IndexedDB: the database of the last figures, its store, and the library's prefix before the hash of a query's key. */
export const figuresDatabase = 'tideline-figures'
export const figuresStore = 'queries'
export const figuresPrefix = 'tanstack-query'

/** IndexedDB: how many changes wait, for the worker, which cannot read local storage; its store and key. */
export const outboxDatabase = 'tideline-outbox'
export const outboxStore = 'waiting'
export const waitingKey = 'count'
/** The tag of the browser's Background Sync that stands for them. */
export const outboxTag = 'tideline.outbox'

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

/** For whom calls are meant, as the managing header says it. Without the store of managing.ts, because the early script reads it too. */
export function storedContext(): string {
  try {
    const managed = JSON.parse(localStorage.getItem(managingKey) ?? 'null') as { id?: number } | null
    return String(managed?.id ?? ownContext)
  } catch {
    return ownContext
  }
}
