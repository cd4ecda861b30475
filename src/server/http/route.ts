import type { Endpoint, EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import type { Ctx, PublicCtx } from '../context.ts'

export interface RateLimit {
  /** Calls allowed in a window from one address. */
  max: number
  windowSeconds: number
}

export type Handler<E extends Endpoint> = (
  ctx: E extends { access: 'public' } ? PublicCtx : Ctx,
  input: EndpointParsed<E>,
) => Promise<EndpointOutput<E>>

/** An endpoint with its verb. */
export interface Route {
  endpoint: Endpoint
  handler: (ctx: never, input: never) => Promise<unknown>
  rateLimit?: RateLimit
  cached?: boolean
}

interface RouteOptions {
  rateLimit?: RateLimit
  /**
   * True if the answer depends only on the caller, the current merchant's rows and the day. It is then cached until one of
   * them changes.
   */
  cached?: boolean
}

/** Connects an endpoint with its verb. */
export function route<const E extends Endpoint>(endpoint: E, handler: Handler<E>, options: RouteOptions = {}): Route {
  return {
    endpoint,
    handler,
    ...options,
  }
}
