import { randomBytes } from 'node:crypto'
import type { World } from '../core/world.ts'
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

const MAX_MESSAGES = 500

const isoOf = (ms: number): string => new Date(ms).toISOString()

/** What the device reads. Null when it cannot decrypt the message and drops it silently. */
function payloadOf(message: Message, device: Device | undefined): string | null {
  try {
    return device ? decryptPush(Buffer.from(message.body, 'base64url'), device.keys) : null
  } catch {
    return null
  }
}

export class PushService {
  private readonly world: World
  private devices = new Map<string, Device>()
  private messages: Message[] = []

  constructor(world: World) {
    this.world = world
    world.registerState<{ devices: Device[]; messages: Message[] }>('push', {
      dump: () => ({ devices: [...this.devices.values()], messages: this.messages }),
      restore: ({ devices, messages }) => {
        this.devices = new Map(devices.map(device => [device.token, device]))
        this.messages = messages
      },
      reset: () => {
        this.devices.clear()
        this.messages = []
      },
    })
  }

  subscribe(applicationServerKey: string | null): Device {
    const device: Device = { token: newToken(), keys: createDeviceKeys(), applicationServerKey, state: 'ONLINE' }
    this.devices.set(device.token, device)
    this.world.saveState('push')
    return device
  }

  find = (token: string): Device | undefined => this.devices.get(token)

  /** The browser goes online or offline, or unsubscribes. Pending messages are delivered when it comes back online. */
  change(token: string, state: Device['state']): void {
    const device = this.devices.get(token)
    if (!device) return
    device.state = state
    const now = this.dropExpired()
    if (state === 'ONLINE') for (const m of this.messages) if (m.token === token) m.deliveredAt ??= now
    if (state === 'GONE') this.messages = this.messages.filter(m => m.token !== token || m.deliveredAt !== null)
    this.world.saveState('push')
  }

  /** Accepts a message and returns its id. It replaces a pending message with the same topic. */
  accept(message: Pick<Message, 'token' | 'ttl' | 'urgency' | 'topic' | 'body'>): string {
    const at = this.dropExpired()
    const isOnline = this.devices.get(message.token)?.state === 'ONLINE'
    const isReplaced = (m: Message): boolean =>
      m.deliveredAt === null && m.token === message.token && m.topic !== null && m.topic === message.topic
    const added: Message = { ...message, id: newToken(), at, deliveredAt: isOnline ? at : null }
    this.messages = [added, ...this.messages.filter(m => !isReplaced(m))].slice(0, MAX_MESSAGES)
    this.world.saveState('push')
    return added.id
  }

  /** Newest first, without messages that expired before delivery. */
  read() {
    this.dropExpired()
    return this.messages.map(message => ({
      token: message.token,
      at: isoOf(message.at),
      ttl: message.ttl,
      urgency: message.urgency,
      topic: message.topic,
      payload: payloadOf(message, this.devices.get(message.token)),
      /** Null while the device is offline. */
      deliveredAt: message.deliveredAt === null ? null : isoOf(message.deliveredAt),
    }))
  }

  clearMessages(): void {
    this.messages = []
    this.world.saveState('push')
  }

  /** Returns the present time. */
  private dropExpired(): number {
    const now = this.world.clock.now().getTime()
    this.messages = this.messages.filter(m => m.deliveredAt !== null || m.at + m.ttl * 1000 > now)
    return now
  }
}
