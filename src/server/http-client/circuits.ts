import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
} from 'cockatiel'
import type { HttpRequest } from './exchange.ts'
import type { HttpPolicy } from './failures/retry-policy.ts'
import {
  AmbiguousOutcome,
  type UpstreamContext,
  type UpstreamError,
  UpstreamForbidden,
  UpstreamThrottled,
  UpstreamUnavailable,
} from './upstream-errors.ts'

export interface Circuits {
  /**
   * Runs `call` unless the circuit of its host, or of its account there, is open; then nothing is sent and CircuitOpen is
   * thrown. After a while one call is let through. If it succeeds, the circuit closes.
   */
  run<T>(request: HttpRequest, call: () => Promise<T>): Promise<T>
}

/** Nothing was sent, because too many calls in a row have failed. `toError` makes an error like theirs. */
export class CircuitOpen extends Error {
  readonly toError: (context: UpstreamContext) => UpstreamError
  constructor(toError: (context: UpstreamContext) => UpstreamError) {
    super('not called after many failures')
    this.name = 'CircuitOpen'
    this.toError = toError
  }
}

/** These failures concern the host. */
const isHostFailure = (error: unknown): boolean =>
  error instanceof UpstreamUnavailable || error instanceof AmbiguousOutcome
/** These failures concern one account. If we keep calling, the marketplace locks the account out for longer. */
const isAccountFailure = (error: unknown): boolean =>
  error instanceof UpstreamThrottled || error instanceof UpstreamForbidden

/** Circuit breakers: by host for failures, by host and bucket for throttling and forbidden calls. */
export function createCircuits(policy: HttpPolicy): Circuits {
  const breakers = new Map<string, Breaker>()
  const breakerOf = (key: string, counts: (error: unknown) => boolean): Breaker => {
    const breaker = breakers.get(key) ?? createBreaker(policy, counts)
    breakers.set(key, breaker)
    return breaker
  }
  return {
    run: (request, call) => {
      const { host } = new URL(request.url)
      const atHost = () => breakerOf(host, isHostFailure).run(call)
      return request.bucket ? breakerOf(`${host} ${request.bucket.key}`, isAccountFailure).run(atHost) : atHost()
    },
  }
}

interface Breaker {
  run<T>(call: () => Promise<T>): Promise<T>
}

function createBreaker(policy: HttpPolicy, counts: (error: unknown) => boolean): Breaker {
  const circuit: CircuitBreakerPolicy = circuitBreaker(handleWhen(counts), {
    breaker: new ConsecutiveBreaker(policy.circuitFailures),
    halfOpenAfter: policy.circuitOpenMs,
  })
  let openedAt = 0
  let lastError: unknown
  circuit.onBreak(reason => {
    openedAt = performance.now()
    if ('error' in reason) lastError = reason.error
  })
  const toError = (context: UpstreamContext): UpstreamError => {
    const retryAfterMs = Math.max(1, Math.ceil(openedAt + policy.circuitOpenMs - performance.now()))
    const message = 'not called after many failures'
    if (lastError instanceof UpstreamForbidden) return new UpstreamForbidden(message, { ...context, cause: lastError })
    if (lastError instanceof UpstreamThrottled)
      return new UpstreamThrottled(message, { ...context, retryAfterMs, cause: lastError })
    return new UpstreamUnavailable(message, { ...context, retryAfterMs, cause: lastError })
  }
  return {
    run: call =>
      circuit.execute(call).catch((error: unknown) => {
        throw error instanceof BrokenCircuitError ? new CircuitOpen(toError) : error
      }),
  }
}
