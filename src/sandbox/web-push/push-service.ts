import { randomBytes, createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import type { World } from '../core/world.ts'

interface DeviceKeys {
  publicKey: string
  privateKey: string
  auth: string
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** New keys, as a browser makes them for a subscription. */
function createDeviceKeys(): DeviceKeys {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: pair.getPrivateKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}

/** Reads a push as the device does (RFC 8188, RFC 8291). Throws when it was not encrypted for these keys. */
function decryptPush(body: Buffer, keys: DeviceKeys): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const senderKey = body.subarray(21, 21 + body.readUInt8(20))
  const record = body.subarray(21 + senderKey.length)
  // A push is one record, so that truncation is noticed.
  if (record.length > recordSize || record.length < 17) throw new Error('not one record of aes128gcm')
  const device = createECDH('prime256v1')
  device.setPrivateKey(bytes(keys.privateKey))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), bytes(keys.publicKey), senderKey])
  const secret = derive(device.computeSecret(senderKey), bytes(keys.auth), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex(byte => byte !== 0)
  if (padded[end] !== 2) throw new Error('the record does not say that it is the last one')
  return padded.subarray(0, end).toString('utf8')
}

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
