import type { Authority, Services } from '#server/context.ts'
import { authoritiesOf } from '../../roles.ts'
import { activeSession } from '../sql/sessions.ts'
import { readAccessToken } from './access-token.ts'

export interface Authenticated {
  accountId: number
  sessionId: string
  email: string
  authorities: Authority[]
}

/**
 * Who an access token stands for, with account, session and authorities as they are at this moment; null when it is not
 * good. One query.
 */
export const authenticate = async (
  services: Pick<Services, 'config' | 'clock' | 'db'>,
  token: string,
): Promise<Authenticated | null> => {
  const claimed = await readAccessToken(services, token)
  const session = claimed && (await activeSession(services.db.system, claimed, services.clock.now()))
  if (!session) return null
  const { accountId, sessionId, email, roles } = session
  return { accountId, sessionId, email, authorities: authoritiesOf(roles) }
}
