import { z } from 'zod'
import { recordAudit } from '#server/audit/record-audit.ts'
import { purgeTenant } from '#server/db/purge-tenant.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { closeForGood, deleteMerchant, merchantsToPurge } from '../sql/purge.ts'

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
