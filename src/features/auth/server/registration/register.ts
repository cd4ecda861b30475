import type { PublicCtx } from '#server/context.ts'
import type { RegisterInput } from '../../contract.ts'
import { roleAtRegistration } from '../../roles.ts'
import { countRegistration } from '../attempt-limits.ts'
import { accountMailJob } from '../mails/account-mail.job.ts'
import { hashPassword } from '../password/password-hash.ts'
import { insertAccount } from '../sql/accounts.ts'

/**
 * Registers an account, which can log in once its address is verified. If the address is taken, its owner gets an email;
 * the answer and the work are the same. Throws RATE_LIMITED.
 */
export async function register(ctx: PublicCtx, input: RegisterInput): Promise<{ email: string }> {
  await countRegistration(ctx)
  const { email, firstName, lastName, accountType } = input
  const passwordHash = await hashPassword(input.password)
  await ctx.db.transaction(async tx => {
    const account = {
      email,
      passwordHash,
      firstName,
      lastName,
      accountType,
      affiliateCode: input.affiliateCode || null,
    }
    const id = await insertAccount(tx, account, roleAtRegistration(accountType), ctx.clock.now())
    const kind = id === null ? 'ADDRESS_TAKEN' : 'VERIFY_EMAIL'
    await ctx.jobs.send(tx, accountMailJob, { kind, email })
  })
  return { email }
}
