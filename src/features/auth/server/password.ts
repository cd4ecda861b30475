import { hash, verify } from '@node-rs/argon2'
import type { Ctx, PublicCtx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { queueMail } from '#server/mail/outbox.ts'
import { AppError } from '#shared/errors.ts'
import type { ChangePasswordInput, ResetPasswordInput } from '../contract.ts'
import { passwordChangedMail } from './account-mails.ts'
import { countGuess, forgiveGuesses } from './attempt-limits.ts'
import { hashSecret } from './secret-token.ts'
import { announceSessionsEnded } from './signals.ts'
import { type AccountSecrets, accountSecretsById, markVerified, takeToken } from './sql.ts'

// OWASP's parameters for argon2id (2): 19 MiB, two passes, one lane.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The salted hash of a password, as a PHC string. */
export const hashPassword = (password: string): Promise<string> => hash(password, options)

let dummy: Promise<string> | undefined

/** True if the password matches the hash. Without a hash it is false, after the same work. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const valid = passwordHash?.startsWith('$argon2id$') ? passwordHash : null
  dummy ??= hashPassword('of nobody')
  const isMatch = await verify(valid ?? (await dummy), password)
  return valid !== null && isMatch
}

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
  await ctx.db.transaction(tx => replacePassword(ctx, tx, account, passwordHash, 'PASSWORD_CHANGED', sessionId))
  return { email }
}

/** Throws VALIDATION_FAILED at the field `password` unless it is the caller's, RATE_LIMITED after too many wrong ones. */
export async function confirmPassword(ctx: Ctx, password: string): Promise<void> {
  const { accountId } = ctx.actor
  const guess = { purpose: 'confirm-password', subject: String(accountId) }
  await countGuess(ctx, guess)
  const account = await accountSecretsById(ctx.db.system, accountId)
  if (!account || !(await verifyPassword(account.passwordHash, password)))
    throw wrongField('password', 'Password is incorrect')
  await forgiveGuesses(ctx, guess)
}

/**
 * Sets a new password with the token of an email, and ends all sessions of the user. It does not log in. A person with the
 * email owns the address, so this verifies it too. Throws TOKEN_INVALID, RATE_LIMITED.
 */
export async function resetPassword(ctx: PublicCtx, { token, newPassword }: ResetPasswordInput) {
  await countGuess(ctx, { purpose: 'reset-password', subject: hashSecret(token) })
  const passwordHash = await hashPassword(newPassword)
  const now = ctx.clock.now()
  return ctx.db.transaction(async tx => {
    const accountId = await takeToken(tx, 'RESET_PASSWORD', token, now)
    const account = accountId === null ? undefined : await accountSecretsById(tx, accountId)
    if (account?.status !== 'ACTIVE')
      throw new AppError('TOKEN_INVALID', 'This link is no longer valid. Please request a new one.')
    await markVerified(tx, account.id, now)
    await replacePassword(ctx, tx, account, passwordHash, 'PASSWORD_RESET')
    return { email: account.email }
  })
}

/** Sets a new password, ends the sessions (except `keptSession`), invalidates links already sent, and notifies the owner. */
async function replacePassword(
  ctx: PublicCtx,
  tx: Db,
  account: AccountSecrets,
  passwordHash: string,
  reason: 'PASSWORD_CHANGED' | 'PASSWORD_RESET',
  keptSession?: string,
): Promise<void> {
  const { id, email } = account
  const now = ctx.clock.now()
  const changes = { password_hash: passwordHash, updated_at: now }
  await tx.updateTable('account').set(changes).where('id', '=', id).execute()
  await tx.deleteFrom('auth_token').where('account_id', '=', id).execute()
  await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: reason })
    .where('account_id', '=', id)
    .where('ended_at', 'is', null)
    .$if(keptSession !== undefined, query => query.where('id', '!=', keptSession as string))
    .execute()
  await announceSessionsEnded(ctx, tx, id)
  await queueMail(ctx, tx, {
    to: email,
    dedupeKey: `password-changed:${id}:${now.getTime()}`,
    ...passwordChangedMail(account, now, `${ctx.config.publicUrl}/forgot-password`),
  })
}
