import { clockKey } from './storage-keys.ts'

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
