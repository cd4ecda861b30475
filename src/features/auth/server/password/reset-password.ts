import type { PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { ResetPasswordInput } from '../../contract.ts'
import { countGuess } from '../attempt-limits.ts'
import { hashSecret } from '../secret-token.ts'
import { accountSecretsById, markVerified } from '../sql/accounts.ts'
import { takeToken } from '../sql/auth-tokens.ts'
import { hashPassword } from './password-hash.ts'
import { replacePassword } from './replace-password.ts'

/**
 * Sets a new password with the token of an email, and ends all sessions of the user. It does not log in. A person with the
 * email owns the address, so this verifies it too. Throws TOKEN_INVALID, RATE_LIMITED.
 */
export async function resetPassword(ctx: PublicCtx, input: ResetPasswordInput): Promise<{ email: string }> {
  const tokenHash = hashSecret(input.token)
  await countGuess(ctx, { purpose: 'reset-password', subject: tokenHash })
  const passwordHash = await hashPassword(input.newPassword)
  const now = ctx.clock.now()
  return ctx.db.transaction(async tx => {
    const accountId = await takeToken(tx, 'RESET_PASSWORD', tokenHash, now)
    const account = accountId === null ? undefined : await accountSecretsById(tx, accountId)
    if (account?.status !== 'ACTIVE')
      throw new AppError('TOKEN_INVALID', 'This link is no longer valid. Please request a new one.')
    await markVerified(tx, account.id, now)
    await replacePassword(ctx, tx, account, { passwordHash, reason: 'PASSWORD_RESET' })
    return { email: account.email }
  })
}
