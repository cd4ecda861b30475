import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { World } from '../../core/world.ts'
import { selfSigned } from './certificate.ts'

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
