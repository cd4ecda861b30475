import type { z } from 'zod'
import { type Clock, systemClock } from '#shared/time.ts'
import { createCircuits, CircuitOpen } from './circuits.ts'
import { exchange, type HttpRequest, type ReadReply } from './exchange.ts'
import { parseJson } from './parse-json.ts'
import { createRetry, defaultPolicy, type HttpPolicy } from './failures/retry-policy.ts'
import { createTokenBuckets } from './token-buckets.ts'
import { UpstreamError, UpstreamThrottled } from './upstream-errors.ts'

export type { HttpRequest } from './exchange.ts'
export type { HttpPolicy } from './failures/retry-policy.ts'

/** What the client says to the log; pino's logger fits. */
export interface HttpLog {
  debug(o: object, m: string): void
  info(o: object, m: string): void
  warn(o: object, m: string): void
  error(o: object, m: string): void
}

export interface HttpReply<T> {
  status: number
  headers: Headers
  body: T
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
  /** Sends and reads the answer as text, within the time limit. Throws as sendJson does. */
  sendText(request: HttpRequest): Promise<HttpReply<string>>
  /** Opens a download: the body is not read and has no time limit of its own; redirects are refused. */
  open(request: HttpRequest): Promise<Response>
}

/** A client for one outside service. Circuits are kept per host and per key, buckets per key. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { upstream, log, fetch: send = fetch, clock = systemClock } = options
  const policy = { ...defaultPolicy, ...options.policy }
  const buckets = createTokenBuckets()
  const circuits = createCircuits(policy)

  const takeToken = async ({ bucket, operation }: HttpRequest): Promise<void> => {
    if (!bucket) return
    const ms = await buckets.take(bucket.key, bucket.rate, policy.maxWaitMs)
    if (ms > 0) throw new UpstreamThrottled('our own quota is used up', { upstream, operation, retryAfterMs: ms })
  }

  const attempt = <T>(request: HttpRequest, read: ReadReply<T>): Promise<T> => {
    const timeoutMs = request.timeoutMs ?? policy.timeoutMs
    return exchange(request, read, { upstream, send, timeoutMs, now: () => clock.now() })
  }

  const run = async <T>(request: HttpRequest, read: ReadReply<T>): Promise<T> => {
    const repeat = createRetry(request, policy)
    try {
      return await repeat.execute(async () => {
        await takeToken(request)
        await request.beforeSend?.()
        return circuits.through(request, () => attempt(request, read).catch(error => noteFailure(request, error)))
      })
    } catch (error) {
      throw error instanceof CircuitOpen ? error.tell({ upstream, operation: request.operation }) : error
    }
  }

  const noteFailure = (request: HttpRequest, error: unknown): never => {
    if (error instanceof UpstreamError) log.warn(toLogFields(error), 'upstream call failed')
    if (error instanceof UpstreamThrottled && request.bucket && error.retryAfterMs)
      buckets.pause(request.bucket.key, error.retryAfterMs)
    throw error
  }

  return {
    sendJson: (request, schema) =>
      run(request, async (reply, info) => {
        const body = parseJson(info, reply, await reply.text(), schema)
        log.debug({ upstream, operation: request.operation, status: reply.status }, 'upstream call')
        return { status: reply.status, headers: reply.headers, body }
      }),
    sendText: request =>
      run(request, async reply => ({ status: reply.status, headers: reply.headers, body: await reply.text() })),
    open: request => run(request, reply => Promise.resolve(reply)),
  }
}

function toLogFields({ upstream, operation, name, status, code, requestId, retryAfterMs }: UpstreamError) {
  return {
    upstream,
    operation,
    kind: name,
    status,
    upstreamCode: code,
    upstreamRequestId: requestId,
    retryAfterMs,
  }
}
