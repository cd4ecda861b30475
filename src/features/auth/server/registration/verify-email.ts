import type { PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { hashSecret } from '../secret-token.ts'
import { accountSecretsById, markVerified } from '../sql/accounts.ts'
import { takeToken } from '../sql/auth-tokens.ts'

/** Verifies the address that the link was sent to. Throws TOKEN_INVALID if it was used, replaced, has expired or is unknown. */
export async function verifyEmail(ctx: PublicCtx, token: string): Promise<{ email: string }> {
  const now = ctx.clock.now()
  return ctx.db.transaction(async tx => {
    const accountId = await takeToken(tx, 'VERIFY_EMAIL', hashSecret(token), now)
    const account = accountId === null ? undefined : await accountSecretsById(tx, accountId)
    if (!account) throw new AppError('TOKEN_INVALID', 'This link is no longer valid. Please request a new one.')
    await markVerified(tx, account.id, now)
    return { email: account.email }
  })
}
