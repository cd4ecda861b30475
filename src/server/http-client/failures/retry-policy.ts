import { randomInt } from 'node:crypto'
import { DelegateBackoff, handleWhen, type IRetryBackoffContext, type RetryPolicy, retry } from 'cockatiel'
import type { HttpRequest } from '../exchange.ts'
import { UpstreamError, UpstreamMalformed, UpstreamThrottled, UpstreamUnavailable } from '../upstream-errors.ts'

export interface HttpPolicy {
  /** For the whole exchange, the body included. */
  timeoutMs: number
  /** Repeats after the first attempt. */
  retries: number
  firstDelayMs: number
  maxDelayMs: number
  /** A longer wait than this (by Retry-After or an empty bucket) is given back to the caller as UpstreamThrottled. */
  maxWaitMs: number
  /** Failures in a row after which a host, or one account's calls to it, are left alone for `circuitRestMs`. */
  circuitFailures: number
  circuitOpenMs: number
}

/** Two, four, eight seconds as the marketplace advises, with jitter; circuits open after ten failures in a row. */
export const defaultPolicy: HttpPolicy = {
  timeoutMs: 30_000,
  retries: 3,
  firstDelayMs: 2_000,
  maxDelayMs: 8_000,
  maxWaitMs: 30_000,
  circuitFailures: 10,
  circuitOpenMs: 30_000,
}

function mayRepeat(error: unknown, request: HttpRequest, policy: HttpPolicy): boolean {
  if (error instanceof UpstreamThrottled || error instanceof UpstreamUnavailable)
    return (error.retryAfterMs ?? 0) <= policy.maxWaitMs
  return error instanceof UpstreamMalformed && request.effect === 'read'
}

// Half of the delay is fixed and half is chance, so that many workers do not come back in step.
function createBackoff(policy: HttpPolicy): DelegateBackoff<IRetryBackoffContext<unknown>> {
  return new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt, result }) => {
    const delay = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1))
    const jitter = randomInt(Math.max(1, Math.ceil(delay / 2)))
    const asked = 'error' in result && result.error instanceof UpstreamError ? result.error.retryAfterMs : undefined
    return asked === undefined ? Math.ceil(delay / 2) + jitter : asked + jitter
  })
}

/** Repeats what may be repeated, after the wait that the service asked for or our own. */
export function createRetry(request: HttpRequest, policy: HttpPolicy): RetryPolicy {
  return retry(
    handleWhen(error => mayRepeat(error, request, policy)),
    { maxAttempts: policy.retries, backoff: createBackoff(policy) },
  )
}
