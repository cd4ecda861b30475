import type { PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { LoginResult } from '../../contract.ts'
import { countGuess, forgiveGuesses } from '../attempt-limits.ts'
import { verifyPassword } from '../password/password-hash.ts'
import { accountByEmail } from '../sql/accounts.ts'
import { openSession } from './open-session.ts'

/**
 * Logs in. Throws INVALID_CREDENTIALS, the same after the same work for an unknown address, a wrong password and a
 * suspended account; EMAIL_NOT_VERIFIED only to who knows the password; RATE_LIMITED after too many failures.
 */
export async function login(ctx: PublicCtx, input: { email: string; password: string }): Promise<LoginResult> {
  const guess = { purpose: 'login', subject: input.email }
  await countGuess(ctx, guess)
  const account = await accountByEmail(ctx.db.system, input.email)
  const right = await verifyPassword(account?.passwordHash ?? null, input.password)
  if (!account || !right || account.status !== 'ACTIVE')
    throw new AppError('INVALID_CREDENTIALS', 'Email or password is incorrect.')
  await forgiveGuesses(ctx, guess)
  if (!account.emailVerifiedAt)
    throw new AppError('EMAIL_NOT_VERIFIED', 'Please verify your email address first. Look for our mail.')
  return openSession(ctx, ctx.db.system, account)
}
