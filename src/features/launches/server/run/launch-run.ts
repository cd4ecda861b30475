import { accountsOf, type Profile } from '#features/accounts/server/public.ts'
import type { ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { Lease } from '#server/db/lease.ts'
import type { Db } from '#server/db/tables.ts'
import { type LaunchKey, ofLaunch } from '../sql/launches.ts'
import { type CallLog, noteCall } from './call-log.ts'
import { UndoRequested } from './stops.ts'

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

interface Start {
  services: Services
  key: LaunchKey
  profile: Profile
  timing: Timing
  lease: Lease
  signal: AbortSignal
}

/** A launch in our hands. */
export interface LaunchRun extends Start {
  ads: ProfileAds
  /** True during an undo: the request for it must not interrupt the run again. */
  undoing: boolean
  startedAt: Date
  accounts: readonly number[]
  /** The calls on their way into the journal. */
  calls: CallLog
  /** Looks in a row that left something unclear. */
  looks: number
}

/** Gathers what every step needs. */
export async function openRun({ services, ...start }: Start): Promise<LaunchRun> {
  const { key, profile, lease } = start
  const calls: CallLog = { step: null, waiting: [] }
  const { amazonAds } = services.integrations
  const forProfile: typeof amazonAds.forProfile = account =>
    amazonAds.forProfile({
      ...account,
      onCall: note => noteCall(calls, note, services.clock.now()),
      // Another worker may have taken over while this one stood still, and only one may write to the marketplace.
      beforeWrite: () => lease.ensure(),
    })
  const { connectionId, region, amazonProfileId } = profile
  return {
    ...start,
    // The recommendations open the door by themselves, and their calls belong to the log as well.
    services: { ...services, integrations: { ...services.integrations, amazonAds: { ...amazonAds, forProfile } } },
    startedAt: services.clock.now(),
    undoing: false,
    accounts: await accountsOf(services.db.system, key.merchantId),
    calls,
    looks: 0,
    ads: forProfile({ connectionId, region, profileId: amazonProfileId }),
  }
}

/**
 * One transaction of the journal, under the launch's lease; it takes the calls made since the last one along, and the account's
 * browsers learn of it. Throws LeaseLost, UndoRequested, or the signal's reason once the process shuts down.
 */
export async function inJournal<T>(run: LaunchRun, write: (tx: Db) => Promise<T>): Promise<T> {
  const { services, key, calls } = run
  run.signal.throwIfAborted()
  const made = calls.waiting.map(call => ({ ...ofLaunch(key), ...call }))
  const result = await run.lease.write(async tx => {
    const requested = tx.selectFrom('launch').select('id').where('undo', '=', 'PENDING')
    const launch = requested.where('merchant_id', '=', key.merchantId).where('id', '=', key.launchId)
    if (!run.undoing && (await launch.executeTakeFirst())) throw new UndoRequested()
    if (made.length) await tx.insertInto('launch_call').values(made).execute()
    const result = await write(tx)
    await services.events.publish(tx, run.accounts, 'launch', { launchId: key.launchId })
    return result
  })
  calls.waiting.splice(0, made.length)
  return result
}
