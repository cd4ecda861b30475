import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { UpstreamError, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { z } from 'zod'
import { orReason } from './records.ts'

const common = {
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string().refine(text => !Number.isNaN(Date.parse(text)), 'no date'),
  SignatureVersion: z.string(),
  Signature: z.string(),
  SigningCertURL: z.string(),
}
const handshake = { ...common, Token: z.string(), SubscribeURL: z.url() }
// What the topic puts into the queue: the record is a JSON text inside `Message`.
const envelopeWire = z.discriminatedUnion('Type', [
  z.object({ Type: z.literal('Notification'), ...common, Subject: z.string().optional() }),
  z.object({ Type: z.literal('SubscriptionConfirmation'), ...handshake }),
  z.object({ Type: z.literal('UnsubscribeConfirmation'), ...handshake }),
])
type Envelope = z.output<typeof envelopeWire>

/** The topic's envelope in a message's body, or the reason why it cannot be read. */
export const readEnvelope = (body: string): { envelope: Envelope } | { reason: string } =>
  orReason(() => ({ envelope: envelopeWire.parse(JSON.parse(body)) }))

// The fields that a topic signs, in this order; a message without one of them skips it.
const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const
const digests = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])
const topicsHost = /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(\.cn)?$/

function signedText(envelope: Envelope): Buffer {
  const values: Record<string, string | undefined> = envelope
  const lines = signedFields[envelope.Type].flatMap(name => (values[name] === undefined ? [] : [name, values[name]]))
  return Buffer.from(lines.map(line => `${line}\n`).join(''))
}

/** Anybody can sign with their own certificate: only one that the topics or the queue itself serve is trusted. */
function certificateUrl(link: string, queueUrl: string): string | null {
  const url = URL.canParse(link) ? new URL(link) : null
  if (!url?.pathname.endsWith('.pem') || url.search || url.hash || url.username || url.password) return null
  const ofTopics = url.protocol === 'https:' && topicsHost.test(url.host)
  return ofTopics || url.origin === new URL(queueUrl).origin ? url.href : null
}

function readKey(pem: string): KeyObject | null {
  try {
    return createPublicKey(pem)
  } catch {
    return null
  }
}

/** `unknown`: the certificate could not be fetched now. */
type SignatureCheck = { is: 'good' } | { is: 'forged'; reason: string } | { is: 'unknown' }

const forged = (reason: string): SignatureCheck => ({ is: 'forged', reason })

/** Checks who wrote a message of the queue, as topics sign (versions 1 and 2); certificates are fetched once. */
export function createSignatureCheck(http: HttpClient, queueUrl: string) {
  const keys = new Map<string, KeyObject>()

  const keyAt = async (url: string): Promise<KeyObject | null> => {
    const cached = keys.get(url)
    if (cached) return cached
    const reply = await http.open({ operation: 'fetch topic certificate', method: 'GET', url, effect: 'read' })
    const key = readKey(await reply.text())
    if (key) keys.set(url, key)
    return key
  }

  return async (envelope: Envelope): Promise<SignatureCheck> => {
    const digest = digests.get(envelope.SignatureVersion)
    if (!digest) return forged(`signature version ${envelope.SignatureVersion}`)
    const url = certificateUrl(envelope.SigningCertURL, queueUrl)
    if (!url) return forged('its certificate is at an unknown host')
    try {
      const key = await keyAt(url)
      if (key?.asymmetricKeyType !== 'rsa') return forged('its certificate is none')
      const signature = Buffer.from(envelope.Signature, 'base64')
      return verify(digest, signedText(envelope), key, signature) ? { is: 'good' } : forged('its signature is wrong')
    } catch (error) {
      if (error instanceof UpstreamRejected) return forged('its certificate does not exist')
      if (!(error instanceof UpstreamError)) throw error
      return { is: 'unknown' }
    }
  }
}
