import '@tanstack/react-query'

/** Properties of a query that decide its policy, so that the policy is in one place. */
export interface QueryMeta extends Record<string, unknown> {
  /** `sync`: in local storage, read before the first render (answers that guards need). `idb`: in IndexedDB (what screens show). */
  persist?: 'sync' | 'idb'
  /** A screen of figures: data older than 30 s is refreshed when the page becomes visible or the device online. */
  figures?: boolean
  errorTitle?: string
  /** Text of that notification when the server gave none. */
  errorDefault?: string
  /** No notification: the screen shows the failure itself. */
  silent?: boolean
}

/** Meta of a query whose last answer is shown while offline. */
export const forOffline = { persist: 'idb' } as const

type MutationMeta = Pick<QueryMeta, 'errorDefault' | 'silent'> &
  Record<string, unknown> & {
    /** It may depend on what was to be changed. */
    errorTitle?: string | ((variables: never) => string)
  }

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: QueryMeta
    mutationMeta: MutationMeta
  }
}
