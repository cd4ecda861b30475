import { call } from '#client/api/call.ts'
import { clientName, type Session } from '#client/api/session/session.ts'
import { authEndpoints } from '../contract.ts'

/** Exchanges a refresh token for the next pair of tokens. Throws like `call`. */
export const renewSession = (refreshToken: string): Promise<Session> =>
  call(authEndpoints.refresh, { body: { refreshToken } }, { client: clientName() })
