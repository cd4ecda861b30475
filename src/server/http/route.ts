import type { OperatorGauge } from './health.ts'
import type { Endpoint, EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import type { Actor, Ctx, PublicCtx, Services } from '../context.ts'
import type { RecordManagedCall } from './managed-calls.ts'

interface RouteOptions {
  /** How many calls one address may send in a window. */
  rateLimit?: { max: number; windowSeconds: number }
  /** True if the answer depends only on the caller, the current merchant's rows and the day: then it is cached. */
  cached?: boolean
}

export interface Route extends RouteOptions {
  endpoint: Endpoint
  handler: (ctx: never, input: never) => Promise<unknown>
}

type Handler<E extends Endpoint> = (
  ctx: E extends { access: 'public' } ? PublicCtx : Ctx,
  input: EndpointParsed<E>,
) => Promise<EndpointOutput<E>>

/** Connects an endpoint with its verb. */
export function route<const E extends Endpoint>(endpoint: E, handler: Handler<E>, options: RouteOptions = {}): Route {
  return { endpoint, handler, ...options }
}

export interface ServerOptions {
  services: Services
  routes: readonly Route[]
  /** The actor of a bearer token, null if the token is invalid. */
  authenticate: (token: string) => Promise<Actor | null>
  /** Records the calls that a manager makes for a user; without it nobody can make any. */
  recordManagedCall?: RecordManagedCall
  /** The folder of the built client; without it only the API is served. */
  staticRoot?: string
  /** Checks every response against its schema; on outside production. */
  checkResponses: boolean
  version: string
  /** How long a client may take to send a request; 30 seconds by default. */
  requestTimeoutMs?: number
  /** What /metrics also shows. */
  gauges?: readonly OperatorGauge[]
}
