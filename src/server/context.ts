import type { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { Clock } from '#shared/time.ts'
import type { Config } from './config/config.ts'
import type { Vault } from './crypto/envelope.ts'
import type { Database } from './db/open-database.ts'
import type { Events } from './events/events.ts'
import type { Db } from './db/tables.ts'
import type { Log } from './log/log.ts'

export type Authority = 'ACCOUNT_MANAGER' | 'AGENCY' | 'CAMPAIGN_MANAGER' | 'ADMIN'

/** The doors to the outside; main declares and opens them (module augmentation), features use them by name. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by augmentation
export interface Integrations {}

/** What every verb and job may use. */
export interface Services {
  config: Config
  db: Database
  clock: Clock
  log: Log
  jobs: Jobs
  events: Events
  vault: Vault
  integrations: Integrations
}

export interface JobRun {
  id: string
  /** 0 at the first try. */
  attempt: number
  /** True when a failure now is the last one. */
  lastAttempt: boolean
  /** Ends when the process shuts down or the job expired. */
  signal: AbortSignal
}

/**
 * Work that is done apart from a request. A handler may run more than once (a killed process's job is picked up
 * again), so each must be able to go on where it was.
 */
export interface JobDefinition<T = unknown> {
  /** kebab-case, unique, stable: it names the queue. */
  name: string
  data: z.ZodType<T>
  /**
   * `standard`: any number at once. `stately`: per key one waiting and one active, so that asking twice is asking once.
   * `singleton`: per key one active, any number waiting.
   */
  policy?: 'standard' | 'stately' | 'singleton'
  /** Tries after the first; 5 when absent. They wait 1, 2, 4 … seconds with jitter, at most 5 minutes. */
  retryLimit?: number
  /** Jobs of this kind at once in one process; 1 when absent. */
  concurrency?: number
  /** Jobs of one group at once, over all processes; any number when absent. Workers that ask at the same moment may exceed it by one. */
  groupLimit?: number
  /** Sent by the clock, in UTC (minute-granular cron), with `scheduledData`. */
  cron?: string
  scheduledData?: T
  /** Sent once more with `scheduledData` when workers start, so that a fresh server does not wait for the schedule. */
  atStart?: boolean
  run(services: Services, data: T, job: JobRun): Promise<void>
  /**
   * Told when the last try has failed, or was cut off with its process: then at most a minute after the queue noticed. Once,
   * unless the telling itself is cut off.
   */
  onFinalFailure?(services: Services, data: T, error: Error): Promise<void>
}

/**
 * Something that happened in one feature and that others may want to know, without the first knowing them. It is
 * announced in the transaction in which it happened; main connects the jobs that react.
 */
export interface Signal<T = unknown> {
  /** feature.what-happened */
  name: string
  data: z.ZodType<T>
}

export interface SendOptions {
  /** One at a time per key, by the job's policy. */
  key?: string
  /** What the job's `groupLimit` counts by. */
  group?: string
  startAfterSeconds?: number
}

export interface QueueCounts {
  name: string
  queued: number
  active: number
  failed: number
}

export interface Jobs {
  /** Enqueues within the transaction: the job exists if, and only if, it commits. Null when the policy had one already. */
  send<T>(tx: Db, job: JobDefinition<T>, data: T, options?: SendOptions): Promise<string | null>
  /** Enqueues every job that listens to the signal, within the transaction. */
  announce<T>(tx: Db, signal: Signal<T>, data: T): Promise<void>
  /** Starts working; `services` is handed to every handler. */
  work(services: Services): Promise<void>
  /** Sends every scheduled job once, now; one that waits already is not sent again. */
  runScheduled(): Promise<void>
  /** Counts by queue, and the dead letters, for an operator. */
  state(): Promise<QueueCounts[]>
  deadLetters(): Promise<{ id: string; queue: string; data: unknown; failure: unknown; at: Date }[]>
  /** Puts dead letters back into their queues; returns how many. */
  redrive(ids?: string[]): Promise<number>
  /** Waits (at most `graceMs`) for what runs and stops; a job cut off is picked up again at the next start. */
  stop(graceMs?: number): Promise<void>
}

/** Who calls. Rights and merchants are read from the database at each request, never from the token. */
export interface Actor {
  accountId: number
  sessionId: string
  email: string
  authorities: readonly Authority[]
  /** The current merchant, null before one is chosen. */
  merchantId: number | null
  /** The marketplace it works in, null before one is chosen. */
  marketplaceId: number | null
  /** Every merchant the account belongs to. */
  merchantIds: readonly number[]
  /** Whether a subscription gives access to the current merchant. */
  hasAccess: boolean
  /** Whether the account may connect merchants: with access, or before it had any subscription. */
  mayConnect: boolean
  /** Rises with every write of the current merchant's rows; absent where it was not read with the session. */
  dataVersion?: number
}

/** What a verb without log-in gets. */
export interface PublicCtx extends Services {
  requestId: string
  ip: string
  /** The version of the row that the caller edits (If-Match), null when it sent none. */
  ifMatch: number | null
  idempotencyKey: string | null
  /** What the caller means to work with (X-Shop, `merchant/marketplace`), null when it did not say. */
  shop: string | null
  /** What the program that calls says of itself: its own random name (X-Client), null when it sent none, and its kind. */
  client: { id: string | null; userAgent: string }
}

/** What a verb gets. */
export interface Ctx extends PublicCtx {
  actor: Actor
  /**
   * For endpoints with an Idempotency-Key: saves the answer in the transaction that does the work, so that the same call
   * again gets it even if this process dies right after the commit. Elsewhere it does nothing.
   */
  saveAnswer(tx: Db, answer: unknown): Promise<void>
}

/** The current merchant's id. Throws RULE_VIOLATED when none is chosen. */
export function requireMerchant(ctx: Ctx): number {
  if (ctx.actor.merchantId === null) throw new AppError('RULE_VIOLATED', 'Choose a merchant first.')
  return ctx.actor.merchantId
}

/** Throws FORBIDDEN unless the actor has the authority. */
export function requireAuthority(ctx: Ctx, authority: Authority): void {
  if (!ctx.actor.authorities.includes(authority)) throw new AppError('FORBIDDEN', 'You may not do that.')
}
