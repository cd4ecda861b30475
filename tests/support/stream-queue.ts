import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { type AdsClient, adsClient, startSmallSandbox } from './ads-world.ts'

const media = 'application/vnd.MarketingStreamSubscriptions.StreamSubscriptionResource.v1.0+json'

export interface Message {
  Body: string
  ReceiptHandle: string
}
export type Row = Record<string, string | number>

export const envelopeOf = ({ Body }: Message) => JSON.parse(Body) as Record<string, string>
const recordOf = (message: Message) => JSON.parse(envelopeOf(message).Message ?? '') as Row

/** The small world with one campaign that shoppers will see. */
export async function startStreamedSandbox(): Promise<{ sandbox: Sandbox; ads: AdsClient }> {
  const sandbox = await startSmallSandbox()
  const ads = await adsClient(sandbox)
  const campaignId = await ads.campaign('Streamed', {
    targetingType: 'AUTO',
    // So small that some hours use a twentieth of it, whatever the shoppers of this world do.
    budget: { budget: 30, budgetType: 'DAILY' },
  })
  const adGroupId = await ads.adGroup(campaignId, 'Group', 3)
  const ad = { campaignId, adGroupId, state: 'ENABLED', sku: 'SKU-1' }
  await ads.create('productAds', 'productAds', 'spProductAd', [ad])
  return { sandbox, ads }
}

/** Asks for a subscription of a dataset to the queue. */
export function subscribe(ads: AdsClient, dataSetId: string) {
  return ads.call('POST', '/streams/subscriptions', media, {
    clientRequestToken: `token-for-${dataSetId}-0123456789`.slice(0, 36),
    dataSetId,
    destinationArn: 'arn:aws:sqs:us-east-1:000000000000:stream',
  })
}

/** Calls the queue of a sandbox as a client of that protocol does. */
export function queueReader(sandboxOf: () => Sandbox) {
  const sqs = async (action: string, body: object, path = '/sqs') => {
    const { url } = sandboxOf()
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
      body: JSON.stringify({ QueueUrl: `${url}/sqs`, ...body }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const receive = async (most = 10): Promise<Message[]> =>
    ((await sqs('ReceiveMessage', { MaxNumberOfMessages: most })).body.Messages ?? []) as Message[]
  const remove = (messages: Message[]) =>
    sqs('DeleteMessageBatch', { Entries: messages.map(({ ReceiptHandle }, i) => ({ Id: `${i}`, ReceiptHandle })) })
  /** Opens the links of the confirmations that wait, and takes them off the queue. */
  const confirmAll = async (): Promise<void> => {
    const confirmations = await receive()
    for (const message of confirmations) await fetch(envelopeOf(message).SubscribeURL ?? '')
    await remove(confirmations)
  }
  /** The records of everything in the queue, taken off it. */
  const drain = async (): Promise<Row[]> => {
    const records: Row[] = []
    for (;;) {
      const messages = await receive()
      if (messages.length === 0) return records
      records.push(...messages.map(recordOf))
      await remove(messages)
    }
  }
  return { sqs, receive, remove, confirmAll, drain }
}
