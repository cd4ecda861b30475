import { randomUUID } from 'node:crypto'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { LoginResult } from '../../contract.ts'
import { lifetimes } from '../../rules.ts'
import { hashSecret, newSecret } from '../secret-token.ts'
import { insertSession } from '../sql/sessions.ts'
import { issueAccessToken } from './access-token.ts'

/** Begins a session of 30 days at most and answers its first pair of tokens. */
export async function openSession(
  services: Pick<Services, 'config' | 'clock'>,
  db: Db,
  account: { id: number; email: string },
): Promise<LoginResult> {
  const now = services.clock.now()
  const sessionId = randomUUID()
  const refreshToken = newSecret()
  await insertSession(db, {
    id: sessionId,
    accountId: account.id,
    tokenHash: hashSecret(refreshToken),
    now,
    expiresAt: new Date(now.getTime() + lifetimes.sessionMs),
  })
  const accessToken = await issueAccessToken(services, { accountId: account.id, sessionId })
  return { accessToken, refreshToken, email: account.email }
}
