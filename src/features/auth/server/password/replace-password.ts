import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { passwordChangedMail } from '../mails/account-mails.ts'
import { type AccountSecrets, setPasswordHash } from '../sql/accounts.ts'
import { announceSessionsEnded } from '../signals.ts'
import { deleteTokensOf } from '../sql/auth-tokens.ts'
import { endSessionsOf } from '../sql/sessions.ts'

/** Sets a new password, ends the sessions (except `keepSession`), invalidates links already sent, and notifies the owner. */
export async function replacePassword(
  services: Pick<Services, 'clock' | 'config' | 'events' | 'jobs'>,
  tx: Db,
  account: AccountSecrets,
  change: { passwordHash: string; reason: 'PASSWORD_CHANGED' | 'PASSWORD_RESET'; keepSession?: string },
): Promise<void> {
  const now = services.clock.now()
  await setPasswordHash(tx, account.id, change.passwordHash, now)
  await deleteTokensOf(tx, account.id)
  await endSessionsOf(tx, account.id, change.reason, {
    now,
    ...(change.keepSession !== undefined && { keep: change.keepSession }),
  })
  await announceSessionsEnded(services, tx, account.id)
  await queueMail(services, tx, {
    to: account.email,
    dedupeKey: `password-changed:${account.id}:${now.getTime()}`,
    ...passwordChangedMail(account, now, `${services.config.publicUrl}/forgot-password`),
  })
}
