export declare const startPostgres: () => Promise<{ url: string; stop: () => Promise<void> }>
export declare const startOwnPostgres: () => Promise<{
  url: string
  stop: () => Promise<void>
  start: () => void
  crash: () => Promise<void>
}>
