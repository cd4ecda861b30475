import { parseRetryAfter } from '#server/http-client/http-client.ts'
import type { Clock } from '#shared/time.ts'
import { ECDH, createECDH } from 'node:crypto'

/** A browser's subscription. */
export interface PushTarget {
  endpoint: string
  /** In base64url. */
  keys: { p256dh: string; auth: string }
  /** The id of our key that it was made with. */
  keyId: string
}

export interface PushMessage {
  /** At most 3,000 bytes, so that it fits every service's limit of 4,096 once encrypted. */
  payload: string
  /** How long the service stores it for a device that is off. */
  ttlSeconds: number
  urgency: 'low' | 'normal' | 'high'
  /** Replaces an undelivered push with the same topic; up to 32 characters of base64url. */
  topic: string
}

export interface WebPush {
  /** The key that browsers subscribe with; null if there is none and push is off. */
  readonly current: { id: string; publicKey: string } | null
  /** True if the endpoint belongs to an allowed push service and the keys are valid. */
  accepts(subscription: Omit<PushTarget, 'keyId'>): boolean
  /** Sends one push to the service. Never rejects; see PushOutcome for what to do next. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}

export interface WebPushOptions {
  /** The current one first. Without keys push is off. */
  keys: readonly VapidKey[]
  /** Where push services can reach the operator: mailto: or https:. */
  contact: string
  /** Allowed origins in addition to the browser vendors' services. */
  hosts: readonly string[]
  clock: Clock
  fetch?: typeof fetch
  timeoutMs?: number
}

export const maxPayloadBytes = 3000

/** A client for push services. Throws if a key is invalid. */
export function createWebPush(options: WebPushOptions): WebPush {
  const { contact, hosts, clock, fetch: send = fetch, timeoutMs = 5000 } = options
  const pairs = options.keys.map(vapidPair)
  const [current] = pairs
  const accepts: WebPush['accepts'] = ({ endpoint, keys }) => isPushService(endpoint, hosts) && areDeviceKeys(keys)
  const post = async (target: PushTarget, pair: VapidPair, message: PushMessage): Promise<PushOutcome> => {
    const request = await sealed(target, pair, contact, message).catch((error: unknown) => error as Error)
    if (request instanceof Error) return { outcome: 'refused', reason: request.message }
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const reply = await send(target.endpoint, { method: 'POST', redirect: 'manual', signal, ...request })
      await reply.body?.cancel()
      return outcomeOf(reply.status, parseRetryAfter(reply.headers.get('retry-after'), clock.now()))
    } catch (error) {
      return { outcome: 'retry', reason: `the push service was not reached: ${(error as Error).message}` }
    }
  }
  return {
    current: current ? { id: current.id, publicKey: current.publicKey } : null,
    accepts,
    send: async (target, message) => {
      const pair = pairs.find(({ id }) => id === target.keyId)
      if (!pair) return { outcome: 'gone', reason: 'the key it was made with is retired' }
      if (!accepts(target)) return { outcome: 'gone', reason: 'its host is not allowed, or its keys are invalid' }
      if (Buffer.byteLength(message.payload) > maxPayloadBytes)
        return { outcome: 'refused', reason: `the payload is larger than ${maxPayloadBytes} bytes` }
      return post(target, pair, message)
    },
  }
}

async function sealed(target: PushTarget, pair: VapidPair, subject: string, message: PushMessage) {
  // Loaded with the first push, because it would slow every start down.
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(target, message.payload, {
    vapidDetails: { subject, publicKey: pair.publicKey, privateKey: pair.privateKey },
    contentEncoding: 'aes128gcm',
    TTL: Math.max(0, Math.floor(message.ttlSeconds)),
    urgency: message.urgency,
    topic: message.topic,
  })
  // fetch sets it.
  delete headers['Content-Length']
  return { headers, body: new Uint8Array(body) }
}

// Google (Chrome, Edge on Android, Opera, Samsung), Mozilla, Apple, Microsoft.
const vendorHosts =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)+(?:push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com))$/

/**
 * True if an endpoint belongs to a browser vendor's push service over HTTPS, or to one of `extraOrigins`. Any other address
 * would let a user make this server call into its own network.
 */
function isPushService(endpoint: string, extraOrigins: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password, origin } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  return extraOrigins.includes(origin) || (protocol === 'https:' && port === '' && vendorHosts.test(hostname))
}

/** True if a push can be encrypted with these keys: a point on P-256, and 16 bytes. */
function areDeviceKeys({ p256dh, auth }: PushTarget['keys']): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  const point = Buffer.from(p256dh, 'base64url')
  try {
    return point.length === 65 && Boolean(ECDH.convertKey(point, 'prime256v1'))
  } catch {
    return false
  }
}

/**
 * `accepted`: the service has it, though not yet the device. `gone`: the subscription has ended; delete it. `retry`: send it
 * again, not before `retryAfterMs` if present. `refused`: our mistake (key, signature, size), which an operator must fix; a
 * retry does not help.
 */
export type PushOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'gone'; reason: string }
  | { outcome: 'retry'; reason: string; retryAfterMs?: number }
  | { outcome: 'refused'; reason: string }

function outcomeOf(status: number, retryAfterMs: number | undefined): PushOutcome {
  const reason = `the push service answered ${status}`
  if (status >= 200 && status < 300) return { outcome: 'accepted' }
  if (status === 404 || status === 410) return { outcome: 'gone', reason }
  if (status === 429 || status === 408 || status >= 500)
    return { outcome: 'retry', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  return { outcome: 'refused', reason }
}

/** A private key that identifies us to push services, 32 bytes in base64url. */
export interface VapidKey {
  id: string
  privateKey: string
}

type VapidPair = ReturnType<typeof vapidPair>

/** The key with its public key, which browsers subscribe with. Throws if it is not a private key of P-256. */
function vapidPair({ id, privateKey }: VapidKey) {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  } catch {
    throw new Error(`The VAPID key ${id} is not a private key of P-256.`)
  }
  return { id, privateKey, publicKey: pair.getPublicKey('base64url') }
}
