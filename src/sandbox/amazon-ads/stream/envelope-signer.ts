import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  createPublicKey,
  randomUUID,
} from 'node:crypto'
import type { World } from '../../core/world.ts'

export function topicArn(dataset: string, region: string): string {
  const places: Record<string, string> = { NA: 'us-east-1', EU: 'eu-west-1', FE: 'us-west-2' }
  return `arn:aws:sns:${places[region] ?? 'us-east-1'}:906013806264:${dataset}`
}

/** The message that carries one record, as a topic writes it into a queue; it is signed when it is handed out. */
export function notification(arn: string, record: object, now: Date): string {
  return JSON.stringify({
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: arn,
    Message: JSON.stringify(record),
    Timestamp: now.toISOString(),
    UnsubscribeURL: `https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=${arn}`,
  })
}

/** The first message of a subscription: nothing follows until its link was opened. */
export const confirmation = (arn: string, token: string, publicUrl: string, now: Date): string =>
  JSON.stringify({
    Type: 'SubscriptionConfirmation',
    MessageId: randomUUID(),
    Token: token,
    TopicArn: arn,
    Message: `You have chosen to subscribe to the topic ${arn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
    SubscribeURL: `${publicUrl}/sqs/confirm?${new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: arn, Token: token })}`,
    Timestamp: now.toISOString(),
  })

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts)
const moment = (text: string): Buffer => tlv(0x17, Buffer.from(text))

const SHA256_WITH_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')

const name = (commonName: string): Buffer =>
  sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(commonName)))))

/**
 * A certificate (X.509, PEM) of an RSA key, signed by itself and valid until 2049; the same key and name give the same
 * one. Node can read certificates and not write them.
 */
function selfSigned(privateKey: KeyObject, commonName: string): string {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  // A serial number must be positive, so its first byte is below 0x80 and not nothing.
  const serial = Buffer.concat([Buffer.from([1]), createHash('sha256').update(publicKey).digest().subarray(0, 15)])
  const validity = sequence(moment('200101000000Z'), moment('491231235959Z'))
  const issuer = name(commonName)
  const content = sequence(tlv(0x02, serial), SHA256_WITH_RSA, issuer, validity, issuer, publicKey)
  const signature = sign('sha256', content, privateKey)
  const der = sequence(content, SHA256_WITH_RSA, tlv(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const signedFields: Record<string, readonly string[]> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}

/** The text that a topic signs: the fields that there are, each with its name, a line each. */
function canonical(envelope: Record<string, string>): string {
  return (signedFields[envelope.Type ?? ''] ?? [])
    .flatMap(field => (envelope[field] === undefined ? [] : [`${field}\n${envelope[field]}\n`]))
    .join('')
}

export interface EnvelopeSigner {
  /** The message with its signature; what no topic wrote stays as it is. The same message gets the same signature. */
  seal(body: string): string
  /** The certificate of that name, PEM; null where there is none. */
  certificate(file: string): string | null
}

interface SigningKey {
  key: KeyObject
  file: string
  pem: string
}

function signingKeyOf(key: KeyObject): SigningKey {
  const pem = selfSigned(key, 'sns.amazonaws.com')
  const print = createHash('sha256').update(pem).digest('hex').slice(0, 32)
  return { key, file: `SimpleNotificationService-${print}.pem`, pem }
}

/** Signs as topics do (signature version 2), with a key of the world's own, made when it is first needed. */
export function createEnvelopeSigner(world: World): EnvelopeSigner {
  let current: SigningKey | null = null
  world.registerState<string | null>('stream-key', {
    dump: () => current && current.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    restore: pem => void (current = pem === null ? null : signingKeyOf(createPrivateKey(pem))),
    reset: () => void (current = null),
  })
  const ensureKey = (): SigningKey => {
    if (current) return current
    current = signingKeyOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
    world.saveState('stream-key')
    return current
  }
  return {
    seal(body) {
      const envelope = JSON.parse(body) as Record<string, string>
      if (envelope.TopicArn === undefined) return body
      const { key, file } = ensureKey()
      return JSON.stringify({
        ...envelope,
        SignatureVersion: '2',
        Signature: sign('sha256', Buffer.from(canonical(envelope)), key).toString('base64'),
        SigningCertURL: `${world.config.publicUrl}/sqs/${file}`,
      })
    },
    certificate: file => (current?.file === file ? current.pem : null),
  }
}
