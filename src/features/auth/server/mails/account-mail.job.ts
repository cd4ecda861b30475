import { z } from 'zod'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob } from '#server/jobs/define-job.ts'
import { type MailContent, isMailQueued } from '#server/mail/outbox.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { lifetimes } from '../../rules.ts'
import { canMail } from '../attempt-limits.ts'
import { hashSecret, newSecret } from '../secret-token.ts'
import { type AccountSecrets, accountByEmail } from '../sql/accounts.ts'
import { replaceToken } from '../sql/auth-tokens.ts'
import { addressTakenMail, finishRegistrationMail, resetPasswordMail, verifyEmailMail } from './account-mails.ts'

const data = z.object({ kind: z.enum(['VERIFY_EMAIL', 'ADDRESS_TAKEN', 'RESET_PASSWORD']), email: z.string() })
type Kind = z.infer<typeof data>['kind']

/**
 * Writes the emails that anybody can request. A request only queues this job, so that neither its answer nor its duration
 * tells whether there is an account.
 */
export const accountMailJob = defineJob({
  name: 'account-mail',
  data,
  concurrency: 4,
  run: async (services, { kind, email }, job) => {
    const { db } = services
    const dedupeKey = `account-mail:${job.id}`
    // If the job runs again after its process was killed, the link already sent must stay valid.
    if (await isMailQueued(db.system, dedupeKey)) return
    const account = await accountByEmail(db.system, email)
    if (!account || !shouldSend(kind, account)) return
    // Counted here and not at the request, because only emails that are sent count.
    if (!(await canMail(services, kind, account.email))) {
      services.log.info(
        { kind, accountId: account.id },
        'no mail was sent: the limit for this address and kind is reached',
      )
      return
    }
    await db.transaction(async tx => {
      const content = await contentOf(services, tx, kind, account)
      await queueMail(services, tx, { to: account.email, dedupeKey, ...content })
    })
  },
})

const shouldSend = (kind: Kind, { status, emailVerifiedAt }: AccountSecrets): boolean =>
  status === 'ACTIVE' && !(kind === 'VERIFY_EMAIL' && emailVerifiedAt)

type Needs = Pick<Services, 'config' | 'clock'>

async function contentOf(services: Needs, tx: Db, kind: Kind, account: AccountSecrets): Promise<MailContent> {
  switch (kind) {
    case 'VERIFY_EMAIL':
      return verifyEmailMail(account, await verifyLink(services, tx, account.id))
    case 'RESET_PASSWORD':
      return resetPasswordMail(account, await resetLink(services, tx, account.id))
    case 'ADDRESS_TAKEN':
      return account.emailVerifiedAt
        ? addressTakenMail(account, `${services.config.publicUrl}/login`)
        : finishRegistrationMail(account, await resetLink(services, tx, account.id))
  }
}

const verifyLink = async (services: Needs, tx: Db, accountId: number) =>
  `${services.config.publicUrl}/verify-email?token=${await newToken(services, tx, accountId, 'VERIFY_EMAIL')}`
const resetLink = async (services: Needs, tx: Db, accountId: number) =>
  `${services.config.publicUrl}/reset-password?token=${await newToken(services, tx, accountId, 'RESET_PASSWORD')}`

async function newToken(
  { clock }: Needs,
  tx: Db,
  accountId: number,
  purpose: 'VERIFY_EMAIL' | 'RESET_PASSWORD',
): Promise<string> {
  const token = newSecret()
  const now = clock.now()
  const lifeMs = purpose === 'VERIFY_EMAIL' ? lifetimes.verifyEmailMs : lifetimes.resetPasswordMs
  const expiresAt = new Date(now.getTime() + lifeMs)
  await replaceToken(tx, { accountId, purpose, hash: hashSecret(token), now, expiresAt })
  return token
}
