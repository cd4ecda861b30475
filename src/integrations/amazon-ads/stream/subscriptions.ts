import { z } from 'zod'
import type { AdsCall } from '../client.ts'
import { listOf, maybeText, schemaOf } from '../entities/wire-fields.ts'
import type { StreamDataset } from './records.ts'

const media = 'application/vnd.MarketingStreamSubscriptions.StreamSubscriptionResource.v1.0+json'

const text = { from: z.string() }
const subscription = schemaOf({
  fields: {
    subscriptionId: text,
    dataset: { wire: 'dataSetId', ...text },
    status: text,
    destinationArn: { wire: ['destinationArn', 'destination.sqsDestination.queueArn'], ...maybeText },
  },
})

/** The subscriptions of one profile. */
export type Subscriptions = ReturnType<typeof createSubscriptions>

export function createSubscriptions(call: AdsCall) {
  return {
    /**
     * Subscribes a queue to a dataset. `requestToken` (at least 22 characters) makes a repetition harmless: use the same
     * one for the same wish. The first message confirms it by itself.
     */
    create: (dataset: StreamDataset, destinationArn: string, requestToken: string) =>
      call({
        operation: 'subscribe stream',
        method: 'POST',
        path: '/streams/subscriptions',
        mediaType: media,
        body: { clientRequestToken: requestToken, dataSetId: dataset, destinationArn },
        // The token makes it the same subscription however often it is sent.
        effect: 'read',
        schema: z.object({ subscriptionId: z.string() }),
      }),
    list: async () => {
      const reply = await call({
        operation: 'list stream subscriptions',
        method: 'GET',
        path: '/streams/subscriptions?maxResults=1000',
        acceptType: media,
        effect: 'read',
        schema: z.object({ subscriptions: listOf(subscription) }),
      })
      return reply.subscriptions
    },
    archive: async (subscriptionId: string) => {
      await call({
        operation: 'archive stream subscription',
        method: 'PUT',
        path: `/streams/subscriptions/${encodeURIComponent(subscriptionId)}`,
        mediaType: media,
        body: { status: 'ARCHIVED' },
        effect: 'write',
        schema: z.looseObject({}).nullable(),
      })
    },
  }
}
