export declare const startPostgres: () => Promise<{ url: string; stop: () => Promise<void> }>
export declare const startOwnPostgres: (settings?: Readonly<Record<string, string | number>>) => Promise<{
  url: string
  stop: () => Promise<void>
  start: () => void
  crash: (signal?: NodeJS.Signals) => Promise<void>
}>
