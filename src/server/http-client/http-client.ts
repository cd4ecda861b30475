import type { z } from 'zod'
import { type Clock, systemClock } from '#shared/time.ts'
import { createCircuits, CircuitOpen } from './circuits.ts'
import { exchange, type HttpRequest, type ReadReply } from './exchange.ts'
import { createRetry, defaultPolicy, type HttpPolicy } from './failures/retry-policy.ts'
import { createTokenBuckets } from './token-buckets.ts'
import { UpstreamError, UpstreamThrottled, AmbiguousOutcome, UpstreamMalformed } from './upstream-errors.ts'
import { type Attempt, requestIdOf } from './failures/classify.ts'
import { parseLossless } from './lossless.ts'

export type { HttpRequest } from './exchange.ts'
export type { HttpPolicy } from './failures/retry-policy.ts'

/** The part of a pino logger that the client uses. */
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
  /** For a Retry-After header that is a date. */
  clock?: Clock
}

export interface HttpClient {
  /** Sends a request and parses the JSON reply. Throws an UpstreamError; the README says what is retried. */
  sendJson<S extends z.ZodType>(request: HttpRequest, schema: S): Promise<HttpReply<z.output<S>>>
  /** Sends a request and reads the reply as text, within the time limit. Throws like sendJson. */
  sendText(request: HttpRequest): Promise<HttpReply<string>>
  /** Opens a download: reading the body has no time limit. Redirects are rejected. */
  open(request: HttpRequest): Promise<Response>
}

/** A client for one outside service, with circuit breakers by host and account, and quotas by bucket key. */
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
    const retry = createRetry(request, policy)
    try {
      return await retry.execute(async () => {
        await takeToken(request)
        await request.beforeSend?.()
        return circuits.run(request, () => attempt(request, read).catch(error => recordFailure(request, error)))
      })
    } catch (error) {
      throw error instanceof CircuitOpen ? error.toError({ upstream, operation: request.operation }) : error
    }
  }

  const recordFailure = (request: HttpRequest, error: unknown): never => {
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

/**
 * Parses a successful reply, whatever its media type (vendors label the same body differently). Integers that a double
 * cannot hold (ids) become text. Throws UpstreamMalformed for a read, and AmbiguousOutcome for a write, which did happen.
 */
function parseJson<S extends z.ZodType>(attempt: Attempt, reply: Response, text: string, schema: S): z.output<S> {
  const fail = (message: string, cause?: unknown): UpstreamError => {
    const context = { ...attempt, status: reply.status, requestId: requestIdOf(reply.headers), cause }
    return attempt.effect === 'write' ? new AmbiguousOutcome(message, context) : new UpstreamMalformed(message, context)
  }
  let value: unknown
  try {
    value = text === '' ? null : parseLossless(text)
  } catch (error) {
    throw fail('the reply is not JSON', error)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.slice(0, 3).map(i => `${i.path.join('.')}: ${i.message}`)
  throw fail(`unexpected reply (${where.join('; ')})`)
}
