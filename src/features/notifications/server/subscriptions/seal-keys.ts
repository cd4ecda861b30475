import { z } from 'zod'
import type { Vault } from '#server/crypto/envelope.ts'

const deviceKeys = z.object({ p256dh: z.string(), auth: z.string() })
/** The keys of a browser's subscription. */
export type DeviceKeys = z.infer<typeof deviceKeys>

// Bound to account and endpoint, so that sealed keys do not open in another row.
const contextOf = (accountId: number, endpoint: string): string => `push_subscription:${accountId}:keys:${endpoint}`

/** Encrypts a browser's keys for its row. */
export const sealKeys = (vault: Vault, accountId: number, endpoint: string, keys: DeviceKeys): string =>
  vault.seal(JSON.stringify({ p256dh: keys.p256dh, auth: keys.auth }), contextOf(accountId, endpoint))

/** Decrypts them. Throws if they were not sealed for this row. */
export const openKeys = (vault: Vault, accountId: number, endpoint: string, sealed: string): DeviceKeys =>
  deviceKeys.parse(JSON.parse(vault.open(sealed, contextOf(accountId, endpoint))))
