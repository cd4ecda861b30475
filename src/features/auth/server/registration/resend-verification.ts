import type { PublicCtx } from '#server/context.ts'
import { countMailRequest } from '../attempt-limits.ts'
import { accountMailJob } from '../mails/account-mail.job.ts'

/** Has the verification mail sent again where one is wanted; the answer never tells. The older link is void then. Throws RATE_LIMITED. */
export async function resendVerification(ctx: PublicCtx, email: string): Promise<{ email: string }> {
  await countMailRequest(ctx)
  await ctx.jobs.send(ctx.db.system, accountMailJob, { kind: 'VERIFY_EMAIL', email })
  return { email }
}
