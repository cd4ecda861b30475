import { newIdempotencyKey } from '#client/api/build-request.ts'
import { call } from '#client/api/call.ts'
import type { Session } from '#client/api/session/session.ts'
import { clientKey } from '#client/api/storage-keys.ts'
import { authEndpoints } from '../contract.ts'

/** Exchanges a refresh token for the next pair of tokens. Throws like `call`. */
export const renewSession = (refreshToken: string): Promise<Session> =>
  call(authEndpoints.refresh, { body: { refreshToken } }, { client: clientName() })

/** This browser's own random name, the same in all its tabs; undefined where nothing can be stored. */
function clientName(): string | undefined {
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
