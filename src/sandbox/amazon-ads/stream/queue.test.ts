import { verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  envelopeOf,
  type Message,
  queueReader,
  startStreamedSandbox,
  subscribe,
} from '../../../../tests/support/stream-queue.ts'

let sandbox: Sandbox
const { sqs, receive, remove, confirmAll, drain } = queueReader(() => sandbox)
beforeAll(async () => {
  const started = await startStreamedSandbox()
  sandbox = started.sandbox
  for (const dataset of ['sp-traffic', 'sp-conversion', 'budget-usage']) await subscribe(started.ads, dataset)
  await confirmAll()
})
afterAll(() => sandbox.close())

describe('the topic', () => {
  test('signs what it writes, with a certificate at the address that the message names', async () => {
    sandbox.world.clock.advance(6 * 3_600_000)
    const [message] = await receive(1)
    const envelope = envelopeOf(message as Message)
    const pem = await (await fetch(envelope.SigningCertURL ?? '')).text()
    const certificate = new X509Certificate(pem)
    expect(certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.subject).toBe('CN=sns.amazonaws.com')
    expect(new Date(certificate.validFrom) < new Date('2026-03-10') && certificate.validTo).toContain('2049')
    const names = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']
    const text = names.map(name => `${name}\n${envelope[name]}\n`).join('')
    const signature = Buffer.from(envelope.Signature ?? '', 'base64')
    expect(envelope.SignatureVersion).toBe('2')
    expect(verify('sha256', Buffer.from(text), certificate.publicKey, signature)).toBe(true)
    expect(verify('sha256', Buffer.from(`${text} `), certificate.publicKey, signature)).toBe(false)
    expect((await fetch(`${sandbox.url}/sqs/SimpleNotificationService-other.pem`)).status).toBe(404)
    sandbox.world.clock.advance(31_000)
    await drain()
  })
})

describe('the queue', () => {
  beforeEach(async () => {
    sandbox.world.clock.advance(31_000)
    for (let waiting = await receive(); waiting.length > 0; waiting = await receive()) await remove(waiting)
  })

  test('delivers again what was not deleted in time, and drops what was', async () => {
    for (const MessageBody of ['first', 'second']) await sqs('SendMessage', { MessageBody })
    const bodiesOf = (messages: Message[]) => messages.map(({ Body }) => Body)
    const first = await receive(1)
    expect(bodiesOf(first)).toEqual(['first'])
    expect(bodiesOf(await receive(10))).toEqual(['second'])
    sandbox.world.clock.advance(31_000)
    const again = await receive(1)
    expect(bodiesOf(again)).toEqual(['first'])
    expect((await remove(first)).body).toMatchObject({
      Successful: [],
      Failed: [{ Id: '0', Code: 'ReceiptHandleIsInvalid' }],
    })
    expect((await remove(again)).body).toMatchObject({ Successful: [{ Id: '0' }], Failed: [] })
    sandbox.world.clock.advance(31_000)
    expect(bodiesOf(await receive(10))).toEqual(['second'])
  })

  test('waits for the first message as long as requested', async () => {
    const waiting = sqs('ReceiveMessage', { WaitTimeSeconds: 20 })
    await expect.poll(() => sandbox.world.journal.list({ vendor: 'sqs' }).at(-1)?.status).toBeNull()
    sandbox.world.clock.advance(12 * 3_600_000)
    expect((await waiting).body.Messages).toHaveLength(1)
  })

  test('delivers twice, or in another order, when a fault is injected', async () => {
    sandbox.world.clock.advance(12 * 3_600_000)
    sandbox.world.faults.add({ match: { vendor: 'sqs' }, kind: 'duplicate-delivery' })
    const twice = await receive(3)
    expect(twice).toHaveLength(3)
    await remove(twice)
    const rest: string[] = []
    for (let messages = await receive(); messages.length > 0; messages = await receive()) {
      rest.push(...messages.map(message => message.Body))
      await remove(messages)
    }
    for (const { Body } of twice) expect(rest).toContain(Body)
    sandbox.world.clock.advance(12 * 3_600_000)
    const inOrder = (await receive(4)).map(message => message.Body)
    sandbox.world.clock.advance(31_000)
    sandbox.world.faults.add({ match: { vendor: 'sqs' }, kind: 'out-of-order' })
    expect((await receive(4)).map(message => message.Body)).toEqual(inOrder.toReversed())
  })

  test('hands on what strangers send, as it is and not signed', async () => {
    const sent = await sqs('SendMessage', { MessageBody: '{"Type":"Notification","TopicArn":"arn:made:up"}' })
    expect(sent.body).toMatchObject({ MessageId: expect.any(String), MD5OfMessageBody: expect.any(String) })
    const [message] = await receive(1)
    expect(message?.Body).toBe('{"Type":"Notification","TopicArn":"arn:made:up"}')
    await remove(message ? [message] : [])
    expect((await sqs('SendMessage', {})).status).toBe(400)
  })

  test('drops messages after 14 days', async () => {
    await sqs('SendMessage', { MessageBody: 'old' })
    sandbox.world.clock.advance(13 * 86_400_000)
    await sqs('SendMessage', { MessageBody: 'young' })
    expect((await receive(2)).map(message => message.Body)).toEqual(['old', 'young'])
    sandbox.world.clock.advance(86_400_000 + 1000)
    expect((await receive(1)).map(message => message.Body)).toEqual(['young'])
  })

  test('answers at the root too, and names an action it does not have', async () => {
    expect((await sqs('GetQueueAttributes', {}, '/')).body).toMatchObject({ Attributes: {} })
    expect(await sqs('PurgeQueue', {})).toMatchObject({
      status: 400,
      body: { __type: 'com.amazonaws.sqs#InvalidAction' },
    })
    expect((await sqs('ReceiveMessage', { MaxNumberOfMessages: 11 })).status).toBe(400)
  })
})
