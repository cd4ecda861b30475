import type { PublicCtx, Services } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { LoginResult } from '../../contract.ts'
import { countGuess, forgiveGuesses } from '../attempt-limits.ts'
import { verifyPassword } from '../password/password-hash.ts'
import { accountByEmail } from '../sql/accounts.ts'
import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/tables.ts'
import { lifetimes } from '../../rules.ts'
import { hashSecret, newSecret } from '../secret-token.ts'
import { insertSession } from '../sql/sessions.ts'
import { issueAccessToken } from './access-token.ts'

/**
 * Logs in. Throws INVALID_CREDENTIALS, after the same work for an unknown address, a wrong password and a suspended account;
 * EMAIL_NOT_VERIFIED if the password is correct; RATE_LIMITED after too many failures.
 */
export async function login(ctx: PublicCtx, input: { email: string; password: string }): Promise<LoginResult> {
  const guess = { purpose: 'login', subject: input.email }
  await countGuess(ctx, guess)
  const account = await accountByEmail(ctx.db.system, input.email)
  const isCorrect = await verifyPassword(account?.passwordHash ?? null, input.password)
  if (!account || !isCorrect || account.status !== 'ACTIVE')
    throw new AppError('INVALID_CREDENTIALS', 'Email or password is incorrect.')
  await forgiveGuesses(ctx, guess)
  if (!account.emailVerifiedAt)
    throw new AppError(
      'EMAIL_NOT_VERIFIED',
      'Please verify your email address first. We have sent you an email with a link.',
    )
  return openSession(ctx, ctx.db.system, account)
}

/** Starts a session of at most 30 days and returns its first pair of tokens. */
async function openSession(
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
