export declare const startPostgres: () => Promise<{ url: string; stop: () => Promise<void> }>
