import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { AdsFailure } from '../ads-failure.ts'
import { requireMedia } from '../media-types.ts'
import type { StreamService } from './stream-service.ts'
import { invalidStream, readNotes, readSubscriptionRequest, type Subscription } from './subscription.ts'

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
function pageOf(all: readonly Subscription[], query: { maxResults?: string; startingToken?: string }): object {
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

/** `/streams/subscriptions`: a queue subscribed to a dataset of one profile. */
export function registerSubscriptions(
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  service: StreamService,
): void {
  const own = (request: FastifyRequest): Subscription => {
    const { profile } = readCaller(request, world, region)
    const { subscriptionId } = request.params as { subscriptionId: string }
    const found = service.of(profile.profileId).find(one => one.subscriptionId === subscriptionId)
    if (!found) throw new AdsFailure(404, { code: 'NOT_FOUND', message: 'The subscription was not found' })
    return found
  }

  app.post('/streams/subscriptions', request => {
    const { profile } = readCaller(request, world, region)
    requireMedia(request, { takes: media, plain: 'always' })
    const { clientRequestToken, subscriptionId } = service.open(profile, readSubscriptionRequest(readObject(request)))
    return { clientRequestToken, subscriptionId }
  })

  app.get('/streams/subscriptions', request => {
    const { profile } = readCaller(request, world, region)
    return pageOf(service.of(profile.profileId), request.query as { maxResults?: string; startingToken?: string })
  })
  app.get('/streams/subscriptions/:subscriptionId', request => ({ subscription: toWire(own(request)) }))

  app.put('/streams/subscriptions/:subscriptionId', (request, reply) => {
    const subscription = own(request)
    requireMedia(request, { takes: media, plain: 'always' })
    const { status, notes } = readObject(request)
    if (status !== undefined && status !== 'ARCHIVED') throw invalidStream('status can only become ARCHIVED')
    if (status === 'ARCHIVED' && subscription.status !== 'ACTIVE')
      throw invalidStream('Only ACTIVE subscriptions can be archived')
    service.change(subscription, { ...(status && { status }), ...(notes !== undefined && { notes: readNotes(notes) }) })
    return reply.type('text/plain').send('{}')
  })
}
