import { sql } from 'kysely'
import { z } from 'zod'
import { profilesOf } from '#features/accounts/server/public.ts'
import { hoursReceived } from '#features/metrics/server/public.ts'
import {
  campaignsByIds,
  dueSynchronizations,
  inGroups,
  structureSynchronized,
} from '#features/structure/server/public.ts'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import { forEachAtOnce } from '#server/db/for-each.ts'
import { defineJob, defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { AppError } from '#shared/errors.ts'
import { openCauses, announceSeeded, testConnections, testTrials } from './account-alerts.ts'
import { settle } from './apply-alerts.ts'
import { announceChangesOutside } from './changed-outside.ts'
import { thresholds } from './rules/thresholds.ts'
import { testCampaigns } from './test-campaigns.ts'
import { watchAccount } from './watch-account.ts'

const owner = z.object({ merchantId: z.number(), profileId: z.number() })
type Owner = z.infer<typeof owner>

/** Tests the campaigns of which the stream has just brought something. */
export const testReceived = defineJob({
  name: 'test-received-campaigns',
  data: hoursReceived.data,
  concurrency: 2,
  run: (services, { accounts, sentAt }) => testCampaigns(services, accounts, new Date(sentAt)),
})

const campaignKinds = ['BUDGET_PACING', 'OUT_OF_BUDGET', 'SPEND_SPIKE', 'NO_SALES']
/** With more open alerts than this, each is tested every tenth minute, apart from those whose campaign changed. */
const FEW_OPEN = 300
const BATCH = 200

/**
 * Every minute: ends what is over by the clock, and tests again what is open, since a raised budget or a paused campaign
 * sends no message. Lost connections and ending trials too.
 */
export const sweepAlerts = defineScheduledJob({
  name: 'sweep-alerts',
  policy: 'stately',
  cron: '* * * * *',
  retryLimit: 0,
  run: async (services, _data, { signal }) => {
    await endDue(services)
    await testOpen(services, signal)
    await testConnections(services)
    await testTrials(services)
  },
})

async function endDue(services: Services): Promise<void> {
  const { rows } = await sql<{ merchantId: number; cause: string }>`select merchant_id as "merchantId", cause from alert
    where settled_at is null and ends_at <= ${services.clock.now()} limit 5000`.execute(services.db.system)
  for (const [merchantId, own] of Map.groupBy(rows, row => row.merchantId))
    await services.db.transaction(async tx => {
      for (const { cause } of own) await settle(services, tx, { merchantId, cause })
    })
}

async function testOpen(services: Services, signal: AbortSignal): Promise<void> {
  const now = services.clock.now()
  const all = (await openCauses(services, campaignKinds)).filter(
    one => one.campaignId !== null && one.profileId !== null,
  )
  const minute = Math.floor(now.getTime() / 60_000) % 10
  const changed =
    all.length > FEW_OPEN ? await changedCampaigns(services, all, new Date(now.getTime() - 180_000)) : null
  const due = all.filter(
    ({ campaignId }) => !changed || Number(campaignId) % 10 === minute || changed.has(Number(campaignId)),
  )
  for (let at = 0; at < due.length; at += BATCH) {
    signal.throwIfAborted()
    const accounts = [...Map.groupBy(due.slice(at, at + BATCH), one => one.profileId)].map(([profileId, own]) => ({
      merchantId: own[0]?.merchantId ?? 0,
      profileId: Number(profileId),
      campaignIds: [...new Set(own.map(one => Number(one.campaignId)))],
    }))
    await testCampaigns(services, accounts, now)
  }
}

async function changedCampaigns(
  { db }: Services,
  alerts: readonly { merchantId: number; campaignId: number | null }[],
  since: Date,
): Promise<Set<number>> {
  const campaigns = await campaignsByIds(
    db.system,
    alerts.map(({ merchantId, campaignId }) => ({ merchantId, campaignId: Number(campaignId) })),
  )
  return new Set(campaigns.filter(({ updatedAt }) => updatedAt >= since).map(({ campaignId }) => campaignId))
}

/** Asks what stops the ads of some accounts. Those that do not let us in are raised of by their connection. */
export const watchSome: JobDefinition<{ accounts: Owner[] }> = defineJob<{ accounts: Owner[] }>({
  name: 'watch-some-accounts',
  data: z.object({ accounts: z.array(owner) }),
  policy: 'stately',
  concurrency: 2,
  // The next one is minutes away.
  retryLimit: 0,
  run: async (services, { accounts }, { signal }) => {
    const merchantIds = [...new Set(accounts.map(one => one.merchantId))]
    const profiles = await services.db.reading(merchantIds, tx => profilesOf(tx, merchantIds))
    const profileIds = new Set(accounts.map(one => one.profileId))
    const watched = profiles.filter(one => profileIds.has(one.profileId))
    await forEachAtOnce(services.db, watched, async profile => {
      signal.throwIfAborted()
      const { merchantId, profileId } = profile
      await watchAccount(services, profile).catch((error: unknown) => {
        const isUpstream = error instanceof UpstreamError || error instanceof AppError
        services.log[isUpstream ? 'warn' : 'error'](
          { err: error, merchantId, profileId },
          'what stops the ads of an account is not known',
        )
      })
    })
  },
})

/** Every ten minutes, of each account that was imported and may be seen. */
export const watchAccounts = defineScheduledJob({
  name: 'watch-accounts',
  policy: 'stately',
  cron: '*/10 * * * *',
  run: async ({ db, jobs, clock }) => {
    const accounts = await dueSynchronizations(db.system, new Date(clock.now().getTime() + 86_400_000))
    const covered = await coveredMerchants(db.system, [...new Set(accounts.map(one => one.merchantId))], clock.now())
    await db.transaction(async tx => {
      for (const { key, accounts: own } of inGroups(accounts.filter(({ merchantId }) => covered.has(merchantId))))
        await jobs.send(tx, watchSome, { accounts: own }, { key })
    })
  },
})

/** Reacts to a permission that was revoked. */
export const announceConnectionLost = defineJob<{ merchantId: number; connectionId: number }>({
  name: 'announce-connection-lost',
  data: z.object({ merchantId: z.number(), connectionId: z.number() }),
  run: services => testConnections(services),
})

/** Reacts to the end of an account's first import. */
export const announceSeedingFinished: JobDefinition<Owner> = defineJob<Owner>({
  name: 'announce-seeding-finished',
  data: owner,
  run: announceSeeded,
})

/** Reacts to a synchronization that found changes. */
export const announceSynchronized = defineJob({
  name: 'announce-changes-outside',
  data: structureSynchronized.data,
  run: async (services, { merchantId, profileId, since }) => {
    const profiles = await services.db.reading(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(one => one.profileId === profileId)
    if (profile) await announceChangesOutside(services, profile, new Date(since))
  },
})

const dismissal = z.object({
  merchantId: z.number(),
  cause: z.string(),
  /** Null where the dismissal was undone. */
  reason: z.string().nullable(),
  at: z.string(),
})
const DAY_MS = 86_400_000

/** Learns from a dismissal: what was expected, or wrong, must be clearly stronger to be raised again in the next two weeks. */
export const learnDismissal = defineJob<z.infer<typeof dismissal>>({
  name: 'learn-dismissal',
  data: dismissal,
  run: async ({ db }, { merchantId, cause, reason, at }) => {
    const { factor, days } = thresholds.learnt
    const until = new Date(new Date(at).getTime() + days * DAY_MS)
    if (reason === null)
      await sql`delete from alert_tolerance where merchant_id = ${merchantId} and cause = ${cause}`.execute(db.system)
    if (reason !== 'EXPECTED' && reason !== 'WRONG') return
    await sql`insert into alert_tolerance as t (merchant_id, cause, strength, until)
      select merchant_id, cause, strength * ${factor}::float8, ${until}::timestamptz from alert
      where merchant_id = ${merchantId} and cause = ${cause}
      on conflict (merchant_id, cause) do update set strength = greatest(t.strength, excluded.strength), until = excluded.until`.execute(
      db.system,
    )
  },
})

/** Every night: what was over long ago is of no use any more. */
const deleteOldAlerts = defineScheduledJob({
  name: 'delete-old-alerts',
  policy: 'stately',
  cron: '41 3 * * *',
  run: async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - 60 * DAY_MS)
    // What is raised once must not be raised again.
    await sql`delete from alert where settled_at < ${before} and kind <> 'SEEDING_FINISHED'`.execute(db.system)
    await sql`delete from alert_tolerance where until < ${clock.now()}`.execute(db.system)
  },
})

// Jobs with different data have no other common type.
export const alertJobs = [
  testReceived,
  sweepAlerts,
  watchAccounts,
  watchSome,
  announceConnectionLost,
  announceSeedingFinished,
  announceSynchronized,
  learnDismissal,
  deleteOldAlerts,
] as unknown as JobDefinition<never>[]
