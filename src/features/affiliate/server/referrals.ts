import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { accountEmails, type CodedRegistration, codedRegistrations } from '#features/auth/server/public.ts'
import type { PublicCtx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob } from '#server/jobs/define-job.ts'
import { codeFrom, isSameMailbox, normalizeCode, shortenedEmail } from '../rules.ts'

/** Whether an account has this code; small letters and blanks make no difference. */
export async function isAffiliateCode({ db }: Pick<PublicCtx, 'db'>, code: string): Promise<boolean> {
  return (await db.transaction(tx => affiliateOf(tx, code))) !== undefined
}

async function affiliateOf(tx: Db, code: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('affiliate')
    .select('account_id')
    .where('code', '=', normalizeCode(code))
    .executeTakeFirst()
  return row?.account_id
}

/** The code of an account, which it keeps for good; made when it is first asked for. */
export async function ownCode(tx: Db, accountId: number, now: Date): Promise<string> {
  const code = codeFrom(randomBytes(64))
  await tx
    .insertInto('affiliate')
    .values({ account_id: accountId, code, created_at: now })
    .onConflict(conflict => conflict.column('account_id').doNothing())
    .execute()
  const row = await tx
    .selectFrom('affiliate')
    .select('code')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.code
}

/**
 * Notes with whose code somebody registered, once. A second account of the same mailbox is no referral: nobody earns by their own
 * subscription.
 */
export const noteReferral = defineJob({
  name: 'note-referral',
  data: z.object({ accountId: z.number(), affiliateCode: z.string() }),
  run: (services, { accountId, affiliateCode }) =>
    addReferral(services, { accountId, affiliateCode, registeredAt: services.clock.now() }),
})

async function addReferral(
  { db, log }: Pick<Services, 'db' | 'log'>,
  { accountId, affiliateCode, registeredAt }: CodedRegistration,
): Promise<void> {
  await db.transaction(async tx => {
    const affiliateId = await affiliateOf(tx, affiliateCode)
    if (affiliateId === undefined || affiliateId === accountId) return
    const emails = await accountEmails(tx, [accountId, affiliateId])
    const [referred, affiliate] = [emails.get(accountId), emails.get(affiliateId)]
    if (referred === undefined || affiliate === undefined) return
    if (isSameMailbox(referred, affiliate))
      return log.info({ accountId, affiliateId }, 'an own affiliate code was not counted')
    await tx
      .insertInto('affiliate_referral')
      .values({
        referred_account_id: accountId,
        affiliate_account_id: affiliateId,
        label: shortenedEmail(referred),
        registered_at: registeredAt,
      })
      .onConflict(conflict => conflict.column('referred_account_id').doNothing())
      .execute()
  })
}

/** Notes the referrals since a moment whose job was lost; those that do not count are looked at again each time. */
export async function addMissedReferrals(services: Services, since: Date): Promise<void> {
  const coded = await codedRegistrations(services.db.system, since)
  const { rows } = await sql<{ id: number }>`select referred_account_id as id from affiliate_referral
    where referred_account_id = any(${coded.map(one => one.accountId)}::bigint[])`.execute(services.db.system)
  const noted = new Set(rows.map(({ id }) => id))
  for (const one of coded) if (!noted.has(one.accountId)) await addReferral(services, one)
}
