import { recordAudit } from '#server/audit/record-audit.ts'
import { purgeTenant } from '#server/db/purge-tenant.ts'
import { defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { sql } from 'kysely'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { accountsOf, claimOf, disconnect } from './sql/merchants.ts'

// The audit is retained for seven years, and a seller's used trial forever. The merchant's row is deleted last, because the
// job finds the merchant by it again after a failure.
const retainedTables = ['audit_entry', 'seller_claim', 'merchant']

/** Every night, deletes merchants disconnected 30 days ago; the first step ends restoring, so nobody sees half of one. */
export const purgeMerchantsJob: JobDefinition<Record<string, never>> = defineScheduledJob({
  name: 'purge-merchants',
  policy: 'stately',
  cron: '17 4 * * *',
  run: async ({ db, clock, log }, _data, job) => {
    const due = await db.system
      .selectFrom('merchant')
      .select('merchant_id as merchantId')
      .where('disconnected_at', 'is not', null)
      .where('data_kept_until', '<=', clock.now())
      .orderBy('data_kept_until')
      .execute()
    for (const { merchantId } of due) {
      const deletedRows = await purgeMerchant({ db, clock }, merchantId, job.signal)
      if (deletedRows) log.info({ merchantId, deletedRows }, 'the data of a disconnected merchant was deleted')
    }
  },
})

/** Deletes a merchant whose time is over; null if its owner has brought it back. If interrupted, calling it again continues. */
async function purgeMerchant(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  merchantId: number,
  signal: AbortSignal,
): Promise<Record<string, number> | null> {
  if (!(await db.transaction(tx => closeForGood(tx, merchantId, clock.now())))) return null
  const deletedRows = await purgeTenant(db.system, merchantId, retainedTables, signal)
  await db.transaction(async tx => {
    await recordAudit(tx, {
      merchantId,
      accountId: null,
      action: 'merchant.purge',
      entity: 'merchant',
      entityId: merchantId,
      after: deletedRows,
    })
    await tx.deleteFrom('merchant').where('merchant_id', '=', merchantId).execute()
  })
  return deletedRows
}

/**
 * Deletes a merchant with its tokens and all its data at once, without the days in which a disconnected one could come back. If
 * it is interrupted, calling it again continues.
 */
export async function eraseMerchant(
  services: Pick<Services, 'db' | 'clock' | 'events'>,
  merchantId: number,
  signal: AbortSignal,
): Promise<void> {
  const now = services.clock.now()
  const members = await services.db.transaction(async tx => {
    const members = await accountsOf(tx, merchantId)
    await disconnect(tx, merchantId, { disconnectedAt: now, dataKeptUntil: now })
    return members
  })
  await purgeMerchant(services, merchantId, signal)
  await services.db.transaction(tx => services.events.publish(tx, members, 'connections', { merchantId }))
}

/** Ends the memberships, so that no consent can restore it; consents for its seller wait. False if one already did. */
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

export const accountsJobs = [purgeMerchantsJob] as unknown as JobDefinition<never>[]
