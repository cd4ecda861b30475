import { parseRetryAfter } from '#server/http-client/failures/retry-after.ts'
import type { Clock } from '#shared/time.ts'
import { areDeviceKeys, type DeviceKeys } from './device-keys.ts'
import { outcomeOf, type PushOutcome } from './mapper.ts'
import { isPushService } from './push-hosts.ts'
import { type VapidKey, type VapidPair, vapidPairs } from './vapid-ring.ts'

export type { PushOutcome } from './mapper.ts'
export type { VapidKey } from './vapid-ring.ts'

/** A subscription as a browser hands it out. */
export interface PushTarget {
  endpoint: string
  keys: DeviceKeys
  /** The key of ours that it was made with. */
  keyId: string
}

export interface PushMessage {
  /** What the browser's worker reads; at most 3,000 bytes, so that it fits every service's 4,096 once encrypted. */
  payload: string
  /** How long the service keeps it for a device that is off. */
  ttlSeconds: number
  urgency: 'low' | 'normal' | 'high'
  /** Replaces an undelivered one of the same topic; up to 32 characters of base64url. */
  topic: string
}

export interface WebPush {
  /** The key that browsers subscribe with now; null when there is none and push is off. */
  readonly current: { id: string; publicKey: string } | null
  /** True when the endpoint is one of a push service that may be called, and the keys can be encrypted for. */
  accepts(subscription: Omit<PushTarget, 'keyId'>): boolean
  /** Hands one push to the service; never rejects. See PushOutcome for what to do next. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}

export interface WebPushOptions {
  /** The current one first; none: push is off. */
  keys: readonly VapidKey[]
  /** Whom a push service may write to about us: mailto: or https:. */
  contact: string
  /** Origins besides the makers' own services. */
  hosts: readonly string[]
  clock: Clock
  fetch?: typeof fetch
  timeoutMs?: number
}

export const mostPayloadBytes = 3000

/** The door to push services. Throws when a key is none. */
export function createWebPush(options: WebPushOptions): WebPush {
  const { contact, hosts, clock, fetch: send = fetch, timeoutMs = 5000 } = options
  const pairs = vapidPairs(options.keys)
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
      if (!accepts(target)) return { outcome: 'gone', reason: 'its host may not be called, or its keys are none' }
      if (Buffer.byteLength(message.payload) > mostPayloadBytes)
        return { outcome: 'refused', reason: `the payload is larger than ${mostPayloadBytes} bytes` }
      return post(target, pair, message)
    },
  }
}

async function sealed(target: PushTarget, pair: VapidPair, subject: string, message: PushMessage) {
  // Read with the first push: it would take its time from every start.
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(target, message.payload, {
    vapidDetails: { subject, publicKey: pair.publicKey, privateKey: pair.privateKey },
    contentEncoding: 'aes128gcm',
    TTL: Math.max(0, Math.floor(message.ttlSeconds)),
    urgency: message.urgency,
    topic: message.topic,
  })
  // The length is the request's own to say.
  delete headers['Content-Length']
  return { headers, body: new Uint8Array(body) }
}
