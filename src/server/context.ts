import { AppError } from '#shared/errors.ts'
import type { Clock } from '#shared/time.ts'
import type { Config } from './config/config.ts'
import type { Vault } from './crypto/envelope.ts'
import type { Database } from './db/open-database.ts'
import type { Events } from './events/events.ts'
import type { Jobs } from './jobs/jobs.ts'
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

/** Who calls. Rights and merchants are read from the database at each request, never from the token. */
export interface Actor {
  accountId: number
  sessionId: string
  email: string
  authorities: readonly Authority[]
  /** The current merchant, null before one is chosen. */
  merchantId: number | null
  /** Every merchant the account belongs to. */
  merchantIds: readonly number[]
}

/** What a verb without log-in gets. */
export interface PublicCtx extends Services {
  requestId: string
  ip: string
  /** The version of the row that the caller edits (If-Match), null when it sent none. */
  ifMatch: number | null
  idempotencyKey: string | null
}

/** What a verb gets. */
export interface Ctx extends PublicCtx {
  actor: Actor
}

/** The current merchant's id. Throws RULE_VIOLATED when none is chosen. */
export const requireMerchant = (ctx: Ctx): number => {
  if (ctx.actor.merchantId === null) throw new AppError('RULE_VIOLATED', 'Choose a merchant first.')
  return ctx.actor.merchantId
}

/** Throws FORBIDDEN unless the actor has the authority. */
export const requireAuthority = (ctx: Ctx, authority: Authority): void => {
  if (!ctx.actor.authorities.includes(authority)) throw new AppError('FORBIDDEN', 'You may not do that.')
}
