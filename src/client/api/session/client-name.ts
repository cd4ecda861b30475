import { newIdempotencyKey } from '../build-request.ts'
import { clientKey } from '../storage-keys.ts'

/** This browser's own random name, the same in all its tabs; undefined where nothing can be stored. */
export function clientName(): string | undefined {
  try {
    const stored = localStorage.getItem(clientKey)
    if (stored) return stored
    const made = newIdempotencyKey()
    localStorage.setItem(clientKey, made)
    return made
  } catch {
    return undefined
  }
}
