import { generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '#server/http-client/http-client.ts'
import { type Answer, json, silentLog, startScriptedHost } from '../../../../tests/support/scripted-host.ts'
import { createStreamQueue } from './queue.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const certificate: Answer = { body: publicKey.export({ type: 'spki', format: 'pem' }) }
const notification = {
  Type: 'Notification',
  MessageId: 'm-1',
  TopicArn: 'arn:aws:sns:us-east-1:906013806264:budget-usage',
  Message: JSON.stringify({
    dataset_id: 'budget-usage',
    advertiser_id: 'E',
    marketplace_id: 'M',
    budget_scope_id: '77',
    budget_scope_type: 'CAMPAIGN',
    advertising_product_type: 'SP',
    budget: 25,
    budget_usage_percentage: 55.5,
    usage_updated_timestamp: '2026-11-20T10:00:00Z',
  }),
  Timestamp: '2026-11-20T10:00:01.000Z',
}
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
// As the topics' documentation writes it out: names and values in turn, a line each.
const textOf = ({ Message, MessageId, Timestamp, TopicArn, Type }: typeof notification): string =>
  `Message\n${Message}\nMessageId\n${MessageId}\nTimestamp\n${Timestamp}\nTopicArn\n${TopicArn}\nType\n${Type}\n`

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A queue that hands out what `messages` makes for its address, and then gives the configured answer. */
async function scene(messages: (url: string) => object[], ...answers: Answer[]) {
  const host = await startScriptedHost(
    () => {
      const bodies = messages(host.url).map(body => JSON.stringify(body))
      return json({ Messages: bodies.map((Body, i) => ({ MessageId: `${i}`, ReceiptHandle: `h${i}`, Body })) })
    },
    ...answers,
  )
  closers.push(host.close)
  const policy = { firstDelayMs: 1, maxDelayMs: 2, timeoutMs: 1500 }
  const http = createHttpClient({ upstream: 'amazon-ads', log: silentLog, policy })
  return { host, queue: createStreamQueue(http, { url: `${host.url}/queue` }) }
}

function signed(text: string, url: string, [version, digest] = ['2', 'RSA-SHA256']) {
  return {
    SignatureVersion: version,
    Signature: sign(digest, Buffer.from(text), privateKey).toString('base64'),
    SigningCertURL: `${url}/topics.pem`,
  }
}
const genuine = (url: string) => ({ ...notification, ...signed(textOf(notification), url) })
const paths = ({ seen }: { seen: { url: string }[] }): string[] => seen.map(request => request.url)

describe('a message of the queue', () => {
  it('is believed when its topic signed it, in either version, and the certificate is fetched once', async () => {
    const older = (url: string) => ({ ...notification, ...signed(textOf(notification), url, ['1', 'RSA-SHA1']) })
    const { host, queue } = await scene(url => [genuine(url), older(url), genuine(url)], certificate)
    const record = { records: [{ dataset: 'budget-usage', scopeId: '77' }] }
    expect(await queue.receive(0)).toMatchObject([
      { kind: 'records', receipt: 'h0', ...record },
      { kind: 'records', receipt: 'h1', ...record },
      { kind: 'records', receipt: 'h2', ...record },
    ])
    expect(paths(host)).toEqual(['/', '/topics.pem'])
  })

  it('with a subject is signed with it', async () => {
    const text = textOf(notification).replace('Timestamp\n', 'Subject\nHello\nTimestamp\n')
    const { queue } = await scene(url => [{ ...notification, Subject: 'Hello', ...signed(text, url) }], certificate)
    expect(await queue.receive(0)).toMatchObject([{ kind: 'records' }])
  })

  it.each<[string, (url: string) => object, Answer]>([
    [
      'was changed after it was signed',
      url => ({ ...genuine(url), TopicArn: 'arn:aws:sns:us-east-1:1:x' }),
      certificate,
    ],
    ['has another key’s signature', genuine, { body: otherKey.export({ type: 'spki', format: 'pem' }) }],
    ['has a certificate that is none', genuine, { body: 'hello' }],
    ['has a certificate that does not exist', genuine, { status: 404, body: '' }],
    ['is signed in a way nobody knows', url => ({ ...genuine(url), SignatureVersion: '3' }), certificate],
  ])('that %s is forged', async (_, forge, answer) => {
    const { queue } = await scene(url => [forge(url)], answer)
    expect(await queue.receive(0)).toMatchObject([{ kind: 'forged', receipt: 'h0', reason: expect.any(String) }])
  })

  it.each([
    'https://sns.us-east-1.amazonaws.com.example.org/a.pem',
    'https://bucket.s3.amazonaws.com/a.pem',
    'http://sns.us-east-1.amazonaws.com/a.pem',
    'https://user@sns.us-east-1.amazonaws.com/a.pem',
    'https://sns.us-east-1.amazonaws.com/?Action=a.pem',
    'http://169.254.169.254/a.pem',
    'topics.pem',
  ])('whose certificate is at %s is forged, and nothing is fetched', async link => {
    const { host, queue } = await scene(url => [{ ...genuine(url), SigningCertURL: link }], certificate)
    expect(await queue.receive(0)).toMatchObject([{ kind: 'forged', receipt: 'h0' }])
    expect(paths(host)).toEqual(['/'])
  })

  it('stays on the queue while its certificate cannot be had, and holds up no other', async () => {
    const { queue } = await scene(url => [genuine(url), { Type: 'Notification' }], { status: 503, body: '' })
    expect(await queue.receive(0)).toMatchObject([{ kind: 'unreadable', receipt: 'h1' }])
  })
})

describe('a confirmation', () => {
  const handshake = (url: string, link: string, text = '') => {
    const body = {
      ...notification,
      Type: 'SubscriptionConfirmation',
      Message: 'Confirm',
      Token: 't',
      SubscribeURL: link,
    }
    const { Message, MessageId, SubscribeURL, Timestamp, Token, TopicArn, Type } = body
    const whole = Object.entries({ Message, MessageId, SubscribeURL, Timestamp, Token, TopicArn, Type })
    const written = whole.map(([name, value]) => `${name}\n${value}\n`).join('')
    return { ...body, ...signed(text || written, url) }
  }

  it('is answered by itself and taken off the queue', async () => {
    const { host, queue } = await scene(
      url => [handshake(url, `${url}/confirm?Token=1`)],
      certificate,
      { body: '<ok/>' },
      json({ Successful: [{ Id: '0' }] }),
    )
    expect(await queue.receive(0)).toEqual([])
    expect(paths(host)).toEqual(['/', '/topics.pem', '/confirm?Token=1', '/'])
    expect(host.seen.at(-1)?.headers['x-amz-target']).toBe('AmazonSQS.DeleteMessageBatch')
    expect(JSON.parse(host.seen.at(-1)?.body ?? '')).toMatchObject({ Entries: [{ Id: '0', ReceiptHandle: 'h0' }] })
  })

  it('that leads to a strange host is opened by nobody, though signed', async () => {
    const { host, queue } = await scene(url => [handshake(url, 'http://10.0.0.1/x')], certificate)
    expect(await queue.receive(0)).toMatchObject([{ kind: 'unreadable', receipt: 'h0' }])
    expect(paths(host)).toEqual(['/', '/topics.pem'])
  })

  it('that is forged is not opened', async () => {
    const { host, queue } = await scene(url => [handshake(url, `${url}/confirm?Token=1`, 'other text')], certificate)
    expect(await queue.receive(0)).toMatchObject([{ kind: 'forged', receipt: 'h0' }])
    expect(paths(host)).toEqual(['/', '/topics.pem'])
  })
})
