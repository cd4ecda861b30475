import { AdsFailure } from '../ads-failure.ts'
import { type Dataset, datasets, type Destination } from './subscription.ts'

/** An error of subscriptions. */
export const streamFailure = (status: number, code: string, message: string): AdsFailure =>
  new AdsFailure(status, { code, message })

const refuse = (message: string): AdsFailure => streamFailure(400, 'INVALID_ARGUMENT', message)

/** A validated request for a subscription. */
export interface SubscriptionRequest {
  dataSetId: Dataset
  destination: Destination
  clientRequestToken: string
  notes: string
}

const MOST_NOTES = 128

/** Notes as text of at most 128 characters; none is empty. Throws 400. */
export function readNotes(notes: unknown): string {
  if (notes === undefined || notes === null) return ''
  if (typeof notes !== 'string' || notes.length > MOST_NOTES)
    throw refuse(`notes must have at most ${MOST_NOTES} characters`)
  return notes
}

function readDestination(body: Record<string, unknown>): Destination {
  const { sqsDestination, firehoseDestination } = (body.destination ?? {}) as {
    sqsDestination?: { queueArn?: unknown }
    firehoseDestination?: Record<string, unknown>
  }
  if (firehoseDestination) {
    const { deliveryStreamArn, subscriberRoleArn, subscriptionRoleArn } = firehoseDestination
    const arns = [deliveryStreamArn, subscriberRoleArn, subscriptionRoleArn]
    if (!arns.every(arn => typeof arn === 'string' && arn.startsWith('arn:aws:')))
      throw refuse('firehoseDestination needs deliveryStreamArn, subscriberRoleArn and subscriptionRoleArn')
    return {
      kind: 'firehose',
      arn: String(deliveryStreamArn),
      roles: [String(subscriberRoleArn), String(subscriptionRoleArn)],
    }
  }
  const arn = body.destinationArn ?? sqsDestination?.queueArn
  if (typeof arn !== 'string' || !arn.startsWith('arn:aws:sqs:'))
    throw refuse('destinationArn must be the ARN of a queue')
  return { kind: 'sqs', arn }
}

/** Validates a request for a subscription. Throws 400. */
export function readSubscriptionRequest(body: Record<string, unknown>): SubscriptionRequest {
  const dataSetId = datasets.find(one => one === body.dataSetId)
  if (!dataSetId) throw refuse(`dataSetId must be one of ${datasets.join(', ')}`)
  const { clientRequestToken: token } = body
  if (typeof token !== 'string' || token.length < 22 || token.length > 36)
    throw refuse('clientRequestToken must have from 22 to 36 characters')
  return { dataSetId, destination: readDestination(body), clientRequestToken: token, notes: readNotes(body.notes) }
}

/** Throws 400 when other subscriptions leave no room for a new one. */
export function checkRoom(
  subscriptionRequest: SubscriptionRequest,
  others: readonly { dataSetId: string; destination: Destination }[],
): void {
  const alike = others.filter(other => other.dataSetId === subscriptionRequest.dataSetId)
  if (alike.some(other => other.destination.arn === subscriptionRequest.destination.arn))
    throw refuse('Cannot have more than one subscription per advertiser, dataSetId, & destination combination')
  if (alike.length >= 2)
    throw refuse('Cannot have more than two subscriptions per application, advertiser, & dataSetId combination')
}
