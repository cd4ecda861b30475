import { randomBytes } from 'node:crypto'
import { createDeviceKeys, type DeviceKeys, decryptPush } from './decrypt-push.ts'

/** A token that nobody can guess: anybody who knows an address of this service may try to send to it. */
const newToken = (): string => randomBytes(24).toString('base64url')

/** A browser that receives pushes; `GONE` after its user unsubscribed. */
interface Device {
  token: string
  keys: DeviceKeys
  /** The only application that may send to it, base64url; null lets any. */
  applicationServerKey: string | null
  state: 'ONLINE' | 'OFFLINE' | 'GONE'
}

interface Message {
  id: string
  token: string
  /** World time, milliseconds. */
  at: number
  ttl: number
  urgency: string
  topic: string | null
  /** The encrypted body, base64url. */
  body: string
  deliveredAt: number | null
}

/** A push as its device reads it. */
export interface DeliveredPush {
  token: string
  at: string
  ttl: number
  urgency: string
  topic: string | null
  /** Null when the device cannot decrypt it and drops it silently. */
  payload: string | null
  /** Null while the device is offline. */
  deliveredAt: string | null
}

interface PushState {
  devices: Device[]
  messages: Message[]
}

export type NewMessage = Pick<Message, 'token' | 'ttl' | 'urgency' | 'topic' | 'body'>

const MAX_MESSAGES = 500

/** A push service: its browsers, and the messages sent to them. Callers pass the time. */
export interface PushService {
  subscribe(applicationServerKey: string | null): Device
  find(token: string): Device | undefined
  /** The browser goes online or offline, or unsubscribes. Pending messages are delivered when it comes back online. */
  change(token: string, state: Device['state'], now: number): void
  /** Accepts a message and returns its id. It replaces a pending message with the same topic. */
  accept(message: NewMessage, now: number): string
  /** Newest first, without messages that expired before delivery. */
  read(now: number): DeliveredPush[]
  clearMessages(): void
  dump(): PushState
  restore(state: PushState): void
  reset(): void
}

const isoOf = (ms: number): string => new Date(ms).toISOString()

function payloadOf(message: Message, device: Device | undefined): string | null {
  try {
    return device ? decryptPush(Buffer.from(message.body, 'base64url'), device.keys) : null
  } catch {
    return null
  }
}

export function createPushService(): PushService {
  const devices = new Map<string, Device>()
  let messages: Message[] = []
  const dropExpired = (now: number): void => {
    messages = messages.filter(m => m.deliveredAt !== null || m.at + m.ttl * 1000 > now)
  }
  return {
    subscribe(applicationServerKey) {
      const device: Device = { token: newToken(), keys: createDeviceKeys(), applicationServerKey, state: 'ONLINE' }
      devices.set(device.token, device)
      return device
    },
    find: token => devices.get(token),
    change(token, state, now) {
      const device = devices.get(token)
      if (!device) return
      device.state = state
      dropExpired(now)
      if (state === 'ONLINE') for (const m of messages) if (m.token === token) m.deliveredAt ??= now
      if (state === 'GONE') messages = messages.filter(m => m.token !== token || m.deliveredAt !== null)
    },
    accept(message, now) {
      dropExpired(now)
      const delivered = devices.get(message.token)?.state === 'ONLINE'
      const replaced = (m: Message): boolean =>
        m.deliveredAt === null && m.token === message.token && m.topic !== null && m.topic === message.topic
      const added: Message = { ...message, id: newToken(), at: now, deliveredAt: delivered ? now : null }
      messages = [added, ...messages.filter(m => !replaced(m))].slice(0, MAX_MESSAGES)
      return added.id
    },
    read(now) {
      dropExpired(now)
      return messages.map(m => ({
        token: m.token,
        at: isoOf(m.at),
        ttl: m.ttl,
        urgency: m.urgency,
        topic: m.topic,
        payload: payloadOf(m, devices.get(m.token)),
        deliveredAt: m.deliveredAt === null ? null : isoOf(m.deliveredAt),
      }))
    },
    clearMessages() {
      messages = []
    },
    dump: () => ({ devices: [...devices.values()], messages }),
    restore(state) {
      devices.clear()
      for (const device of state.devices) devices.set(device.token, device)
      messages = state.messages
    },
    reset() {
      devices.clear()
      messages = []
    },
  }
}
