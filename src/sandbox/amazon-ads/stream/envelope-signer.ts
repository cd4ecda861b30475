import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { X509CertificateCreateSelfSignedParams } from '@peculiar/x509'
import type { World } from '../../core/world.ts'

const places: Record<string, string> = { NA: 'us-east-1', EU: 'eu-west-1', FE: 'us-west-2' }

/** The messages that the topic of a dataset in a region writes into a queue; they are signed when they are handed out. */
export function topicOf(dataset: string, region: string, now: Date) {
  const arn = `arn:aws:sns:${places[region] ?? 'us-east-1'}:906013806264:${dataset}`
  return {
    notification: (record: object): string =>
      JSON.stringify({
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: arn,
        Message: JSON.stringify(record),
        Timestamp: now.toISOString(),
        UnsubscribeURL: `https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=${arn}`,
      }),
    /** The first message of a subscription: nothing follows until its link was opened. */
    confirmation: (token: string, publicUrl: string): string =>
      JSON.stringify({
        Type: 'SubscriptionConfirmation',
        MessageId: randomUUID(),
        Token: token,
        TopicArn: arn,
        Message: `You have chosen to subscribe to the topic ${arn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
        SubscribeURL: `${publicUrl}/sqs/confirm?${new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: arn, Token: token })}`,
        Timestamp: now.toISOString(),
      }),
  }
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

interface SigningKey {
  key: KeyObject
  /** Name and content (PEM) of its certificate. */
  file: string
  certificate: string
}

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** A key with a certificate signed by itself and valid until 2049; the same key gives the same one. */
async function signingKeyOf(pem: string): Promise<SigningKey> {
  // Loaded for the first message only: the library takes a tenth of a second. It looks for the other one when it loads.
  await import('reflect-metadata')
  const { X509CertificateGenerator } = await import('@peculiar/x509')
  const key = createPrivateKey(pem)
  const keys = {
    privateKey: key.toCryptoKey(algorithm, false, ['sign']),
    publicKey: createPublicKey(key).toCryptoKey(algorithm, true, ['verify']),
  }
  const signed = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=sns.amazonaws.com',
    serialNumber: '01',
    notBefore: new Date('2020-01-01T00:00:00Z'),
    notAfter: new Date('2049-12-31T23:59:59Z'),
    // The library's declarations mean the browser's key types, which differ from Node's in name only.
    keys: keys as unknown as X509CertificateCreateSelfSignedParams['keys'],
    signingAlgorithm: algorithm,
  })
  const certificate = signed.toString('pem')
  const print = createHash('sha256').update(certificate).digest('hex').slice(0, 32)
  return { key, file: `SimpleNotificationService-${print}.pem`, certificate }
}

/** Signs as topics do (signature version 2), with a key of the world's own, made when it is first needed. */
export class EnvelopeSigner {
  private readonly world: World
  private pem: string | null = null
  private key: Promise<SigningKey> | null = null

  constructor(world: World) {
    this.world = world
    world.registerState<string | null>('stream-key', {
      dump: () => this.pem,
      restore: pem => this.use(pem),
      reset: () => this.use(null),
    })
  }

  /** The message with its signature; what no topic wrote stays as it is. The same message gets the same signature. */
  async seal(body: string): Promise<string> {
    const envelope = JSON.parse(body) as Record<string, string>
    if (envelope.TopicArn === undefined) return body
    if (!this.pem) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      this.use(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
      this.world.saveState('stream-key')
    }
    const { key, file } = (await this.signingKey()) as SigningKey
    return JSON.stringify({
      ...envelope,
      SignatureVersion: '2',
      Signature: sign('sha256', Buffer.from(canonical(envelope)), key).toString('base64'),
      SigningCertURL: `${this.world.config.publicUrl}/sqs/${file}`,
    })
  }

  /** The certificate of that name, PEM; null where there is none. */
  async certificate(file: string): Promise<string | null> {
    const signingKey = await this.signingKey()
    return signingKey?.file === file ? signingKey.certificate : null
  }

  private use(pem: string | null): void {
    this.pem = pem
    this.key = null
  }

  private async signingKey(): Promise<SigningKey | null> {
    return this.pem ? (this.key ??= signingKeyOf(this.pem)) : null
  }
}
