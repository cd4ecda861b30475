import { accountsOf, adsOf, type Profile } from '#features/accounts/server/public.ts'
import type { ProfileAds, AdsCallNote } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { Lease } from '#server/db/lease.ts'
import type { Db, Tables } from '#server/db/tables.ts'
import { type LaunchKey, ofLaunch } from '../sql/launches.ts'
import { UndoRequested } from './stops.ts'
import type { Insertable } from 'kysely'
import {
  AmbiguousOutcome,
  type UpstreamError,
  UpstreamThrottled,
  UpstreamUnavailable,
} from '#server/http-client/upstream-errors.ts'
import type { CallOutcome, CallStep } from '../../contract.ts'

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
  // The recommendations open the door by themselves, and their calls belong to the log as well.
  const integrations = { ...services.integrations, amazonAds: { ...amazonAds, forProfile } }
  return {
    ...start,
    services: { ...services, integrations },
    startedAt: services.clock.now(),
    undoing: false,
    accounts: await accountsOf(services.db.system, key.merchantId),
    calls,
    looks: 0,
    ads: adsOf(integrations, profile),
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

const secret = /token|secret|password|authorization|credential|email/i
/** The most characters that are stored of one body. */
const MAX_TEXT = 50_000
const listLengths = [1000, 200, 50, 10, 2]

function shortened(value: unknown, most: number): unknown {
  if (Array.isArray(value)) {
    const first = value.slice(0, most).map(one => shortened(one, most))
    return value.length > most ? [...first, `... and ${value.length - most} more`] : first
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, secret.test(name) ? '[left out]' : shortened(one, most)]),
  )
}

/**
 * A body as a log keeps it: JSON without what names itself a secret, its lists cut as far as its length asks for; null
 * for nothing.
 */
export function asLogText(body: unknown): string | null {
  if (body === null || body === undefined) return null
  for (const most of listLengths) {
    const text = JSON.stringify(shortened(body, most))
    if (text.length <= MAX_TEXT) return text
  }
  return JSON.stringify(shortened(body, 1)).slice(0, MAX_TEXT)
}

/** The calls of a run that the journal does not have yet, and the step that makes them. */
interface CallLog {
  step: CallStep | null
  waiting: Omit<Insertable<Tables['launch_call']>, 'merchant_id' | 'launch_id'>[]
}

function outcomeOf(failure: UpstreamError | null): CallOutcome {
  if (!failure) return 'ANSWERED'
  if (failure instanceof AmbiguousOutcome) return 'UNKNOWN'
  return failure instanceof UpstreamThrottled || failure instanceof UpstreamUnavailable ? 'UNREACHED' : 'REFUSED'
}

/** Notes a call at its end. */
function noteCall(log: CallLog, { failure, sent, received, tookMs, ...call }: AdsCallNote, end: Date): void {
  log.waiting.push({
    ...call,
    step: log.step,
    at: new Date(end.getTime() - tookMs),
    took_ms: tookMs,
    outcome: outcomeOf(failure),
    status: failure?.status ?? null,
    request_id: failure?.requestId ?? null,
    message: failure?.message ?? null,
    sent: asLogText(sent),
    received: asLogText(received),
  })
}
