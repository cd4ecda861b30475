import { sql } from 'kysely'
import { z } from 'zod'
import { accountsOf, profilesOf } from '#features/accounts/server/public.ts'
import { importCatalogue } from '#features/catalogue/server/public.ts'
import { subscribeHours } from '#features/metrics/server/public.ts'
import { runAccountGroups } from '#features/optimizer/server/public.ts'
import { dueSynchronizations, inGroups, synchronizeAccounts } from '#features/structure/server/public.ts'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import { vacuumChanged } from '#server/db/keep-statistics.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { isLockedOut, isWaiting, WAIT_SECONDS } from '../refusals.ts'
import type { Owner } from '../seeding-jobs.ts'
import { importCampaigns, importFigures, type Step } from '../seeding-steps.ts'
import { fillProductTrade } from './fill-product-trade.job.ts'
import { reconcileFigures } from './reconcile-figures.job.ts'

const refresh = z.object({ merchantId: z.number(), profileId: z.number(), scope: z.enum(['WHOLE', 'RECENT']) })
type Refresh = z.infer<typeof refresh>

// A conversion is attributed within 14 days and may be corrected for 28 more.
const DAYS_THAT_MOVE = 42
const RECENT_DAYS = 3

/**
 * Refreshes an account's data: the last days or, with WHOLE, everything that may still change, including structure and
 * products. If the marketplace needs more time, the job ends and runs again in a minute. Accounts that are no longer connected
 * or do not let us in stay unchanged.
 */
export const refreshProfile: JobDefinition<Refresh> = defineJob({
  name: 'refresh-profile',
  data: refresh,
  policy: 'stately',
  concurrency: 2,
  run: async (services, { merchantId, profileId, scope }, { signal }) => {
    const { db, jobs, clock, log, events } = services
    const profiles = await db.reading(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(p => p.profileId === profileId)
    if (!profile) return
    const step: Step = { services, profile, signal, onProgress: async () => undefined }
    try {
      if (scope === 'WHOLE') {
        await importCampaigns(step)
        await importCatalogue(services, profile, step)
        // Datasets that came later than the account.
        await subscribeHours(services, profile)
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
      if (scope === 'WHOLE') await jobs.send(tx, reconcileFigures, owner, { key: `${profileId}` })
    })
    await runAccountGroups(services, owner)
    if (scope === 'WHOLE') await refreshStatistics(services)
  },
})

/** Records a refresh of an account; a whole refresh includes the last days. */
export async function noteRefresh(tx: Db, owner: Owner, scope: Refresh['scope'], at: Date): Promise<void> {
  await sql`insert into refresh_state (merchant_id, profile_id, whole_at, recent_at)
    values (${owner.merchantId}, ${owner.profileId}, ${at}, ${at})
    on conflict (merchant_id, profile_id) do update set recent_at = excluded.recent_at,
      whole_at = case when ${scope} = 'WHOLE' then excluded.whole_at else refresh_state.whole_at end`.execute(tx)
}

/** The embedded engine never vacuums by itself, and an import adds and deletes many rows. */
export async function refreshStatistics({ db }: Services): Promise<void> {
  if (db.kind === 'embedded') await vacuumChanged(db.system)
}

const HOUR_MS = 3_600_000

/**
 * Regularly queues a refresh for each account with old data, even if the product was off for a while. Accounts of merchants
 * without a subscription are skipped, because nobody can see their data. They are refreshed once a plan is chosen.
 */
export const keepFresh: JobDefinition<Record<string, never>> = defineJob({
  name: 'keep-fresh',
  data: z.object({}),
  policy: 'stately',
  cron: '*/10 * * * *',
  scheduledData: {},
  run: async ({ db, jobs, clock }) => {
    const due = await dueRefreshes(db.system, clock.now().getTime())
    const covered = await coveredMerchants(db.system, [...new Set(due.map(one => one.merchantId))], clock.now())
    await db.transaction(async tx => {
      for (const one of due.filter(({ merchantId }) => covered.has(merchantId)))
        await jobs.send(tx, refreshProfile, one, { key: `${one.profileId}` })
    })
  },
})

const SYNCHRONIZE_MS = 5 * 60_000

/**
 * Every five minutes: what was changed at the marketplace itself is read, of every account that was imported before. Those
 * whose screens are open ask for it themselves.
 */
export const keepSynchronized: JobDefinition<Record<string, never>> = defineScheduledJob({
  name: 'keep-synchronized',
  policy: 'stately',
  cron: '*/5 * * * *',
  run: async ({ db, jobs, clock }) => {
    // Somewhat less than the schedule's own step, so that no account waits for two of them.
    const before = new Date(clock.now().getTime() - SYNCHRONIZE_MS * 0.8)
    const due = await dueSynchronizations(db.system, before)
    const covered = await coveredMerchants(db.system, [...new Set(due.map(one => one.merchantId))], clock.now())
    await db.transaction(async tx => {
      for (const { key, accounts } of inGroups(due.filter(({ merchantId }) => covered.has(merchantId))))
        await jobs.send(tx, synchronizeAccounts, { accounts, before: before.toISOString() }, { key })
    })
  },
})

/**
 * The accounts of all merchants whose data is too old, and what to refresh; only accounts that were imported before. Reads as
 * the owner of the tables.
 */
async function dueRefreshes(db: Db, nowMs: number): Promise<Refresh[]> {
  // The marketplace recommends one or two imports a day of each kind. Days that may still change are imported once a day.
  const wholeBefore = new Date(nowMs - 24 * HOUR_MS)
  const recentBefore = new Date(nowMs - 8 * HOUR_MS)
  const { rows } = await sql<Refresh>`
    select merchant_id as "merchantId", profile_id as "profileId",
      case when whole_at < ${wholeBefore} then 'WHOLE' else 'RECENT' end as scope
    from refresh_state where whole_at < ${wholeBefore} or recent_at < ${recentBefore}
    order by merchant_id, profile_id`.execute(db)
  return rows
}
