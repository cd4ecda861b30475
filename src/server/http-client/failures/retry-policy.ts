import { randomInt } from 'node:crypto'
import { DelegateBackoff, handleWhen, type IRetryBackoffContext, type RetryPolicy, retry } from 'cockatiel'
import type { HttpRequest } from '../exchange.ts'
import { UpstreamError, UpstreamMalformed, UpstreamThrottled, UpstreamUnavailable } from '../upstream-errors.ts'

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
export const defaultPolicy: HttpPolicy = {
  timeoutMs: 30_000,
  retries: 3,
  firstDelayMs: 2_000,
  maxDelayMs: 8_000,
  maxWaitMs: 30_000,
  circuitFailures: 10,
  circuitOpenMs: 30_000,
}

function mayRetry(error: unknown, request: HttpRequest, policy: HttpPolicy): boolean {
  if (error instanceof UpstreamThrottled || error instanceof UpstreamUnavailable)
    return (error.retryAfterMs ?? 0) <= policy.maxWaitMs
  return error instanceof UpstreamMalformed && request.effect === 'read'
}

// Half of the delay is random, so that workers do not retry at the same moment.
function createBackoff(policy: HttpPolicy): DelegateBackoff<IRetryBackoffContext<unknown>> {
  return new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt, result }) => {
    const delay = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1))
    const jitter = randomInt(Math.max(1, Math.ceil(delay / 2)))
    const requestedMs =
      'error' in result && result.error instanceof UpstreamError ? result.error.retryAfterMs : undefined
    return requestedMs === undefined ? Math.ceil(delay / 2) + jitter : requestedMs + jitter
  })
}

/** Retries what may be retried, after the delay that the service asks for or our own. */
export function createRetry(request: HttpRequest, policy: HttpPolicy): RetryPolicy {
  return retry(
    handleWhen(error => mayRetry(error, request, policy)),
    { maxAttempts: policy.retries, backoff: createBackoff(policy) },
  )
}
