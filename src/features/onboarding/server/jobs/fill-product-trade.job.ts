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
// Most of the time of a report is spent waiting for it.
const AT_ONCE = 5
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
    const profiles = await db.reading(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(p => p.profileId === profileId)
    if (!profile || !hasTrade(profile)) return
    const today = dayIn(clock.now(), profile.timezone)
    const range = { from: addDays(today, -DAYS_BACK), to: today }
    const staleBefore = new Date(clock.now().getTime() - STALE_MS)
    const next = (last: string) =>
      db.tenant(merchantId, async tx => {
        const days: string[] = []
        for (let to = last; days.length < AT_ONCE; to = addDays(days.at(-1) ?? to, -1)) {
          const day = await missingTradeDay(tx, profile, { ...range, to, staleBefore })
          if (day === null) break
          days.push(day)
        }
        return days
      })
    let notMade: TradeNotMade | undefined
    try {
      for (let days = await next(range.to); days.length; days = await next(addDays(days.at(-1) ?? range.from, -1))) {
        const ends = await Promise.allSettled(days.map(day => importProductTrade(services, profile, day, signal)))
        for (const end of ends) {
          if (end.status === 'fulfilled') continue
          // That day is tried again with the job; the older ones must not wait for it.
          if (!(end.reason instanceof TradeNotMade)) throw end.reason
          notMade ??= end.reason
        }
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
