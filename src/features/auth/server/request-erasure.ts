import type { Ctx, PublicCtx } from '#server/context.ts'
import { queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { AppError } from '#shared/errors.ts'
import { dateText } from '#shared/region-format.ts'
import { lifetimes } from '../rules.ts'
import { replaceToken } from './account-mails.ts'
import { confirmPassword } from './password.ts'
import { newSecret } from './secret-token.ts'
import { accountSecretsById, takeToken } from './sql.ts'

/**
 * Has the caller's account erased in seven days, and mails the day with a link that stops it. A second request changes
 * nothing. Throws VALIDATION_FAILED for a wrong password.
 */
export async function requestErasure(ctx: Ctx, password: string): Promise<{ erasedAt: string }> {
  await confirmPassword(ctx, password)
  const { accountId } = ctx.actor
  const now = ctx.clock.now()
  const erasedAt = new Date(now.getTime() + lifetimes.erasureMs)
  return ctx.db.transaction(async tx => {
    const { numUpdatedRows } = await tx
      .updateTable('account')
      .set({ erase_at: erasedAt, updated_at: now })
      .where('id', '=', accountId)
      .where('erase_at', 'is', null)
      .executeTakeFirst()
    const account = await accountSecretsById(tx, accountId)
    if (!account) throw new AppError('UNAUTHENTICATED', 'Please log in.')
    const { email, firstName, locale, timezone: timeZone } = account
    const at = account.erasedAt ?? erasedAt
    if (numUpdatedRows > 0n) {
      const token = newSecret()
      await replaceToken(ctx, tx, accountId, 'KEEP_ACCOUNT', token)
      const { publicUrl } = ctx.config
      const day = dateText(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }, at)
      await queueMail(ctx, tx, {
        to: email,
        dedupeKey: `erasure:${accountId}:${now.getTime()}`,
        ...renderMail({
          subject: 'Your account will be erased',
          greeting: `Hello ${firstName},`,
          paragraphs: [
            `As you asked, your account at Tideline will be erased on ${day}, with all merchants that only you own.`,
            'Your campaigns keep running at the marketplace. Invoices are kept without your name for as long as the law says.',
            'Until then you can change your mind. If it was not you, keep your account and change your password at once.',
          ],
          action: { label: 'Keep my account', url: `${publicUrl}/keep-account?token=${token}` },
        }),
      })
    }
    return { erasedAt: at.toISOString() }
  })
}

/** Keeps the caller's account; one that is not to be erased stays as it is. */
export async function keepAccount(ctx: Ctx): Promise<null> {
  await keep(ctx, ctx.actor.accountId)
  return null
}

/** The same by the token of the mail, without a log-in. Throws TOKEN_INVALID once it was used or the account is erased. */
export async function keepAccountByToken(ctx: PublicCtx, token: string): Promise<{ email: string }> {
  return ctx.db.transaction(async tx => {
    const accountId = await takeToken(tx, 'KEEP_ACCOUNT', token, ctx.clock.now())
    const account = accountId === null ? undefined : await accountSecretsById(tx, accountId)
    if (account?.status !== 'ACTIVE')
      throw new AppError('TOKEN_INVALID', 'This link is no longer valid. Log in to see what became of your account.')
    await tx.updateTable('account').set({ erase_at: null }).where('id', '=', account.id).execute()
    return { email: account.email }
  })
}

// Once the job has begun the account is ERASED, and nothing brings it back.
async function keep({ db, events }: Ctx, accountId: number): Promise<void> {
  await db.transaction(async tx => {
    await tx
      .updateTable('account')
      .set({ erase_at: null })
      .where('id', '=', accountId)
      .where('status', '=', 'ACTIVE')
      .execute()
    await tx
      .deleteFrom('auth_token')
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'KEEP_ACCOUNT')
      .execute()
    await events.publish(tx, [accountId], 'account', {})
  })
}
