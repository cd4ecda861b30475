import type { Endpoint, EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import type { Ctx, PublicCtx } from '../context.ts'

export interface RateLimit {
  /** Calls allowed per window and caller (account, else address). */
  max: number
  windowSeconds: number
}

export type Handler<E extends Endpoint> = (
  ctx: E extends { access: 'public' } ? PublicCtx : Ctx,
  input: EndpointParsed<E>,
) => Promise<EndpointOutput<E>>

/** An endpoint introduced to its verb. */
export interface Route {
  endpoint: Endpoint
  handler: (ctx: never, input: never) => Promise<unknown>
  rateLimit?: RateLimit
  cached?: boolean
}

interface RouteOptions {
  rateLimit?: RateLimit
  /**
   * True when the answer depends on the caller, the current merchant's rows and the day alone: it is then given from
   * memory until one of these changes.
   */
  cached?: boolean
}

/** Introduces an endpoint to its verb; the types of both must agree. */
export function route<const E extends Endpoint>(endpoint: E, handler: Handler<E>, options: RouteOptions = {}): Route {
  return {
    endpoint,
    handler,
    ...options,
  }
}
