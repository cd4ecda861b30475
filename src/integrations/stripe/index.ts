import type Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import type { HttpLog } from '#server/http-client/http-client.ts'
import {
  AmbiguousOutcome,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
  UpstreamUnavailable,
} from '#server/http-client/upstream-errors.ts'

export type { Stripe }

interface PaymentsOptions {
  /** Without one, every call fails with UPSTREAM_UNAVAILABLE. */
  secretKey: string | undefined
  /** Where the API is. */
  url: string
  /** The signing secrets of the webhook endpoint; several while one is being replaced. */
  webhookSecrets: readonly string[]
  log: HttpLog
  /** For one attempt; the official client repeats a failed one twice. */
  timeoutMs?: number
}

export interface Payments {
  readonly isOn: boolean
  /**
   * A call that changes nothing. Rejects with UpstreamUnavailable when there is no answer, UpstreamRejected when the
   * provider refuses the request (`code` is its own, for instance `resource_missing`).
   */
  read<T>(operation: string, send: (stripe: Stripe) => Promise<T>): Promise<T>
  /**
   * A call that changes something. `send` must hand over `once`, which carries the key under which the provider does it at
   * most once in 24 hours. Rejects with AmbiguousOutcome when it may have been done: look for it before using another key,
   * because a failure with status 500 is repeated under the same key. UpstreamRejected: it was not done; `code` is the
   * provider's own, a declined card's reason (`insufficient_funds`) comes first.
   */
  write<T>(
    operation: string,
    key: string,
    send: (stripe: Stripe, once: { idempotencyKey: string }) => Promise<T>,
  ): Promise<T>
  /** The event of a webhook's body. Rejects with VALIDATION_FAILED unless one of our secrets signed it in the last five minutes. */
  readEvent(body: Uint8Array, signature: string): Promise<Stripe.Event>
}

const upstream = 'stripe'
const toleranceSeconds = 300

/** Opens the connection to the payment provider. Its client is loaded with the first call. */
export function createPayments(options: PaymentsOptions): Payments {
  const { secretKey, url, webhookSecrets, log, timeoutMs = 20_000 } = options
  let opened: Promise<Stripe> | undefined
  const open = (): Promise<Stripe> => {
    if (!secretKey) throw new AppError('UPSTREAM_UNAVAILABLE', 'Payments are not set up on this server.')
    opened ??= openClient(secretKey, new URL(url), timeoutMs)
    return opened
  }
  const run = async <T>(
    operation: string,
    effect: 'read' | 'write',
    send: (stripe: Stripe) => Promise<T>,
  ): Promise<T> => {
    const stripe = await open()
    const startedAt = performance.now()
    try {
      return await send(stripe)
    } catch (error) {
      const problem = toUpstreamError(error, operation, effect)
      const ms = Math.round(performance.now() - startedAt)
      log.warn({ upstream, operation, ms, err: problem }, 'a call to the payment provider failed')
      throw problem
    }
  }
  return {
    isOn: Boolean(secretKey),
    read: (operation, send) => run(operation, 'read', send),
    write: (operation, key, send) => run(operation, 'write', stripe => send(stripe, { idempotencyKey: key })),
    readEvent: async (body, signature) => readSignedEvent(await open(), body, signature, webhookSecrets),
  }
}

interface Creation<T> {
  operation: string
  /** The key of the intent, as `write` takes it. */
  key: string
  /** Looks at the provider for what an earlier attempt may have made; null when there is nothing. */
  find: () => Promise<T | null>
  create: (stripe: Stripe, once: { idempotencyKey: string }) => Promise<T>
}

const maxAttempts = 3

/**
 * What an earlier attempt made, or else what is made now: at most one, whatever replies were lost. Rejects with
 * AmbiguousOutcome if it may still appear; a later call then finds it or makes it.
 */
export async function findOrCreate<T>(
  payments: Payments,
  { operation, key, find, create }: Creation<T>,
  attempt = 1,
): Promise<T> {
  const existing = await find()
  if (existing) return existing
  try {
    return await payments.write(operation, attempt === 1 ? key : `${key}-${attempt}`, create)
  } catch (error) {
    // A failure with status 500 has ended and is repeated under its key, so only another key can succeed. Any other attempt
    // may still be under way at the provider.
    if (error instanceof AmbiguousOutcome && error.status === 500 && attempt < maxAttempts)
      return findOrCreate(payments, { operation, key, find, create }, attempt + 1)
    const made = error instanceof AmbiguousOutcome ? await find() : null
    if (made) return made
    throw error
  }
}

async function openClient(secretKey: string, { hostname, port, protocol }: URL, timeout: number): Promise<Stripe> {
  const { default: Client } = await import('stripe')
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return new Client(secretKey, {
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
    protocol: scheme,
    timeout,
    maxNetworkRetries: 2,
    telemetry: false,
  })
}

async function readSignedEvent(
  stripe: Stripe,
  body: Uint8Array,
  signature: string,
  secrets: readonly string[],
): Promise<Stripe.Event> {
  // The client accepts any moment in the future.
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1] ?? Number.NaN)
  const isFuture = !(signedAt <= Date.now() / 1000 + toleranceSeconds)
  for (const secret of isFuture ? [] : secrets)
    try {
      return await stripe.webhooks.constructEventAsync(Buffer.from(body), signature, secret, toleranceSeconds)
    } catch {
      // The next secret may fit. A body that is signed but no event is rejected below like one that is not signed.
    }
  throw new AppError('VALIDATION_FAILED', 'The signature does not fit.', {
    details: ['Stripe-Signature must be made with our secret in the last five minutes'],
  })
}

/** What the official client throws, read by its form: importing its classes would load it. */
interface ClientError {
  type?: string
  message: string
  statusCode?: number
  code?: string
  decline_code?: string
  requestId?: string
  headers?: Record<string, string>
}

function toUpstreamError(error: unknown, operation: string, effect: 'read' | 'write'): unknown {
  const { type, message, statusCode: status, code, decline_code, requestId, headers } = error as ClientError
  if (!(error instanceof Error) || !type?.startsWith('Stripe')) return error
  const retryAfter = Number(headers?.['retry-after'])
  const context = {
    upstream,
    operation,
    status,
    code: decline_code ?? code,
    requestId,
    cause: error,
    ...(Number.isFinite(retryAfter) && { retryAfterMs: retryAfter * 1000 }),
  }
  if (status === 401) return new UpstreamUnauthorized(message, context)
  if (status === 403) return new UpstreamForbidden(message, context)
  if (status === 429) return new UpstreamThrottled(message, context)
  if (status !== undefined && status >= 400 && status < 500 && status !== 409)
    return new UpstreamRejected(message, context)
  return effect === 'read' ? new UpstreamUnavailable(message, context) : new AmbiguousOutcome(message, context)
}
