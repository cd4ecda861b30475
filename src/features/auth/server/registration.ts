import { sql } from 'kysely'
import type { PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { Db } from '#server/db/tables.ts'
import type { InvitedPerson, RegisterInput } from '../contract.ts'
import type { RoleName } from '../roles.ts'
import { accountMailJob } from './account-mails.ts'
import { countByNetwork } from './attempt-limits.ts'
import { hashPassword } from './password.ts'
import { registeredByCode } from './signals.ts'
import { accountSecretsById, markVerified, takeToken } from './sql.ts'
import { defaultRegion } from '#shared/region-format.ts'

/** Whether an affiliate has this code. Passed in by main, because auth must not import the affiliate feature. */
export type IsAffiliateCode = (ctx: PublicCtx, code: string) => Promise<boolean>

/**
 * Registers an account. If the address is taken, its owner gets an email, after the same work. Throws RATE_LIMITED, or
 * VALIDATION_FAILED for an affiliate code that nobody has.
 */
export async function register(
  ctx: PublicCtx,
  input: RegisterInput,
  isAffiliateCode: IsAffiliateCode,
): Promise<{ email: string }> {
  await countByNetwork(ctx, 'registrations')
  const { email, firstName, lastName, accountType, affiliateCode } = input
  const { locale = defaultRegion.locale, timezone = defaultRegion.timeZone } = input
  if (affiliateCode && !(await isAffiliateCode(ctx, affiliateCode)))
    throw new AppError('VALIDATION_FAILED', unknownCode, {
      details: [unknownCode],
      extra: { fields: { affiliateCode: unknownCode } },
    })
  const passwordHash = await hashPassword(input.password)
  const role: RoleName = accountType === 'AGENCY' ? 'AGENCY' : 'OWNER'
  const now = ctx.clock.now()
  await ctx.db.transaction(async tx => {
    const { rows } = await sql<{ id: number }>`
      with added as (
        insert into account (email, password_hash, first_name, last_name, account_type, affiliate_code, locale, timezone,
          created_at, updated_at)
        values (${email}, ${passwordHash}, ${firstName}, ${lastName}, ${accountType}, ${affiliateCode || null}, ${locale}, ${timezone},
          ${now}, ${now})
        on conflict ((lower(email))) do nothing
        returning id
      ), granted as (
        insert into account_role (account_id, role, granted_at) select id, ${role}, ${now} from added
      )
      select id from added`.execute(tx)
    const [added] = rows
    if (added && affiliateCode) await ctx.jobs.announce(tx, registeredByCode, { accountId: added.id, affiliateCode })
    await ctx.jobs.send(tx, accountMailJob, { kind: added ? 'VERIFY_EMAIL' : 'ADDRESS_TAKEN', email })
  })
  return { email }
}

/**
 * Registers a person who proved the address by the link of an invitation: verified, with a role that may only view. An
 * account of this address that was never verified is taken over, because the person who made it could not read its mail. Returns
 * the account's id; null if the address has a verified account. `passwordHash` is of `person.password`.
 */
export async function registerInvited(
  tx: Db,
  email: string,
  { person, passwordHash, now }: { person: InvitedPerson; passwordHash: string; now: Date },
): Promise<number | null> {
  const { firstName, lastName, locale = 'en-US', timezone = 'UTC' } = person
  const role: RoleName = 'VIEWER'
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into account (email, password_hash, first_name, last_name, account_type, locale, timezone, email_verified_at,
        created_at, updated_at)
      values (${email}, ${passwordHash}, ${firstName}, ${lastName}, 'SELLER', ${locale}, ${timezone}, ${now}, ${now}, ${now})
      on conflict ((lower(email))) do update set password_hash = excluded.password_hash, first_name = excluded.first_name,
        last_name = excluded.last_name, email_verified_at = excluded.email_verified_at, updated_at = excluded.updated_at
        where account.email_verified_at is null and account.status = 'ACTIVE'
      returning id
    ), granted as (
      insert into account_role (account_id, role, granted_at) select id, ${role}, ${now} from added
        where not exists (select from account_role r where r.account_id = added.id)
    )
    select id from added`.execute(tx)
  return rows[0]?.id ?? null
}

const unknownCode = 'This affiliate code does not exist. Check it, or leave the field empty'

/** Verifies the address that the link was sent to. Throws TOKEN_INVALID if it was used, replaced, has expired or is unknown. */
export async function verifyEmail(ctx: PublicCtx, token: string): Promise<{ email: string }> {
  const now = ctx.clock.now()
  return ctx.db.transaction(async tx => {
    const accountId = await takeToken(tx, 'VERIFY_EMAIL', token, now)
    const account = accountId === null ? undefined : await accountSecretsById(tx, accountId)
    if (!account) throw new AppError('TOKEN_INVALID', 'This link is no longer valid. Please request a new one.')
    await markVerified(tx, account.id, now)
    return { email: account.email }
  })
}
