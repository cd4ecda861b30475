import { z } from 'zod'
import { attributedSources, inWindow, trafficSources, windowDays } from '../performance.ts'

const id = z.union([z.string(), z.number()]).transform(String)
const moment = z.string().transform((text, ctx) => {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) ctx.addIssue({ code: 'custom', message: 'no date' })
  return at
})

const hourly = {
  idempotency_id: z.string(),
  marketplace_id: z.string(),
  advertiser_id: z.string(),
  campaign_id: id,
  ad_group_id: id,
  ad_id: id,
  // Products and Brands name the keyword or target the one way, Display the other; so with the placement.
  keyword_id: id.nullish(),
  target_id: id.nullish(),
  placement: z.string().nullish(),
  placement_type: z.string().nullish(),
  currency: z.string(),
  time_window_start: moment,
}

// The mapper reads these fields by the names in the list of sources.
const fieldsOf = <S extends z.ZodType>(names: readonly string[], schema: S): Record<string, S> =>
  Object.fromEntries(names.filter(Boolean).map(name => [name, schema]))

export const trafficWire = z.object({
  dataset_id: z.enum(['sp-traffic', 'sb-traffic', 'sd-traffic']),
  ...hourly,
  keyword_text: z.string().nullish(),
  targeting_text: z.string().nullish(),
  match_type: z.string().nullish(),
  keyword_type: z.string().nullish(),
  ...fieldsOf(
    trafficSources.map(({ stream }) => stream ?? ''),
    z.number(),
  ),
})

export const conversionWire = z.object({
  dataset_id: z.enum(['sp-conversion', 'sb-conversion', 'sd-conversion']),
  ...hourly,
  ...fieldsOf(
    attributedSources.flatMap(({ stream }) => windowDays.map(days => inWindow(stream ?? '', days))),
    z.number().nullish(),
  ),
})

export const budgetUsageEventWire = z.object({
  dataset_id: z.literal('budget-usage'),
  advertiser_id: z.string(),
  marketplace_id: z.string(),
  budget_scope_id: id,
  budget_scope_type: z.string(),
  advertising_product_type: z.string(),
  budget: z.number(),
  budget_usage_percentage: z.number(),
  usage_updated_timestamp: moment,
})

export const streamRecordWire = z.discriminatedUnion('dataset_id', [trafficWire, conversionWire, budgetUsageEventWire])

const envelope = {
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  SignatureVersion: z.string(),
  Signature: z.string(),
  SigningCertURL: z.string(),
}
const handshake = { ...envelope, Token: z.string(), SubscribeURL: z.url() }

/** What the topic puts into the queue: the record is a JSON text inside `Message`. */
export const envelopeWire = z.discriminatedUnion('Type', [
  z.object({ Type: z.literal('Notification'), ...envelope, Subject: z.string().optional() }),
  z.object({ Type: z.literal('SubscriptionConfirmation'), ...handshake }),
  z.object({ Type: z.literal('UnsubscribeConfirmation'), ...handshake }),
])

export const receivedWire = z.object({
  Messages: z.array(z.object({ MessageId: z.string(), ReceiptHandle: z.string(), Body: z.string() })).nullish(),
})

export const deletedBatchWire = z.object({
  Successful: z.array(z.object({ Id: z.string() })).nullish(),
  Failed: z.array(z.object({ Id: z.string(), Code: z.string().nullish() })).nullish(),
})

export const subscribedWire = z.object({ subscriptionId: z.string() })

export const subscriptionsWire = z.object({
  subscriptions: z
    .array(
      z.object({
        subscriptionId: z.string(),
        dataSetId: z.string(),
        status: z.string(),
        destinationArn: z.string().nullish(),
        destination: z.object({ sqsDestination: z.object({ queueArn: z.string().nullish() }).nullish() }).nullish(),
      }),
    )
    .nullish(),
  nextToken: z.string().nullish(),
})
