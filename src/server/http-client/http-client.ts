import { randomInt } from 'node:crypto'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  type IRetryBackoffContext,
  retry,
} from 'cockatiel'
import type { z } from 'zod'
import { type Clock, systemClock } from '#shared/time.ts'
import { type Attempt, classifyFailure, classifyReply } from './classify.ts'
import { parseJson } from './parse-json.ts'
import { createTokenBuckets, type Rate } from './token-buckets.ts'
import {
  AmbiguousOutcome,
  UpstreamError,
  UpstreamMalformed,
  UpstreamThrottled,
  UpstreamUnavailable,
} from './upstream-errors.ts'

/** What the client says to the log; pino's logger fits. */
export interface HttpLog {
  debug(o: object, m: string): void
  info(o: object, m: string): void
  warn(o: object, m: string): void
  error(o: object, m: string): void
}

export interface HttpRequest {
  /** A name for logs, errors and metrics, for instance `listCampaigns`. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** `read` may be repeated without harm, `write` may not. A POST that only lists is a read. */
  effect: 'read' | 'write'
  /** The quota that the call draws on. */
  bucket?: { key: string; rate: Rate }
  timeoutMs?: number
  /** Statuses beside 2xx that the caller reads itself. */
  accept?: readonly number[]
}

export interface HttpReply<T> {
  status: number
  headers: Headers
  body: T
}

export interface HttpPolicy {
  /** For the whole exchange, the body included. */
  timeoutMs: number
  /** Repeats after the first attempt. */
  repeats: number
  firstDelayMs: number
  maxDelayMs: number
  /** A longer wait than this (by Retry-After or an empty bucket) is given back to the caller as UpstreamThrottled. */
  maxWaitMs: number
  /** Failures in a row after which a host is left alone for `circuitRestMs`. */
  circuitFailures: number
  circuitRestMs: number
}

/** Two, four, eight seconds as the marketplace advises, with jitter; circuits open after ten failures in a row. */
export const defaultPolicy: HttpPolicy = {
  timeoutMs: 30_000,
  repeats: 3,
  firstDelayMs: 2_000,
  maxDelayMs: 8_000,
  maxWaitMs: 30_000,
  circuitFailures: 10,
  circuitRestMs: 30_000,
}

export interface HttpClientOptions {
  upstream: string
  log: HttpLog
  fetch?: typeof fetch
  policy?: Partial<HttpPolicy>
  /** Reads a Retry-After that is a date. */
  clock?: Clock
}

export interface HttpClient {
  /** Sends and parses JSON by `schema`. Throws one of the upstream errors; see README for what is repeated. */
  sendJson<S extends z.ZodType>(request: HttpRequest, schema: S): Promise<HttpReply<z.output<S>>>
  /** Opens a download: the body is not read and has no time limit of its own; redirects are refused. */
  open(request: HttpRequest): Promise<Response>
}

/** A client for one outside service. Circuits are kept per host, buckets per key. */
export const createHttpClient = (options: HttpClientOptions): HttpClient => {
  const { upstream, log, fetch: send = fetch, clock = systemClock } = options
  const policy = { ...defaultPolicy, ...options.policy }
  const buckets = createTokenBuckets()
  const circuits = new Map<string, CircuitBreakerPolicy>()

  const circuitOf = (url: string): CircuitBreakerPolicy => {
    const { host } = new URL(url)
    const circuit = circuits.get(host) ?? createCircuit(policy)
    circuits.set(host, circuit)
    return circuit
  }

  const takeToken = async ({ bucket, operation }: HttpRequest): Promise<void> => {
    if (!bucket) return
    const ms = await buckets.take(bucket.key, bucket.rate, policy.maxWaitMs)
    if (ms > 0) throw new UpstreamThrottled('our own quota is used up', { upstream, operation, retryAfterMs: ms })
  }

  const attempt = async <T>(request: HttpRequest, read: (reply: Response, info: Attempt) => Promise<T>): Promise<T> => {
    const info: Attempt = { upstream, operation: request.operation, effect: request.effect }
    const abort = new AbortController()
    const timer = setTimeout(
      () => abort.abort(new DOMException('timed out', 'TimeoutError')),
      request.timeoutMs ?? policy.timeoutMs,
    )
    try {
      const reply = await send(request.url, {
        method: request.method,
        headers: request.headers ?? {},
        redirect: 'error',
        signal: abort.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      })
      if (!reply.ok && !request.accept?.includes(reply.status))
        throw classifyReply(info, reply, await reply.text(), clock.now())
      return await read(reply, info)
    } catch (error) {
      throw error instanceof UpstreamError ? error : classifyFailure(info, error)
    } finally {
      clearTimeout(timer)
    }
  }

  const run = async <T>(request: HttpRequest, read: (reply: Response, info: Attempt) => Promise<T>): Promise<T> => {
    const repeat = retry(
      handleWhen(error => mayRepeat(error, request, policy)),
      { maxAttempts: policy.repeats, backoff: createBackoff(policy) },
    )
    const circuit = circuitOf(request.url)
    try {
      return await repeat.execute(async () => {
        await takeToken(request)
        return circuit.execute(() => attempt(request, read).catch(error => noteFailure(request, error)))
      })
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new UpstreamUnavailable('left alone after many failures', {
        upstream,
        operation: request.operation,
        retryAfterMs: policy.circuitRestMs,
      })
    }
  }

  const noteFailure = (request: HttpRequest, error: unknown): never => {
    if (error instanceof UpstreamError) {
      const { status, code, requestId, retryAfterMs } = error
      log.warn(
        {
          upstream,
          operation: request.operation,
          kind: error.name,
          status,
          upstreamCode: code,
          upstreamRequestId: requestId,
          retryAfterMs,
        },
        'upstream call failed',
      )
      if (error instanceof UpstreamThrottled && request.bucket && retryAfterMs)
        buckets.pause(request.bucket.key, retryAfterMs)
    }
    throw error
  }

  return {
    sendJson: (request, schema) =>
      run(request, async (reply, info) => {
        const body = parseJson(info, reply, await reply.text(), schema)
        log.debug({ upstream, operation: request.operation, status: reply.status }, 'upstream call')
        return { status: reply.status, headers: reply.headers, body }
      }),
    open: request => run(request, reply => Promise.resolve(reply)),
  }
}

const createCircuit = (policy: HttpPolicy): CircuitBreakerPolicy =>
  circuitBreaker(
    handleWhen(error => error instanceof UpstreamUnavailable || error instanceof AmbiguousOutcome),
    { breaker: new ConsecutiveBreaker(policy.circuitFailures), halfOpenAfter: policy.circuitRestMs },
  )

const mayRepeat = (error: unknown, request: HttpRequest, policy: HttpPolicy): boolean => {
  if (error instanceof UpstreamThrottled || error instanceof UpstreamUnavailable)
    return (error.retryAfterMs ?? 0) <= policy.maxWaitMs
  return error instanceof UpstreamMalformed && request.effect === 'read'
}

// Half of the delay is fixed and half is chance, so that many workers do not come back in step.
const createBackoff = (policy: HttpPolicy): DelegateBackoff<IRetryBackoffContext<unknown>> =>
  new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt, result }) => {
    const delay = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1))
    const jitter = randomInt(Math.max(1, Math.ceil(delay / 2)))
    const asked = 'error' in result && result.error instanceof UpstreamError ? result.error.retryAfterMs : undefined
    return asked === undefined ? Math.ceil(delay / 2) + jitter : asked + jitter
  })
