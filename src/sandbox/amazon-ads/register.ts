import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type RegionKey, regions } from '#shared/marketplaces.ts'
import { newRequestId } from '../core/new-id.ts'
import type { World } from '../core/world.ts'
import { adsVoice, handleFailures } from './ads-failure.ts'
import { registerEntities } from './entities/register-entities.ts'
import { registerProfiles } from './profiles.ts'

const registerRegion = (app: FastifyInstance, world: World, region: RegionKey): void => {
  registerProfiles(app, world, region)
  registerEntities(app, world, region)
}

/** The advertising API under `/ads/{na,eu,fe}`: each region's host knows only its own profiles. */
export const registerAmazonAds = async (app: FastifyInstance, world: World): Promise<void> => {
  world.voices.set('ads', adsVoice(world))
  handleFailures(app)
  // Bodies come in a media type of their own for each resource; each call checks which, then parses.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers({ 'x-amz-rid': newRequestId(), 'x-amzn-requestid': randomUUID() })
  })
  for (const { key } of regions)
    await app.register(async scope => registerRegion(scope, world, key), { prefix: `/ads/${key.toLowerCase()}` })
}
