import { vi } from 'vitest'

/** How long a test waits for what must happen: only what never happens reaches it, not a slow machine. */
export const patienceMs = 240_000

/** Waits until `check` no longer throws and answers its result; with fake timers they go on meanwhile. */
export const waitUntil = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: patienceMs })
