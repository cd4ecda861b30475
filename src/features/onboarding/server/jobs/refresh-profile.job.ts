import { z } from 'zod'
import { accountsOf, profilesOf } from '#features/accounts/server/public.ts'
import { importCatalogue } from '#features/catalogue/server/public.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { fillProductTrade } from './fill-product-trade.job.ts'
import { isLockedOut, isWaiting, WAIT_SECONDS } from '../refusals.ts'
import { refreshStatistics } from '../refresh-statistics.ts'
import { importCampaigns, importFigures, type Step } from '../seeding-steps.ts'
import { noteRefresh, type RefreshScope } from '../sql/refresh-state.ts'
import type { Owner } from '../sql/seeding-jobs.ts'

// A conversion is attributed within 14 days and may be corrected for 28 more.
const DAYS_THAT_MOVE = 42
const RECENT_DAYS = 3

/**
 * Refreshes an account's data: the last days or, with WHOLE, everything that may still change, including structure and
 * products. If the marketplace needs more time, the job ends and runs again in a minute. Accounts that are no longer connected
 * or do not let us in stay unchanged.
 */
export const refreshProfile: JobDefinition<Owner & { scope: RefreshScope }> = defineJob({
  name: 'refresh-profile',
  data: z.object({ merchantId: z.number(), profileId: z.number(), scope: z.enum(['WHOLE', 'RECENT']) }),
  policy: 'stately',
  concurrency: 2,
  run: async (services, { merchantId, profileId, scope }, { signal }) => {
    const { db, jobs, clock, log, events } = services
    const profiles = await db.tenant(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(p => p.profileId === profileId)
    if (!profile) return
    const step: Step = { services, profile, signal, onProgress: async () => undefined }
    try {
      if (scope === 'WHOLE') {
        await importCampaigns(step)
        await importCatalogue(services, profile, step)
      }
      await importFigures(step, scope === 'WHOLE' ? DAYS_THAT_MOVE : RECENT_DAYS)
    } catch (error) {
      if (isWaiting(error)) {
        const options = { key: `${profileId}`, startAfterSeconds: WAIT_SECONDS }
        await db.transaction(tx => jobs.send(tx, refreshProfile, { merchantId, profileId, scope }, options))
        return
      }
      if (!isLockedOut(error)) throw error
      log.warn({ err: error, merchantId, profileId }, 'an account does not let us in; its data stays as it is')
      return
    }
    const owner = { merchantId, profileId }
    await db.transaction(async tx => {
      await noteRefresh(tx, owner, scope, clock.now())
      await events.publish(tx, await accountsOf(tx, merchantId), 'figures', { profileId })
      await jobs.send(tx, fillProductTrade, owner, { key: `${profileId}` })
    })
    if (scope === 'WHOLE') await refreshStatistics(services)
  },
})
