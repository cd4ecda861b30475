import { AdsFailure } from '../ads-failure.ts'

const datasets = [
  'sp-traffic',
  'sp-conversion',
  'sb-traffic',
  'sb-conversion',
  'sb-clickstream',
  'sb-rich-media',
  'sd-traffic',
  'sd-conversion',
  'budget-usage',
  'sp-budget-recommendations',
  'campaigns',
  'adgroups',
  'ads',
  'targets',
  'sponsored-ads-campaign-diagnostics-recommendations',
] as const

/** Where messages go. Firehose streams need no confirmation; here they end in the same queue, without envelopes. */
type Destination =
  | { kind: 'sqs'; arn: string }
  | { kind: 'firehose'; arn: string; roles: [subscriber: string, subscription: string] }

/** A validated request for a subscription. */
export interface SubscriptionRequest {
  dataSetId: (typeof datasets)[number]
  destination: Destination
  clientRequestToken: string
  notes: string
}

export interface Subscription extends SubscriptionRequest {
  subscriptionId: string
  profileId: number
  status: 'PENDING_CONFIRMATION' | 'FAILED_CONFIRMATION' | 'ACTIVE' | 'ARCHIVED'
  createdAt: number
  updatedAt: number
  /** Hours before this are never emitted: there is no backfill. Epoch milliseconds. */
  since: number
  confirmToken: string
}

/** An error of a request about subscriptions. */
export const invalidStream = (message: string): AdsFailure => new AdsFailure(400, { code: 'INVALID_ARGUMENT', message })

const MOST_NOTES = 128

/** Notes as text of at most 128 characters; none is empty. Throws 400. */
export function readNotes(notes: unknown): string {
  if (notes === undefined || notes === null) return ''
  if (typeof notes !== 'string' || notes.length > MOST_NOTES)
    throw invalidStream(`notes must have at most ${MOST_NOTES} characters`)
  return notes
}

const isArn = (arn: unknown, start: string): arn is string => typeof arn === 'string' && arn.startsWith(start)

function readDestination(body: Record<string, unknown>): Destination {
  const { sqsDestination, firehoseDestination } = (body.destination ?? {}) as Record<
    'sqsDestination' | 'firehoseDestination',
    Record<string, unknown> | undefined
  >
  if (firehoseDestination) {
    const { deliveryStreamArn: arn, subscriberRoleArn, subscriptionRoleArn } = firehoseDestination
    if (!isArn(arn, 'arn:aws:') || !isArn(subscriberRoleArn, 'arn:aws:') || !isArn(subscriptionRoleArn, 'arn:aws:'))
      throw invalidStream('firehoseDestination needs deliveryStreamArn, subscriberRoleArn and subscriptionRoleArn')
    return { kind: 'firehose', arn, roles: [subscriberRoleArn, subscriptionRoleArn] }
  }
  const arn = body.destinationArn ?? sqsDestination?.queueArn
  if (!isArn(arn, 'arn:aws:sqs:')) throw invalidStream('destinationArn must be the ARN of a queue')
  return { kind: 'sqs', arn }
}

/** Validates a request for a subscription. Throws 400. */
export function readSubscriptionRequest(body: Record<string, unknown>): SubscriptionRequest {
  const dataSetId = datasets.find(one => one === body.dataSetId)
  if (!dataSetId) throw invalidStream(`dataSetId must be one of ${datasets.join(', ')}`)
  const { clientRequestToken: token } = body
  if (typeof token !== 'string' || token.length < 22 || token.length > 36)
    throw invalidStream('clientRequestToken must have from 22 to 36 characters')
  return { dataSetId, destination: readDestination(body), clientRequestToken: token, notes: readNotes(body.notes) }
}
