import type { RawBuilder } from 'kysely'
import type { Authority, Services } from '#server/context.ts'
import { createBatchLoader } from '#server/db/batch-loader.ts'
import { authoritiesOf } from '../../roles.ts'
import { type ActiveSession, activeSessions } from '../sql/sessions.ts'
import { createTokenReader } from './access-token.ts'

/**
 * The account, session and current authorities of an access token, with further `columns` of the account `a`; null if the
 * token is invalid. One query, which simultaneous calls share.
 */
export function createAuthenticator<More extends object>(
  services: Pick<Services, 'config' | 'clock' | 'db'>,
  columns: RawBuilder<More>,
): (token: string) => Promise<(Omit<ActiveSession & More, 'roles'> & { authorities: Authority[] }) | null> {
  const read = createTokenReader(services)
  const sessionOf = createBatchLoader((ids: readonly string[]) =>
    activeSessions(services.db.system, ids, services.clock.now(), columns),
  )
  return async token => {
    const claims = await read(token)
    const session = claims && (await sessionOf(claims.id))
    if (!session || session.accountId !== claims.accountId) return null
    const { roles, ...rest } = session
    return { ...rest, authorities: authoritiesOf(roles) }
  }
}
