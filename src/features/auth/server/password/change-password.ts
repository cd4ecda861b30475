import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { ChangePasswordInput } from '../../contract.ts'
import { countGuess, forgiveGuesses } from '../attempt-limits.ts'
import { accountSecretsById } from '../sql/accounts.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { replacePassword } from './replace-password.ts'

// Not 401, which would log the browser out.
const wrongField = (field: string, message: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [message], extra: { fields: { [field]: message } } })

/** Changes the password of the logged-in user and ends all other sessions. Throws VALIDATION_FAILED, RATE_LIMITED. */
export async function changePassword(ctx: Ctx, input: ChangePasswordInput): Promise<{ email: string }> {
  const { accountId, email, sessionId } = ctx.actor
  if (input.email !== email) throw wrongField('email', 'This is not the email address of your account')
  const guess = { purpose: 'change-password', subject: String(accountId) }
  await countGuess(ctx, guess)
  const account = await accountSecretsById(ctx.db.system, accountId)
  if (!account || !(await verifyPassword(account.passwordHash, input.currentPassword)))
    throw wrongField('currentPassword', 'Current password is incorrect')
  await forgiveGuesses(ctx, guess)
  const passwordHash = await hashPassword(input.newPassword)
  await ctx.db.transaction(tx =>
    replacePassword(ctx, tx, account, { passwordHash, reason: 'PASSWORD_CHANGED', keepSession: sessionId }),
  )
  return { email }
}
