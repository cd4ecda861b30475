import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import type { ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { JobRun, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { insertCalls } from '../sql/calls.ts'
import { type CallLog, noteCall } from './call-log.ts'
import { wait } from './wait.ts'
import { renewLease } from '../sql/lease.ts'
import type { LaunchKey } from '../sql/launch-key.ts'
import { LeaseLost, UndoRequested } from './stops.ts'
import type { Timing } from './timing.ts'

/** A launch in our hands. */
export interface LaunchRun {
  services: Services
  key: LaunchKey
  profile: Profile
  ads: ProfileAds
  timing: Timing
  signal: AbortSignal
  /** True while taking back: an undo that was asked for no longer interrupts. */
  undoing: boolean
  token: string
  startedAt: Date
  accounts: readonly number[]
  /** The calls on their way into the journal. */
  calls: CallLog
  /** How far the launch is certainly ours, by `performance.now()`. */
  lease: { until: number }
  /** Looks in a row that left something unclear. */
  looks: number
}

interface Start {
  services: Services
  key: LaunchKey
  profile: Profile
  timing: Timing
  token: string
  lease: LaunchRun['lease']
  job: Pick<JobRun, 'signal'>
}

/** Says that we are alive; answers false, and nothing is ours any more, when another has taken the launch over. */
export const extendLease = async ({
  services,
  key,
  token,
  timing,
  lease,
}: Pick<LaunchRun, 'services' | 'key' | 'token' | 'timing' | 'lease'>): Promise<boolean> => {
  const began = performance.now()
  const held = await services.db.tenant(key.merchantId, tx => renewLease(tx, key, token, timing.leaseMs))
  lease.until = held ? Math.max(lease.until, began + timing.leaseMs) : 0
  return held !== null
}

/** Gathers what every step needs. */
export const openRun = async ({ services, key, profile, timing, token, lease, job }: Start): Promise<LaunchRun> => {
  const calls: CallLog = { step: null, waiting: [] }
  const { amazonAds } = services.integrations
  const forProfile: typeof amazonAds.forProfile = account =>
    amazonAds.forProfile({
      ...account,
      onCall: note => noteCall(calls, note, services.clock.now()),
      // A worker that stood still may have been taken for dead: the marketplace must hear of one alone.
      beforeWrite: async () => {
        while (performance.now() >= lease.until)
          if (!(await extendLease({ services, key, token, timing, lease }))) throw new LeaseLost()
      },
    })
  return {
    // The recommendations open the door by themselves, and their calls belong to the log as well.
    services: { ...services, integrations: { ...services.integrations, amazonAds: { ...amazonAds, forProfile } } },
    key,
    profile,
    timing,
    token,
    startedAt: services.clock.now(),
    signal: job.signal,
    undoing: false,
    accounts: await accountsOf(services.db.system, key.merchantId),
    calls,
    lease,
    looks: 0,
    ads: forProfile({
      connectionId: profile.connectionId,
      region: profile.region,
      profileId: profile.amazonProfileId,
    }),
  }
}

/** Writes down the calls made since the last time; they stay waiting when the transaction is lost. */
const keepCalls = async (tx: Db, { calls, key }: LaunchRun): Promise<() => void> => {
  const known = [...calls.waiting]
  await insertCalls(tx, key, known)
  return () => calls.waiting.splice(0, known.length)
}

/**
 * One transaction of the journal: only while the launch is ours, and told to the account's browsers. Throws LeaseLost,
 * UndoRequested, or the signal's reason once the process shuts down.
 */
export const inJournal = async <T>(run: LaunchRun, write: (tx: Db) => Promise<T>): Promise<T> => {
  const { services, key, lease, timing } = run
  run.signal.throwIfAborted()
  const began = performance.now()
  const { result, forget } = await services.db.tenant(key.merchantId, async tx => {
    const renewed = await renewLease(tx, key, run.token, timing.leaseMs)
    if (!renewed) throw new LeaseLost()
    if (renewed.undo === 'PENDING' && !run.undoing) throw new UndoRequested()
    const forget = await keepCalls(tx, run)
    const result = await write(tx)
    await services.events.publish(tx, run.accounts, 'launch', { launchId: key.launchId })
    return { result, forget }
  })
  forget()
  lease.until = Math.max(lease.until, began + timing.leaseMs)
  return result
}

/** Waits, ending early with the signal's reason when the process shuts down. */
export const pause = (run: LaunchRun, ms: number): Promise<void> => wait(ms, run.signal)
