import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { World } from '../../core/world.ts'
import { selfSigned } from './certificate.ts'

const signedFields: Record<string, readonly string[]> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}

/** The text that a topic signs: the fields that there are, each with its name, a line each. */
const canonical = (envelope: Record<string, string>): string =>
  (signedFields[envelope.Type ?? ''] ?? [])
    .flatMap(field => (envelope[field] === undefined ? [] : [`${field}\n${envelope[field]}\n`]))
    .join('')

export interface EnvelopeSigner {
  /** The message with its signature; what no topic wrote stays as it is. The same message gets the same signature. */
  seal(body: string): string
  /** The certificate of that name, PEM; null where there is none. */
  certificate(file: string): string | null
}

interface Held {
  key: KeyObject
  file: string
  pem: string
}

const hold = (key: KeyObject): Held => {
  const pem = selfSigned(key, 'sns.amazonaws.com')
  const print = createHash('sha256').update(pem).digest('hex').slice(0, 32)
  return { key, file: `SimpleNotificationService-${print}.pem`, pem }
}

/** Signs as topics do (signature version 2), with a key of the world's own, made when it is first needed. */
export const createEnvelopeSigner = (world: World): EnvelopeSigner => {
  let held: Held | null = null
  world.registerState<string | null>('stream-key', {
    dump: () => held && held.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    restore: pem => void (held = pem === null ? null : hold(createPrivateKey(pem))),
    reset: () => void (held = null),
  })
  const current = (): Held => {
    if (held) return held
    held = hold(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
    world.saveState('stream-key')
    return held
  }
  return {
    seal(body) {
      const envelope = JSON.parse(body) as Record<string, string>
      if (envelope.TopicArn === undefined) return body
      const { key, file } = current()
      return JSON.stringify({
        ...envelope,
        SignatureVersion: '2',
        Signature: sign('sha256', Buffer.from(canonical(envelope)), key).toString('base64'),
        SigningCertURL: `${world.config.publicUrl}/sqs/${file}`,
      })
    },
    certificate: file => (held?.file === file ? held.pem : null),
  }
}
