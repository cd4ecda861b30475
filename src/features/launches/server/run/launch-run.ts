import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import type { ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { JobRun, Services } from '#server/context.ts'
import type { Lease } from '#server/db/lease.ts'
import type { Db } from '#server/db/tables.ts'
import { insertCalls } from '../sql/calls.ts'
import { isUndoRequested } from '../sql/launches.ts'
import { type CallLog, noteCall } from './call-log.ts'
import { wait, UndoRequested } from './stops.ts'
import type { LaunchKey } from '../sql/launch-key.ts'

/** How patient a launch is. */
export interface Timing {
  /** How long after an unclear call the marketplace's lists may still miss what it made. */
  quietMs: number
  /** The first pause between two looks; each is twice the last, up to ten times the first. */
  pollMs: number
  /** A holder not heard of for so long has lost the launch. */
  leaseMs: number
  /** Attempts to send one item in one run. */
  maxSends: number
}

/**
 * A campaign may be missing from lists for up to two minutes; one that was made is usually there at the first look, and
 * only of one that is not need so much time pass before it is made again.
 */
export const usualTiming: Timing = { quietMs: 120_000, pollMs: 1_000, leaseMs: 6_000, maxSends: 3 }

/** A launch in our hands. */
export interface LaunchRun {
  services: Services
  key: LaunchKey
  profile: Profile
  ads: ProfileAds
  timing: Timing
  signal: AbortSignal
  /** True during an undo: the request for it must not interrupt the run again. */
  undoing: boolean
  startedAt: Date
  accounts: readonly number[]
  /** The calls on their way into the journal. */
  calls: CallLog
  lease: Lease
  /** Looks in a row that left something unclear. */
  looks: number
}

interface Start {
  services: Services
  key: LaunchKey
  profile: Profile
  timing: Timing
  lease: Lease
  job: Pick<JobRun, 'signal'>
}

/** Gathers what every step needs. */
export const openRun = async ({ services, key, profile, timing, lease, job }: Start): Promise<LaunchRun> => {
  const calls: CallLog = { step: null, waiting: [] }
  const { amazonAds } = services.integrations
  const forProfile: typeof amazonAds.forProfile = account =>
    amazonAds.forProfile({
      ...account,
      onCall: note => noteCall(calls, note, services.clock.now()),
      // Another worker may have taken over while this one stood still, and only one may write to the marketplace.
      beforeWrite: () => lease.ensure(),
    })
  return {
    // The recommendations open the door by themselves, and their calls belong to the log as well.
    services: { ...services, integrations: { ...services.integrations, amazonAds: { ...amazonAds, forProfile } } },
    key,
    profile,
    timing,
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
async function keepCalls(tx: Db, { calls, key }: LaunchRun): Promise<() => void> {
  const written = [...calls.waiting]
  await insertCalls(tx, key, written)
  return () => calls.waiting.splice(0, written.length)
}

/**
 * One transaction of the journal, under the launch's lease; the account's browsers learn of it. Throws LeaseLost,
 * UndoRequested, or the signal's reason once the process shuts down.
 */
export async function inJournal<T>(run: LaunchRun, write: (tx: Db) => Promise<T>): Promise<T> {
  const { services, key } = run
  run.signal.throwIfAborted()
  const { result, forget } = await run.lease.write(async tx => {
    if (!run.undoing && (await isUndoRequested(tx, key))) throw new UndoRequested()
    const forget = await keepCalls(tx, run)
    const result = await write(tx)
    await services.events.publish(tx, run.accounts, 'launch', { launchId: key.launchId })
    return { result, forget }
  })
  forget()
  return result
}

/** Waits, ending early with the signal's reason when the process shuts down. */
export const pause = (run: LaunchRun, ms: number): Promise<void> => wait(ms, run.signal)
