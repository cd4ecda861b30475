import type { PublicCtx } from '#server/context.ts'
import { countMailRequest } from '../attempt-limits.ts'
import { accountMailJob } from './account-mail.job.ts'

/** Requests an email with a link, if there is an account. The answer does not tell whether there is. Throws RATE_LIMITED. */
export async function requestMail(
  ctx: PublicCtx,
  kind: 'VERIFY_EMAIL' | 'RESET_PASSWORD',
  email: string,
): Promise<{ email: string }> {
  await countMailRequest(ctx)
  await ctx.jobs.send(ctx.db.system, accountMailJob, { kind, email })
  return { email }
}
