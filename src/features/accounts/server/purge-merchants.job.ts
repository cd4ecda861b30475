import { z } from 'zod'
import { recordAudit } from '#server/audit/record-audit.ts'
import { purgeTenant } from '#server/db/purge-tenant.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { claimOf } from './sql/merchants.ts'

// What was done is kept for seven years, and that a seller had its trial for ever. The merchant itself goes last, for
// as long as it is there the job finds it again.
const kept = ['audit_entry', 'seller_claim', 'merchant']

/**
 * Every night: deletes all data of the merchants that were disconnected more than 30 days ago. From its first step on no
 * consent brings such a merchant back, so that none is ever found half empty.
 */
export const purgeMerchantsJob: JobDefinition<Record<string, never>> = defineJob({
  name: 'purge-merchants',
  data: z.object({}),
  policy: 'stately',
  cron: '17 4 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }, _data, job) => {
    for (const merchantId of await merchantsToPurge(db.system, clock.now())) {
      if (!(await db.transaction(tx => closeForGood(tx, merchantId, clock.now())))) continue
      const lost = await purgeTenant(db.system, merchantId, kept, job.signal)
      await db.transaction(async tx => {
        await recordAudit(tx, {
          merchantId,
          accountId: null,
          action: 'merchant.purge',
          entity: 'merchant',
          entityId: merchantId,
          after: lost,
        })
        await deleteMerchant(tx, merchantId)
      })
      log.info({ merchantId, lost }, 'the data of a disconnected merchant was deleted')
    }
  },
})

/** The merchants whose data need not be kept any longer, those that wait longest first. */
async function merchantsToPurge(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('merchant')
    .select('merchant_id')
    .where('disconnected_at', 'is not', null)
    .where('data_kept_until', '<=', now)
    .orderBy('data_kept_until')
    .execute()
  return rows.map(row => row.merchant_id)
}

/**
 * Ends every tie of a user to a disconnected merchant, so that no consent brings it back; consents for its seller wait
 * meanwhile. False when it was brought back before.
 */
async function closeForGood(tx: Db, merchantId: number, now: Date): Promise<boolean> {
  const merchant = await tx
    .selectFrom('merchant')
    .select(['region', 'selling_partner_id as sellingPartnerId'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst()
  if (!merchant) return false
  await claimOf(tx, merchant.region, merchant.sellingPartnerId)
  const { rows } = await sql`select 1 from merchant where merchant_id = ${merchantId}
    and disconnected_at is not null and data_kept_until <= ${now} for update`.execute(tx)
  if (!rows.length) return false
  await tx.deleteFrom('membership').where('merchant_id', '=', merchantId).execute()
  return true
}

/** Deletes a merchant whose data is gone. */
async function deleteMerchant(tx: Db, merchantId: number): Promise<void> {
  await tx.deleteFrom('merchant').where('merchant_id', '=', merchantId).execute()
}

export const accountsJobs = [purgeMerchantsJob] as unknown as JobDefinition<never>[]
