import { AwsV4Signer } from 'aws4fetch'
import { z } from 'zod'
import { requireTrustedHost } from '#server/http-client/download.ts'
import type { HttpClient, HttpRequest } from '#server/http-client/http-client.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import { chunks } from '../entities/outcome.ts'
import { createSignatureCheck, readEnvelope } from './check-signature.ts'
import { readRecords, type StreamRecord } from './records.ts'

/** Of a principal that may receive from the queue and delete there. */
interface QueueCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}
export interface QueueOptions {
  url: string
  /** Absent where the queue needs none. */
  credentials?: QueueCredentials
}

type StreamDelivery = { receipt: string } /** With the moment at which the marketplace sent them. */ & (
  | { kind: 'records'; sentAt: Date; records: StreamRecord[] }
  /** A message that cannot be read: log it, then acknowledge it, or it comes back for ever. */
  | { kind: 'unreadable'; reason: string }
  /** A message that the marketplace's topic did not sign: log it, then acknowledge it, and believe nothing in it. */
  | { kind: 'forged'; reason: string }
)

/** The queue that all subscriptions of the product deliver to. */
export interface StreamQueue {
  /**
   * Up to ten messages, waiting at most `waitSeconds` (20) for the first. Each comes at least once and must be
   * acknowledged after its records are saved. Confirmations are answered here and never shown. A message whose
   * signature cannot be checked just now is not shown either: it comes again. Nothing once `signal` has aborted.
   */
  receive(waitSeconds?: number, signal?: AbortSignal): Promise<StreamDelivery[]>
  /** Takes messages off the queue; answers the receipts that could not be. */
  acknowledge(receipts: readonly string[]): Promise<string[]>
}

/** The headers of a call to the queue, with a signature version 4 for the queue's region. */
export async function signQueueCall(
  call: { url: string; headers: Record<string, string>; body: string },
  queueUrl: string,
  credentials: QueueCredentials,
): Promise<Record<string, string>> {
  const region = /^sqs\.([a-z0-9-]+)\.amazonaws\.com$/.exec(new URL(queueUrl).hostname)?.[1] ?? 'us-east-1'
  const signer = new AwsV4Signer({ method: 'POST', ...call, ...credentials, service: 'sqs', region })
  const { headers } = await signer.sign()
  return Object.fromEntries(headers)
}

const receivedWire = z.object({
  Messages: z.array(z.object({ ReceiptHandle: z.string(), Body: z.string() })).nullish(),
})
const deletedWire = z.object({ Failed: z.array(z.object({ Id: z.string() })).nullish() })

type Waits = Pick<HttpRequest, 'timeoutMs' | 'signal'>

export function createStreamQueue(http: HttpClient, { url: queueUrl, credentials }: QueueOptions): StreamQueue {
  const check = createSignatureCheck(http, queueUrl)
  const callQueue = async <S extends z.ZodType>(action: string, body: object, schema: S, waits?: Waits) => {
    const url = new URL('/', queueUrl).href
    const text = JSON.stringify({ QueueUrl: queueUrl, ...body })
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` }
    const reply = await http.sendJson(
      {
        operation: `queue ${action}`,
        method: 'POST',
        url,
        headers: credentials ? await signQueueCall({ url, headers, body: text }, queueUrl, credentials) : headers,
        body: text,
        // Receiving and deleting may both be repeated: a message not deleted comes again.
        effect: 'read',
        ...waits,
      },
      schema,
    )
    return reply.body
  }

  const acknowledge = async (receipts: readonly string[]): Promise<string[]> => {
    const failed: string[] = []
    for (const batch of chunks(receipts, 10)) {
      const Entries = batch.map((ReceiptHandle, i) => ({ Id: String(i), ReceiptHandle }))
      const reply = await callQueue('DeleteMessageBatch', { Entries }, deletedWire)
      for (const { Id } of reply.Failed ?? []) failed.push(batch[Number(Id)] ?? '')
    }
    return failed
  }

  const confirm = async (link: string, receipt: string): Promise<StreamDelivery[]> => {
    const operation = 'confirm stream subscription'
    try {
      const { href } = requireTrustedHost(link, queueUrl, { upstream: 'amazon-ads', operation })
      await (await http.open({ operation, method: 'GET', url: href, effect: 'read' })).body?.cancel()
      await acknowledge([receipt])
      return []
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return [{ kind: 'unreadable', receipt, reason: error.message }]
    }
  }

  const open = async (body: string, receipt: string): Promise<StreamDelivery[]> => {
    const read = readEnvelope(body)
    if ('reason' in read) return [{ kind: 'unreadable', receipt, ...read }]
    const { envelope } = read
    const signature = await check(envelope)
    if (signature.is === 'unknown') return []
    if (signature.is === 'forged') return [{ kind: 'forged', receipt, reason: signature.reason }]
    if (envelope.Type === 'SubscriptionConfirmation') return confirm(envelope.SubscribeURL, receipt)
    const sentAt = new Date(envelope.Timestamp)
    if (envelope.Type === 'UnsubscribeConfirmation') return [{ kind: 'records', receipt, sentAt, records: [] }]
    const content = readRecords(envelope.Message)
    return 'reason' in content
      ? [{ kind: 'unreadable', receipt, ...content }]
      : [{ kind: 'records', receipt, sentAt, ...content }]
  }

  return {
    receive: async (waitSeconds = 20, signal) => {
      const wait = { MaxNumberOfMessages: 10, WaitTimeSeconds: waitSeconds }
      const waits = { timeoutMs: (waitSeconds + 10) * 1000, ...(signal && { signal }) }
      const reply = await callQueue('ReceiveMessage', wait, receivedWire, waits).catch((error: unknown) => {
        if (!signal?.aborted) throw error
        return { Messages: [] }
      })
      const deliveries: StreamDelivery[] = []
      for (const { Body, ReceiptHandle } of reply.Messages ?? []) deliveries.push(...(await open(Body, ReceiptHandle)))
      return deliveries
    },
    acknowledge,
  }
}
