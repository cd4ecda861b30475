import { randomInt } from 'node:crypto'
import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  type IRetryBackoffContext,
  type RetryPolicy,
  retry,
} from 'cockatiel'
import { LRUCache } from 'lru-cache'
import {
  AmbiguousOutcome,
  UpstreamError,
  UpstreamForbidden,
  UpstreamMalformed,
  UpstreamThrottled,
  UpstreamUnavailable,
} from './upstream-errors.ts'

export interface HttpPolicy {
  /** For the request and its reply, including the body. */
  timeoutMs: number
  retries: number
  firstDelayMs: number
  maxDelayMs: number
  /** If a call would have to wait longer (for Retry-After or its bucket), it fails with UpstreamThrottled. */
  maxWaitMs: number
  /** After so many failures in a row, a host, or one account's calls to it, are not called for `circuitOpenMs`. */
  circuitFailures: number
  circuitOpenMs: number
}

/** Delays of two, four and eight seconds with jitter, as the marketplace recommends. */
const defaultPolicy: HttpPolicy = {
  timeoutMs: 30_000,
  retries: 3,
  firstDelayMs: 2_000,
  maxDelayMs: 8_000,
  maxWaitMs: 30_000,
  circuitFailures: 10,
  circuitOpenMs: 30_000,
}

/** The policy of one service, with the default for what `changes` leave out, and what carries it out. */
export function createPolicy(changes: Partial<HttpPolicy> = {}) {
  const policy = { ...defaultPolicy, ...changes }
  return {
    ...policy,
    throughCircuits: createCircuits(policy),
    /** Runs `attempt` again where its error allows that, after the delay that the service asks for or our own. */
    retrying: <T>(effect: 'read' | 'write', attempt: () => Promise<T>): Promise<T> =>
      createRetry(effect, policy)
        .execute(attempt)
        .catch((error: unknown) => {
          throw error instanceof CircuitOpen ? error.cause : error
        }),
  }
}

function createRetry(effect: 'read' | 'write', policy: HttpPolicy): RetryPolicy {
  const mayRetry = (error: unknown): boolean =>
    error instanceof UpstreamThrottled || error instanceof UpstreamUnavailable
      ? (error.retryAfterMs ?? 0) <= policy.maxWaitMs
      : error instanceof UpstreamMalformed && effect === 'read'
  // Half of the delay is random, so that workers do not retry at the same moment.
  const backoff = new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt, result }) => {
    const delay = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1))
    const jitter = randomInt(Math.max(1, Math.ceil(delay / 2)))
    const error = 'error' in result && result.error instanceof UpstreamError ? result.error : undefined
    return (error?.retryAfterMs ?? Math.ceil(delay / 2)) + jitter
  })
  return retry(handleWhen(mayRetry), { maxAttempts: policy.retries, backoff })
}

/** Nothing was sent, because too many calls in a row have failed. The cause is an UpstreamError like theirs. */
class CircuitOpen extends Error {}

interface Call {
  upstream: string
  operation: string
  url: string
  bucket?: { key: string }
}

// These failures concern the host.
const isHostFailure = (error: unknown): boolean =>
  error instanceof UpstreamUnavailable || error instanceof AmbiguousOutcome
// These failures concern one account. If we keep calling, the marketplace locks the account out for longer.
const isAccountFailure = (error: unknown): boolean =>
  error instanceof UpstreamThrottled || error instanceof UpstreamForbidden

// One takes 1.5 kB, and each account has some. One that is dropped is closed again: it counts its failures from the start.
const maxCircuits = 1000

/**
 * Circuit breakers: by host for failures, by host and bucket for throttling and forbidden calls. Runs `send` unless one of
 * its circuits is open; then nothing is sent and CircuitOpen is thrown. After a while one call is let through. If it
 * succeeds, the circuit closes.
 */
function createCircuits(policy: HttpPolicy): <T>(call: Call, send: () => Promise<T>) => Promise<T> {
  const breakers = new LRUCache<string, ReturnType<typeof createBreaker>>({ max: maxCircuits })
  const breakerOf = (key: string, counts: (error: unknown) => boolean) => {
    const breaker = breakers.get(key) ?? createBreaker(policy, counts)
    breakers.set(key, breaker)
    return breaker
  }
  return (call, send) => {
    const { host } = new URL(call.url)
    const atHost = () => breakerOf(host, isHostFailure)(call, send)
    return call.bucket ? breakerOf(`${host} ${call.bucket.key}`, isAccountFailure)(call, atHost) : atHost()
  }
}

function createBreaker(policy: HttpPolicy, counts: (error: unknown) => boolean) {
  const circuit = circuitBreaker(handleWhen(counts), {
    breaker: new ConsecutiveBreaker(policy.circuitFailures),
    halfOpenAfter: policy.circuitOpenMs,
  })
  let openedAt = 0
  let cause: unknown
  circuit.onBreak(reason => {
    openedAt = performance.now()
    if ('error' in reason) cause = reason.error
  })
  const notSent = ({ upstream, operation }: Call): UpstreamError => {
    const retryAfterMs = Math.max(1, Math.ceil(openedAt + policy.circuitOpenMs - performance.now()))
    const message = 'not called after many failures'
    if (cause instanceof UpstreamForbidden) return new UpstreamForbidden(message, { upstream, operation, cause })
    const Kind = cause instanceof UpstreamThrottled ? UpstreamThrottled : UpstreamUnavailable
    return new Kind(message, { upstream, operation, retryAfterMs, cause })
  }
  return <T>(call: Call, send: () => Promise<T>): Promise<T> =>
    circuit.execute(send).catch((error: unknown) => {
      throw error instanceof BrokenCircuitError ? new CircuitOpen('', { cause: notSent(call) }) : error
    })
}
