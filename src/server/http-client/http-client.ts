import type { z } from 'zod'
import { type Clock, systemClock } from '#shared/time.ts'
import { type Attempt, classifyFailure, classifyReply, requestIdOf } from './failures.ts'
import { parseLossless } from './lossless.ts'
import { CircuitOpen, createCircuits, createRetry, defaultPolicy, type HttpPolicy } from './policy.ts'
import { createTokenBuckets, type Rate } from './token-buckets.ts'
import { AmbiguousOutcome, UpstreamError, UpstreamMalformed, UpstreamThrottled } from './upstream-errors.ts'

export type { HttpPolicy } from './policy.ts'

export interface HttpRequest {
  /** A name for logs, errors and metrics, for instance `listCampaigns`. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** A `read` can safely be retried, a `write` cannot. A POST that only lists is a read. */
  effect: 'read' | 'write'
  /** The quota that the call uses. */
  bucket?: { key: string; rate: Rate }
  timeoutMs?: number
  /** Runs right before each attempt. If it rejects, nothing is sent and its error is thrown. */
  beforeSend?: () => Promise<void>
  /** Statuses other than 2xx that the caller handles itself. */
  accept?: readonly number[]
}

/** The part of a pino logger that the client uses. */
export type HttpLog = Record<'debug' | 'info' | 'warn' | 'error', (o: object, m: string) => void>

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

type ReadReply<T> = (reply: Response) => Promise<T>

/** A client for one outside service, with circuit breakers by host and account, and quotas by bucket key. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { upstream, log, fetch: send = fetch, clock = systemClock } = options
  const policy = { ...defaultPolicy, ...options.policy }
  const buckets = createTokenBuckets()
  const throughCircuits = createCircuits(policy)

  /** Sends a request once and reads its reply, both within one time limit. Throws UpstreamErrors only. */
  const exchange = async <T>(request: HttpRequest, read: ReadReply<T>): Promise<T> => {
    const { operation, effect, method, url, headers = {}, body, bucket } = request
    const attempt: Attempt = { upstream, operation, effect }
    const abort = new AbortController()
    const timeoutMs = request.timeoutMs ?? policy.timeoutMs
    const timer = setTimeout(() => abort.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs)
    try {
      const { signal } = abort
      const reply = await send(url, { method, headers, redirect: 'error', signal, ...(body !== undefined && { body }) })
      if (reply.ok || request.accept?.includes(reply.status)) return await read(reply)
      throw classifyReply(attempt, reply, await reply.text(), clock.now())
    } catch (error) {
      const failure = error instanceof UpstreamError ? error : classifyFailure(attempt, error)
      const { name: kind, status, code: upstreamCode, requestId: upstreamRequestId, retryAfterMs } = failure
      log.warn(
        { upstream, operation, kind, status, upstreamCode, upstreamRequestId, retryAfterMs },
        'upstream call failed',
      )
      if (failure instanceof UpstreamThrottled && bucket && retryAfterMs) buckets.pause(bucket.key, retryAfterMs)
      throw failure
    } finally {
      clearTimeout(timer)
    }
  }

  const run = async <T>(request: HttpRequest, read: ReadReply<T>): Promise<T> => {
    const { operation, effect, bucket } = request
    try {
      return await createRetry(effect, policy).execute(async () => {
        const retryAfterMs = bucket ? await buckets.take(bucket.key, bucket.rate, policy.maxWaitMs) : 0
        if (retryAfterMs > 0)
          throw new UpstreamThrottled('our own quota is used up', { upstream, operation, retryAfterMs })
        await request.beforeSend?.()
        return throughCircuits({ upstream, ...request }, () => exchange(request, read))
      })
    } catch (error) {
      throw error instanceof CircuitOpen ? error.cause : error
    }
  }

  return {
    sendJson: (request, schema) =>
      run(request, async reply => {
        const { operation, effect } = request
        const body = parseJson({ upstream, operation, effect }, reply, await reply.text(), schema)
        log.debug({ upstream, operation, status: reply.status }, 'upstream call')
        return { status: reply.status, headers: reply.headers, body }
      }),
    sendText: request =>
      run(request, async reply => ({ status: reply.status, headers: reply.headers, body: await reply.text() })),
    open: request => run(request, reply => Promise.resolve(reply)),
  }
}

/**
 * Parses a successful reply, whatever its media type (vendors label the same body differently). Integers that a double
 * cannot hold (ids) become text. Throws UpstreamMalformed for a read, and AmbiguousOutcome for a write, which did happen.
 */
function parseJson<S extends z.ZodType>(attempt: Attempt, reply: Response, text: string, schema: S): z.output<S> {
  const fail = (message: string, cause?: unknown): UpstreamError => {
    const { upstream, operation, effect } = attempt
    const context = { upstream, operation, status: reply.status, requestId: requestIdOf(reply.headers), cause }
    return effect === 'write' ? new AmbiguousOutcome(message, context) : new UpstreamMalformed(message, context)
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
