import { z } from 'zod'
import type { PublicCtx, Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { defineJob } from '#server/jobs/define-job.ts'
import { isMailQueued, type MailContent, queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { lifetimes } from '../rules.ts'
import { canMail, countByNetwork } from './attempt-limits.ts'
import { hashSecret, newSecret } from './secret-token.ts'
import { type AccountSecrets, accountByEmail } from './sql.ts'

/** Requests an email with a link, if there is an account. The answer does not tell whether there is. Throws RATE_LIMITED. */
export async function requestMail(
  ctx: PublicCtx,
  kind: 'VERIFY_EMAIL' | 'RESET_PASSWORD',
  email: string,
): Promise<{ email: string }> {
  await countByNetwork(ctx, 'mailRequests')
  await ctx.jobs.send(ctx.db.system, accountMailJob, { kind, email })
  return { email }
}

const data = z.object({ kind: z.enum(['VERIFY_EMAIL', 'ADDRESS_TAKEN', 'RESET_PASSWORD']), email: z.string() })
type Kind = z.infer<typeof data>['kind']

/** Writes requested emails. A request only queues this, so neither answer nor duration tells whether an account exists. */
export const accountMailJob = defineJob({
  name: 'account-mail',
  data,
  concurrency: 4,
  run: async (services, { kind, email }, job) => {
    const { db, log } = services
    const dedupeKey = `account-mail:${job.id}`
    // If the job runs again after its process was killed, the link already sent must stay valid.
    if (await isMailQueued(db.system, dedupeKey)) return
    const account = await accountByEmail(db.system, email)
    if (account?.status !== 'ACTIVE' || (kind === 'VERIFY_EMAIL' && account.emailVerifiedAt)) return
    // Counted here and not at the request, because only emails that are sent count.
    if (!(await canMail(services, kind, account.email)))
      return log.info(
        { kind, accountId: account.id },
        'no mail was sent: the limit for this address and kind is reached',
      )
    await db.transaction(async tx => {
      const content = await contentOf(services, tx, kind, account)
      await queueMail(services, tx, { to: account.email, dedupeKey, ...content })
    })
  },
})

type Needs = Pick<Services, 'config' | 'clock'>

async function contentOf(services: Needs, tx: Db, kind: Kind, account: AccountSecrets): Promise<MailContent> {
  const { publicUrl } = services.config
  if (kind === 'ADDRESS_TAKEN' && account.emailVerifiedAt) return write('addressTaken', account, `${publicUrl}/login`)
  const token = newSecret()
  const purpose = kind === 'VERIFY_EMAIL' ? 'VERIFY_EMAIL' : 'RESET_PASSWORD'
  await replaceToken(services, tx, account.id, purpose, token)
  if (kind === 'VERIFY_EMAIL') return write('verifyEmail', account, `${publicUrl}/verify-email?token=${token}`)
  const mail = kind === 'ADDRESS_TAKEN' ? 'finishRegistration' : 'resetPassword'
  return write(mail, account, `${publicUrl}/reset-password?token=${token}`)
}

/** Stores a token for an account and purpose; it replaces an older one. */
export async function replaceToken(
  { clock }: Needs,
  tx: Db,
  accountId: number,
  purpose: Row<'auth_token'>['purpose'],
  token: string,
): Promise<void> {
  const now = clock.now()
  const lifeMs = {
    VERIFY_EMAIL: lifetimes.verifyEmailMs,
    RESET_PASSWORD: lifetimes.resetPasswordMs,
    KEEP_ACCOUNT: lifetimes.erasureMs,
  }[purpose]
  const values = { token_hash: hashSecret(token), created_at: now, expires_at: new Date(now.getTime() + lifeMs) }
  await tx
    .insertInto('auth_token')
    .values({ account_id: accountId, purpose, ...values })
    .onConflict(conflict => conflict.columns(['account_id', 'purpose']).doUpdateSet(values))
    .execute()
}

type Recipient = Pick<AccountSecrets, 'firstName'>
const hello = ({ firstName }: Recipient) => `Hello ${firstName},`

function write(mail: keyof typeof mails, recipient: Recipient, url: string): MailContent {
  const { label, ...text } = mails[mail]
  return renderMail({ ...text, greeting: hello(recipient), action: { label, url } })
}

const mails = {
  verifyEmail: {
    subject: 'Verify your email address',
    paragraphs: ['Welcome to Tideline. Please verify your email address to finish your registration.'],
    label: 'Verify email address',
    closing: ['The link works once, for 24 hours.', 'If you did not register, you can ignore this email.'],
  },
  addressTaken: {
    subject: 'Someone tried to register with your address',
    paragraphs: [
      'Someone, perhaps you, tried to register at Tideline with this email address. You already have an account, so nothing was changed.',
      'If it was you, log in instead. If you forgot your password, you can choose a new one there.',
    ],
    label: 'Log in',
    closing: ['If it was not you, you do not need to do anything.'],
  },
  // To an address that was registered before but never verified: its owner finishes by choosing a password.
  finishRegistration: {
    subject: 'Finish your registration',
    paragraphs: [
      'Someone, perhaps you, tried to register at Tideline with this email address again. It was registered before, but never verified.',
      'To finish, choose your password. This also verifies your address. A password chosen earlier no longer works then.',
    ],
    label: 'Choose your password',
    closing: ['The link works once, for 30 minutes.', 'If it was not you, you can ignore this email.'],
  },
  resetPassword: {
    subject: 'Choose a new password',
    paragraphs: ['You asked for a new password for Tideline.'],
    label: 'Choose a new password',
    closing: [
      'The link works once, for 30 minutes.',
      'If you did not ask for it, you can ignore this email. Your password stays the same.',
    ],
  },
}

/** The notice after a password change; `at` is shown in UTC. */
export function passwordChangedMail(recipient: Recipient, at: Date, forgotUrl: string): MailContent {
  return renderMail({
    subject: 'Your password was changed',
    greeting: hello(recipient),
    paragraphs: [
      `The password of your Tideline account was changed on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC. Other devices were logged out.`,
      'If it was not you, choose a new password immediately.',
    ],
    action: { label: 'Choose a new password', url: forgotUrl },
  })
}
