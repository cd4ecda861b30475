import type { Profile } from '../../core/model/store.ts'
import { readObject } from '../ads-caller.ts'
import { AdsFailure } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { requireMedia } from '../media-types.ts'

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
  /** The hours before it was confirmed are still to be emitted. */
  hasHistory?: boolean
  confirmToken: string
}

export const invalidStream = (message: string): AdsFailure => new AdsFailure(400, { code: 'INVALID_ARGUMENT', message })

const MOST_NOTES = 128

/** Notes as text of at most 128 characters; none is empty. Throws 400. */
function readNotes(notes: unknown): string {
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
function readRequest(body: Record<string, unknown>): SubscriptionRequest {
  const dataSetId = datasets.find(one => one === body.dataSetId)
  if (!dataSetId) throw invalidStream(`dataSetId must be one of ${datasets.join(', ')}`)
  const { clientRequestToken: token } = body
  if (typeof token !== 'string' || token.length < 22 || token.length > 36)
    throw invalidStream('clientRequestToken must have from 22 to 36 characters')
  return { dataSetId, destination: readDestination(body), clientRequestToken: token, notes: readNotes(body.notes) }
}

// The specification names the first, the guide and recorded calls the second; plain JSON is taken too.
const media = [
  'application/vnd.amazonmarketingstreamsubscriptions.v1+json',
  'application/vnd.MarketingStreamSubscriptions.StreamSubscriptionResource.v1.0+json',
]

function destinationOf({ destination }: Subscription): object {
  const { kind, arn } = destination
  if (kind === 'sqs') return { destination: { sqsDestination: { queueArn: arn } }, destinationArn: arn }
  const [subscriberRoleArn, subscriptionRoleArn] = destination.roles
  return {
    destination: { firehoseDestination: { deliveryStreamArn: arn, subscriberRoleArn, subscriptionRoleArn } },
  }
}

function toWire(subscription: Subscription): object {
  return {
    createdDate: new Date(subscription.createdAt).toISOString(),
    dataSetId: subscription.dataSetId,
    ...destinationOf(subscription),
    notes: subscription.notes,
    status: subscription.status,
    subscriptionId: subscription.subscriptionId,
    updatedDate: new Date(subscription.updatedAt).toISOString(),
  }
}

const MOST_RESULTS = 5000

/** The page that `maxResults` and `startingToken` ask for. Throws 400. */
function pageOf(all: readonly Subscription[], query: Record<string, string | undefined>): object {
  const most = Number(query.maxResults ?? MOST_RESULTS)
  if (!Number.isInteger(most) || most < 1 || most > MOST_RESULTS)
    throw invalidStream(`maxResults must be from 1 to ${MOST_RESULTS}`)
  const from = query.startingToken ? all.findIndex(one => one.subscriptionId === query.startingToken) : 0
  if (from < 0) throw invalidStream('startingToken is invalid')
  const next = all[from + most]
  return {
    subscriptions: all.slice(from, from + most).map(toWire),
    ...(next && { nextToken: next.subscriptionId }),
  }
}

interface Subscriptions {
  of(profileId: number): Subscription[]
  open(profile: Profile, requested: SubscriptionRequest): Subscription
  change(subscription: Subscription, change: Partial<Pick<Subscription, 'status' | 'notes'>>): void
}

const path = '/streams/subscriptions'

/** `/streams/subscriptions`: a queue subscribed to a dataset of one profile. */
export function subscriptionCalls(subscriptions: Subscriptions): Call[] {
  const own = ({ profileId }: Profile, id: string | undefined): Subscription => {
    const found = subscriptions.of(profileId).find(one => one.subscriptionId === id)
    if (!found) throw new AdsFailure(404, { code: 'NOT_FOUND', message: 'The subscription was not found' })
    return found
  }
  return [
    {
      path,
      media: { takes: media, plain: 'always' },
      answer({ profile }, body) {
        const { clientRequestToken, subscriptionId } = subscriptions.open(profile, readRequest(body))
        return { clientRequestToken, subscriptionId }
      },
    },
    {
      method: 'GET',
      path,
      answer: ({ profile }, _body, { query }) => pageOf(subscriptions.of(profile.profileId), query),
    },
    {
      method: 'GET',
      path: `${path}/:subscriptionId`,
      answer: ({ profile }, _body, { params }) => ({ subscription: toWire(own(profile, params.subscriptionId)) }),
    },
    {
      method: 'PUT',
      path: `${path}/:subscriptionId`,
      answer({ profile }, _body, { request, reply, params }) {
        const subscription = own(profile, params.subscriptionId)
        requireMedia(request, { takes: media, plain: 'always' })
        const { status, notes } = readObject(request)
        if (status !== undefined && status !== 'ARCHIVED') throw invalidStream('status can only become ARCHIVED')
        if (status === 'ARCHIVED' && subscription.status !== 'ACTIVE')
          throw invalidStream('Only ACTIVE subscriptions can be archived')
        subscriptions.change(subscription, {
          ...(status && { status }),
          ...(notes !== undefined && { notes: readNotes(notes) }),
        })
        void reply.type('text/plain')
        return {}
      },
    },
  ]
}
