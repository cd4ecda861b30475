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
   * Makes a call unless its host, or its account there, is left alone; then LeftAlone is thrown and nothing is sent.
   * After the rest one call is let through to see: if it goes well everything does again.
   */
  through<T>(request: HttpRequest, call: () => Promise<T>): Promise<T>
}

/** Nothing was sent: too many calls in a row have failed. `tell` says it as those failures did. */
export class CircuitOpen extends Error {
  readonly tell: (context: UpstreamContext) => UpstreamError
  constructor(tell: (context: UpstreamContext) => UpstreamError) {
    super('left alone after many failures')
    this.name = 'LeftAlone'
    this.tell = tell
  }
}

/** These speak of the host, whoever asks. */
const ofHost = (error: unknown): boolean => error instanceof UpstreamUnavailable || error instanceof AmbiguousOutcome
/** These speak of one account. Going on against them makes the marketplace shut the account out for longer. */
const ofAccount = (error: unknown): boolean => error instanceof UpstreamThrottled || error instanceof UpstreamForbidden

/** Circuits by host for failures, and by host and bucket for throttles and refusals. */
export function createCircuits(policy: HttpPolicy): Circuits {
  const guards = new Map<string, Guard>()
  const guardOf = (key: string, counts: (error: unknown) => boolean): Guard => {
    const guard = guards.get(key) ?? createGuard(policy, counts)
    guards.set(key, guard)
    return guard
  }
  return {
    through: (request, call) => {
      const { host } = new URL(request.url)
      const atHost = () => guardOf(host, ofHost).run(call)
      return request.bucket ? guardOf(`${host} ${request.bucket.key}`, ofAccount).run(atHost) : atHost()
    },
  }
}

interface Guard {
  run<T>(call: () => Promise<T>): Promise<T>
}

function createGuard(policy: HttpPolicy, counts: (error: unknown) => boolean): Guard {
  const circuit: CircuitBreakerPolicy = circuitBreaker(handleWhen(counts), {
    breaker: new ConsecutiveBreaker(policy.circuitFailures),
    halfOpenAfter: policy.circuitOpenMs,
  })
  let openedAt = 0
  let why: unknown
  circuit.onBreak(reason => {
    openedAt = performance.now()
    if ('error' in reason) why = reason.error
  })
  const tell = (context: UpstreamContext): UpstreamError => {
    const retryAfterMs = Math.max(1, Math.ceil(openedAt + policy.circuitOpenMs - performance.now()))
    const words = 'left alone after many failures'
    if (why instanceof UpstreamForbidden) return new UpstreamForbidden(words, { ...context, cause: why })
    if (why instanceof UpstreamThrottled) return new UpstreamThrottled(words, { ...context, retryAfterMs, cause: why })
    return new UpstreamUnavailable(words, { ...context, retryAfterMs, cause: why })
  }
  return {
    run: call =>
      circuit.execute(call).catch((error: unknown) => {
        throw error instanceof BrokenCircuitError ? new CircuitOpen(tell) : error
      }),
  }
}
