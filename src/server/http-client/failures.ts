import { z } from 'zod'
import {
  AmbiguousOutcome,
  type UpstreamError,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
  UpstreamUnavailable,
} from './upstream-errors.ts'

export interface Attempt {
  upstream: string
  operation: string
  effect: 'read' | 'write'
}

/** The service's id of the request, whichever header it uses. */
export const requestIdOf = (headers: Headers): string | undefined =>
  headers.get('x-amz-rid') ?? headers.get('x-amzn-requestid') ?? headers.get('x-request-id') ?? undefined

/** The error for a reply that is not a success; its class says what the caller can do. */
export function classifyReply(
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
export function classifyFailure({ upstream, operation, effect }: Attempt, error: unknown): UpstreamError {
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
