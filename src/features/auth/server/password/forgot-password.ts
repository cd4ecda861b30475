import type { PublicCtx } from '#server/context.ts'
import { countMailRequest } from '../attempt-limits.ts'
import { accountMailJob } from '../mails/account-mail.job.ts'

/** Has a link sent with which to choose a new password, where there is an account; the answer never tells. Throws RATE_LIMITED. */
export async function forgotPassword(ctx: PublicCtx, email: string): Promise<{ email: string }> {
  await countMailRequest(ctx)
  await ctx.jobs.send(ctx.db.system, accountMailJob, { kind: 'RESET_PASSWORD', email })
  return { email }
}
