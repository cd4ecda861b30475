import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after `ms`; rejects with the signal's reason when it ends first. */
export const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
}
