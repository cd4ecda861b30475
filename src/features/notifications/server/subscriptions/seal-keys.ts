import { z } from 'zod'
import type { Vault } from '#server/crypto/envelope.ts'

const deviceKeys = z.object({ p256dh: z.string(), auth: z.string() })
/** What a browser gives away of a subscription's keys. */
export type DeviceKeys = z.infer<typeof deviceKeys>

// Account and address, so that sealed keys copied to another row open nowhere.
const contextOf = (accountId: number, endpoint: string): string => `push_subscription:${accountId}:keys:${endpoint}`

/** Seals a browser's keys for its row. */
export const sealKeys = (vault: Vault, accountId: number, endpoint: string, keys: DeviceKeys): string =>
  vault.seal(JSON.stringify({ p256dh: keys.p256dh, auth: keys.auth }), contextOf(accountId, endpoint))

/** Opens them again. Throws when they were not sealed for this row. */
export const openKeys = (vault: Vault, accountId: number, endpoint: string, sealed: string): DeviceKeys =>
  deviceKeys.parse(JSON.parse(vault.open(sealed, contextOf(accountId, endpoint))))
