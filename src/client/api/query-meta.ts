import '@tanstack/react-query'

/** What a query says of itself, so that policy stands in one place. */
export interface QueryMeta extends Record<string, unknown> {
  /** `sync`: kept in local storage and there before the first render (answers that guards need). `idb`: kept in IndexedDB (what screens show). */
  persist?: 'sync' | 'idb'
  /** A screen of figures: what is older than 30 s is refreshed on coming back to sight or online. */
  figures?: boolean
  /** Title of the notification when it fails. */
  errorTitle?: string
  /** Text of that notification when the server gave none. */
  errorDefault?: string
  /** No notification: the screen shows the failure itself. */
  silent?: boolean
}

/** Meta of a query whose last answer is shown while offline. */
export const forOffline = { persist: 'idb' } as const

export type MutationMeta = Pick<QueryMeta, 'errorTitle' | 'errorDefault' | 'silent'> & Record<string, unknown>

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: QueryMeta
    mutationMeta: MutationMeta
  }
}
