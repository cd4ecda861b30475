import { z } from 'zod'
import { type Clock, systemClock } from '#shared/time.ts'
import { parseLossless } from './lossless.ts'
import { createPolicy, type HttpPolicy } from './policy.ts'
import { createTokenBuckets, type Rate, type TokenBuckets } from './token-buckets.ts'
import {
  AmbiguousOutcome,
  UpstreamError,
  UpstreamMalformed,
  UpstreamThrottled,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamUnauthorized,
  UpstreamUnavailable,
} from './upstream-errors.ts'

export type { HttpPolicy } from './policy.ts'

interface Bucket {
  key: string
  rate: Rate
}

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
  bucket?: Bucket
  timeoutMs?: number
  /** Ends the call when it aborts; an aborted one is not repeated. */
  signal?: AbortSignal
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
  /** Where quotas are counted; by default in the memory of this client. */
  buckets?: TokenBuckets
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
  const policy = createPolicy(options.policy)
  const buckets = options.buckets ?? createTokenBuckets()

  // Services with buckets of the same key share no quota.
  const keyOf = ({ key }: { key: string }) => `${upstream} ${key}`

  /** Lets everybody who shares the bucket wait: as long as the service asks for, else for its next token. */
  const noteThrottling = ({ key, rate }: Bucket, retryAfterMs: number | undefined): Promise<void> =>
    retryAfterMs === undefined
      ? buckets.pause(keyOf({ key }), Math.min(policy.maxDelayMs, 1000 / rate.rate), rate)
      : buckets.pause(keyOf({ key }), retryAfterMs)

  /** Sends a request once and reads its reply, both within one time limit. Throws UpstreamErrors only. */
  const exchange = async <T>(request: HttpRequest, read: ReadReply<T>): Promise<T> => {
    const { operation, effect, method, url, headers = {}, body, bucket } = request
    const attempt: Attempt = { upstream, operation, effect }
    const abort = new AbortController()
    const timeoutMs = request.timeoutMs ?? policy.timeoutMs
    const timer = setTimeout(() => abort.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs)
    try {
      const signal = request.signal ? AbortSignal.any([abort.signal, request.signal]) : abort.signal
      const reply = await send(url, { method, headers, redirect: 'error', signal, ...(body !== undefined && { body }) })
      if (reply.ok || request.accept?.includes(reply.status)) return await read(reply)
      throw classifyReply(attempt, reply, await reply.text(), clock.now())
    } catch (error) {
      // Nobody waits for it any longer, which is no failure of the service.
      request.signal?.throwIfAborted()
      const failure = error instanceof UpstreamError ? error : classifyFailure(attempt, error)
      const { name: kind, status, code: upstreamCode, requestId: upstreamRequestId, retryAfterMs } = failure
      log.warn(
        { upstream, operation, kind, status, upstreamCode, upstreamRequestId, retryAfterMs },
        'upstream call failed',
      )
      if (failure instanceof UpstreamThrottled && bucket)
        await noteThrottling(bucket, retryAfterMs).catch((cause: unknown) =>
          log.warn({ err: cause, upstream }, 'the pause of a quota was not noted'),
        )
      throw failure
    } finally {
      clearTimeout(timer)
    }
  }

  const run = <T>(request: HttpRequest, read: ReadReply<T>): Promise<T> => {
    const { operation, effect, bucket } = request
    return policy.retrying(effect, async () => {
      const retryAfterMs = bucket ? await buckets.take(keyOf(bucket), bucket.rate, policy.maxWaitMs) : 0
      if (retryAfterMs > 0)
        throw new UpstreamThrottled('our own quota is used up', { upstream, operation, retryAfterMs })
      await request.beforeSend?.()
      return policy.throughCircuits({ upstream, ...request }, () => exchange(request, read))
    })
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

interface Attempt {
  upstream: string
  operation: string
  effect: 'read' | 'write'
}

/** The service's id of the request, whichever header it uses. */
const requestIdOf = (headers: Headers): string | undefined =>
  headers.get('x-amz-rid') ?? headers.get('x-amzn-requestid') ?? headers.get('x-request-id') ?? undefined

/** The error for a reply that is not a success; its class says what the caller can do. */
function classifyReply(
  { upstream, operation, effect }: Attempt,
  { status, headers }: Response,
  text: string,
  now: Date,
): UpstreamError {
  const { code, message, details } = parseErrorBody(text)
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), now)
  const context = { upstream, operation, status, code, details, requestId: requestIdOf(headers), retryAfterMs }
  const summary = `${status} ${message}`
  if (status === 401) return new UpstreamUnauthorized(summary, context)
  if (status === 403) return new UpstreamForbidden(summary, context)
  if (status === 429) return new UpstreamThrottled(summary, context)
  if (status < 500) return new UpstreamRejected(summary, context)
  return effect === 'write' ? new AmbiguousOutcome(summary, context) : new UpstreamUnavailable(summary, context)
}

const textual = z
  .union([z.string().min(1), z.number().transform(String)])
  .optional()
  .catch(undefined)
const oneError = z.object({ code: textual, message: textual, details: textual })
const errorBody = z.object({
  ...oneError.shape,
  detail: textual,
  error: textual,
  error_description: textual,
  errors: z.array(oneError.catch({})).catch([]),
})

/**
 * Reads the error bodies that vendors use: `{code, message|details|detail}`, `{errors: [{code, message, details}]}` and
 * `{error, error_description}`. Of anything else, such as a gateway's HTML page, the message is the first 200 characters.
 */
function parseErrorBody(text: string): z.output<typeof oneError> & { message: string } {
  const body = errorBody.safeParse(jsonOf(text)).data
  if (!body) {
    const plain = text.replaceAll(/<[^>]*>|\s+/g, ' ').trim()
    return { message: plain.slice(0, 200) || 'no body' }
  }
  const { code, error, message, detail, details = detail, error_description, errors } = body
  return {
    code: code ?? error ?? errors[0]?.code,
    message: message ?? details ?? error_description ?? errors[0]?.message ?? text.slice(0, 200),
    details: details ?? errors.find(one => one.details !== undefined)?.details,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A Retry-After header (seconds or an HTTP date) in milliseconds from `now`; undefined if absent or invalid. */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  if (!header) return undefined
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

/** The error for a missing or interrupted reply; its class says what the caller can do. */
function classifyFailure({ upstream, operation, effect }: Attempt, error: unknown): UpstreamError {
  const context = { upstream, operation, cause: error }
  const codes = codesOf(error)
  const message = codes.join(', ') || describe(error)
  const wasNeverSent = codes.some(code => neverConnected.has(code))
  if (effect === 'write' && !wasNeverSent) return new AmbiguousOutcome(message, context)
  return new UpstreamUnavailable(message, context)
}

// With these codes the connection was never made, so the service cannot have seen the request.
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure'
  return error.name === 'TimeoutError' ? 'timed out' : error.message
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  // A host with several addresses fails with one error per address.
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...code, ...inner, ...codesOf(error.cause)]
}
