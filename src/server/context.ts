import type { z } from 'zod'
import type { Authority, MerchantRole } from '#shared/authority.ts'
import { AppError } from '#shared/errors.ts'
import type { Region } from '#shared/region-format.ts'
import type { Clock } from '#shared/time.ts'
import type { Config } from './config/config.ts'
import type { Vault } from './crypto/envelope.ts'
import type { Database } from './db/open-database.ts'
import type { Invalidations } from './db/invalidations.ts'
import type { Events } from './events/events.ts'
import type { Db } from './db/tables.ts'
import type { Log } from './log/log.ts'

export type { Authority } from '#shared/authority.ts'

/** The clients of outside services. main declares and opens them (module augmentation); features use them by name. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by augmentation
export interface Integrations {}

/** What every verb and job can use. */
export interface Services {
  config: Config
  db: Database
  clock: Clock
  log: Log
  jobs: Jobs
  events: Events
  invalidations: Invalidations
  vault: Vault
  integrations: Integrations
}

export interface JobRun {
  id: string
  /** 0 for the first attempt. */
  attempt: number
  /** True if no retry follows a failure. */
  lastAttempt: boolean
  /** Aborts when the process shuts down or the job expires. */
  signal: AbortSignal
  /** Aborts as soon as the process begins to shut down: what only waits for work may end now. */
  stopping?: AbortSignal
}

/** Work outside a request. A handler may run more than once, so it must be able to continue where it stopped. */
export interface JobDefinition<T = unknown> {
  /** The name of the queue: kebab-case, unique, never changed. */
  name: string
  data: z.ZodType<T>
  /**
   * `standard`: any number at the same time. `stately`: per key one queued and one active; further ones are dropped.
   * `singleton`: per key one active and any number queued.
   */
  policy?: 'standard' | 'stately' | 'singleton'
  /** Retries; 5 by default. They wait 1, 2, 4 … seconds with jitter, at most 5 minutes. */
  retryLimit?: number
  /** How many jobs of this kind one process runs at the same time; 1 by default. */
  concurrency?: number
  /** How many jobs of one group run at the same time in all processes; unlimited by default. A race may exceed it by one. */
  groupLimit?: number
  /** When to send the job with `scheduledData`: a cron expression in UTC. */
  cron?: string
  scheduledData?: T
  /** Also sends it when workers start, so that a new server does not wait for the schedule. */
  atStart?: boolean
  run(services: Services, data: T, job: JobRun): Promise<void>
  /** Called once after the last attempt has failed; at most a minute late if its process was killed. */
  onFinalFailure?(services: Services, data: T, error: Error): Promise<void>
}

/** Something that happened in one feature, announced in its transaction; main connects the jobs that react. */
export interface Signal<T = unknown> {
  /** For instance `launches.launch-finished`. */
  name: string
  data: z.ZodType<T>
}

export interface SendOptions {
  /** What the job's `policy` counts by. */
  key?: string
  /** What the job's `groupLimit` counts by. */
  group?: string
  startAfterSeconds?: number
}

export interface Jobs {
  /** Queues a job within the transaction: it exists only if that commits. Null if the policy dropped it. */
  send<T>(tx: Db, job: JobDefinition<T>, data: T, options?: SendOptions): Promise<string | null>
  /** Queues every job that reacts to the signal, within the transaction. */
  announce<T>(tx: Db, signal: Signal<T>, data: T): Promise<void>
  /** Starts the workers; every handler gets `services`. */
  work(services: Services): Promise<void>
  runScheduled(): Promise<void>
  /** Job counts by queue, for operators. */
  state(): Promise<{ name: string; queued: number; active: number; failed: number }[]>
  /** Jobs that failed for good, for operators. */
  deadLetters(): Promise<{ id: string; queue: string; data: unknown; failure: unknown; at: Date }[]>
  /** Queues dead letters again; returns how many. */
  redrive(ids?: string[]): Promise<number>
  /** Waits for running jobs, at most `graceMs`, and stops. An interrupted job runs again after the next start. */
  stop(graceMs?: number): Promise<void>
}

/**
 * The account for which a call acts: the caller's own, or the one that a campaign manager manages (`managedBy`): then its
 * merchants, access and authorities. Rights and merchants are read from the database for each request, never from the token.
 */
export interface Actor {
  accountId: number
  sessionId: string
  email: string
  authorities: readonly Authority[]
  /** The person who really calls, while managing this account. The session is that person's. */
  managedBy?: { accountId: number; email: string; firstName: string; lastName: string }
  /** The current merchant, null before one is chosen. */
  merchantId: number | null
  /** What the account is to the current merchant, null before one is chosen. */
  merchantRole: MerchantRole | null
  /** The marketplace it works in, null before one is chosen. */
  marketplaceId: number | null
  merchantIds: readonly number[]
  /** Whether a subscription gives access to the current merchant. */
  hasAccess: boolean
  /** Whether the account may connect merchants: with access, or before it had any subscription. */
  mayConnect: boolean
  /** Increases with every write to the current merchant's rows; absent if it was not read with the session. */
  dataVersion?: number
  /** How the person reads numbers and days; absent if it was not read with the session. */
  region?: Region
}

/** What the verb of a public endpoint gets. */
export interface PublicCtx extends Services {
  requestId: string
  ip: string
  /** The version of the row that the caller edits (If-Match), null if it sent none. */
  ifMatch: number | null
  idempotencyKey: string | null
  /** The merchant and marketplace that the call is meant for (X-Shop, `merchant/marketplace`), null if it did not say. */
  shop: string | null
  /** The calling program: its random id (X-Client), null if it sent none, and its user agent. */
  client: { id: string | null; userAgent: string }
}

/** What the verb of any other endpoint gets. */
export interface Ctx extends PublicCtx {
  actor: Actor
  /** For endpoints with an Idempotency-Key: saves the answer in the transaction of the work. Else does nothing. */
  saveAnswer: (tx: Db, answer: unknown) => Promise<void>
}

/** The current merchant's id. Throws RULE_VIOLATED if none is selected. */
export function requireMerchant(ctx: Ctx): number {
  if (ctx.actor.merchantId === null) throw new AppError('RULE_VIOLATED', 'Choose a merchant first.')
  return ctx.actor.merchantId
}
