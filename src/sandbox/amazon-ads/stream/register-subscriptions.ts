import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject, requireMedia } from '../ads-caller.ts'
import { AdsFailure } from '../ads-failure.ts'
import type { StreamDesk } from './stream-desk.ts'
import { datasets, type Subscription } from './subscription.ts'

// The specification names the first, the guide and recorded calls the second; plain JSON is taken too.
const media = [
  'application/vnd.amazonmarketingstreamsubscriptions.v1+json',
  'application/vnd.MarketingStreamSubscriptions.StreamSubscriptionResource.v1.0+json',
  'application/json',
]

const toWire = (subscription: Subscription): object => ({
  subscriptionId: subscription.subscriptionId,
  dataSetId: subscription.dataSetId,
  status: subscription.status,
  destinationArn: subscription.destinationArn,
  destination: { sqsDestination: { queueArn: subscription.destinationArn } },
  notes: subscription.notes,
  createdDate: new Date(subscription.createdAt).toISOString(),
  updatedDate: new Date(subscription.updatedAt).toISOString(),
})

const refuse = (message: string) => new AdsFailure(400, { code: 'INVALID_ARGUMENT', message })

/** `/streams/subscriptions`: a queue subscribed to a dataset of one profile. */
export const registerSubscriptions = (
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  desk: StreamDesk,
): void => {
  const own = (request: FastifyRequest): Subscription => {
    const { profile } = readCaller(request, world, region)
    const subscription = desk.find((request.params as { subscriptionId: string }).subscriptionId)
    if (subscription?.profileId !== profile.profileId)
      throw new AdsFailure(404, { code: 'NOT_FOUND', message: 'The subscription was not found' })
    return subscription
  }

  app.post('/streams/subscriptions', request => {
    const { profile } = readCaller(request, world, region)
    requireMedia(request, media)
    const body = readObject(request)
    const dataSetId = datasets.find(one => one === body.dataSetId)
    if (!dataSetId) throw refuse(`dataSetId must be one of ${datasets.join(', ')}`)
    const { clientRequestToken, notes = '', destination } = body
    if (typeof clientRequestToken !== 'string' || clientRequestToken.length < 22)
      throw refuse('clientRequestToken must have at least 22 characters')
    const { sqsDestination } = (destination ?? {}) as { sqsDestination?: { queueArn?: string } }
    const destinationArn = body.destinationArn ?? sqsDestination?.queueArn
    if (typeof destinationArn !== 'string' || !destinationArn.startsWith('arn:aws:sqs:'))
      throw refuse('destinationArn must be the ARN of a queue')
    const wish = { dataSetId, destinationArn, clientRequestToken, notes: typeof notes === 'string' ? notes : '' }
    return { clientRequestToken, subscriptionId: desk.open(profile, wish).subscriptionId }
  })

  app.get('/streams/subscriptions', request => {
    const { profile } = readCaller(request, world, region)
    return { subscriptions: desk.of(profile.profileId).map(toWire) }
  })
  app.get('/streams/subscriptions/:subscriptionId', request => ({ subscription: toWire(own(request)) }))

  app.put('/streams/subscriptions/:subscriptionId', (request, reply) => {
    const subscription = own(request)
    requireMedia(request, media)
    const { status, notes } = readObject(request)
    if (status !== undefined && status !== 'ARCHIVED') throw refuse('status can only become ARCHIVED')
    desk.change(subscription, {
      ...(status === 'ARCHIVED' && { status }),
      ...(typeof notes === 'string' && { notes }),
    })
    return reply.type('text/plain').send('{}')
  })
}
