import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { AdsFailure } from '../ads-failure.ts'
import type { Item } from '../entities/read-fields.ts'

const media = 'application/vnd.accountBudgetFeatureFlags.v1+json'

/** `GET` and `POST /accountBudgets/featureFlags`: whether a day's unspent budget may double another's. */
export function registerFeatureFlags(app: FastifyInstance, world: World, region: RegionKey): void {
  app.get('/accountBudgets/featureFlags', (request, reply) => {
    const { profile } = readCaller(request, world, region)
    void reply.type(media)
    return JSON.stringify({
      featureFlags: { isOptedOutForAverageDailyBudgetIncrease: profile.optedOutOfBudgetIncrease ?? false },
    })
  })

  app.post('/accountBudgets/featureFlags', (request, reply) => {
    const { profile } = readCaller(request, world, region)
    requireMedia(request, { takes: [media], plain: 'always' })
    const flags = (readObject(request).featureFlags ?? {}) as Item
    const optedOut = flags.isOptedOutForAverageDailyBudgetIncrease
    if (typeof optedOut !== 'boolean')
      throw new AdsFailure(400, {
        code: 'INVALID_PARAMETER_VALUE',
        details: 'isOptedOutForAverageDailyBudgetIncrease must be true or false',
      })
    world.change(store => store.profiles.set(profile.profileId, { ...profile, optedOutOfBudgetIncrease: optedOut }))
    void reply.type(media)
    return JSON.stringify({ code: 'OK', details: 'The feature flags were updated' })
  })
}
