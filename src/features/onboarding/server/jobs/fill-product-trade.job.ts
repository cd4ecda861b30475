import { z } from 'zod'
import { addDays, dayIn } from '#shared/time.ts'
import { accountsOf, profilesOf } from '#features/accounts/server/public.ts'
import { hasTrade, importProductTrade, missingTradeDay, TradeNotMade } from '#features/metrics/server/public.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { isLockedOut, isNotTold, isWaiting } from '../refusals.ts'
import type { Owner } from '../seeding-jobs.ts'
import { DAYS_BACK } from '../seeding-steps.ts'

// The report tells products only by its whole range, so each day is a report of its own, of which the marketplace
// makes fifteen at once and then one a minute.
const NEXT_AFTER_SECONDS = 65
const STALE_MS = 20 * 3_600_000

/**
 * Reads what each product sold, day by day, newest first, until all days are there; when the marketplace asks for patience
 * it comes back a minute later. The running day is read like the others: total sales count it, too. Read again is what may
 * still change. Accounts without a seller account have none.
 */
export const fillProductTrade: JobDefinition<Owner> = defineJob({
  name: 'fill-product-trade',
  data: z.object({ merchantId: z.number(), profileId: z.number() }),
  policy: 'stately',
  // Waiting for one seller's quota must not keep the others waiting.
  concurrency: 3,
  run: async (services, owner, { signal }) => {
    const { db, jobs, clock, events } = services
    const { merchantId, profileId } = owner
    const profiles = await db.tenant(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(p => p.profileId === profileId)
    if (!profile || !hasTrade(profile)) return
    const today = dayIn(clock.now(), profile.timezone)
    const range = { from: addDays(today, -DAYS_BACK), to: today }
    const staleBefore = new Date(clock.now().getTime() - STALE_MS)
    const next = (to: string) =>
      db.tenant(merchantId, tx => missingTradeDay(tx, profile, { ...range, to, staleBefore }))
    let notMade: TradeNotMade | undefined
    try {
      for (let day = await next(range.to); day !== null; day = await next(addDays(day, -1)))
        try {
          await importProductTrade(services, profile, day, signal)
        } catch (error) {
          // That day is tried again with the job; the older ones must not wait for it.
          if (!(error instanceof TradeNotMade)) throw error
          notMade ??= error
        }
      await db.transaction(async tx => events.publish(tx, await accountsOf(tx, merchantId), 'figures', { profileId }))
      if (notMade) throw notMade
    } catch (error) {
      if (isLockedOut(error) || isNotTold(error)) return
      if (!isWaiting(error)) throw error
      const options = { key: `${profileId}`, startAfterSeconds: NEXT_AFTER_SECONDS }
      await db.transaction(tx => jobs.send(tx, fillProductTrade, owner, options))
    }
  },
})
