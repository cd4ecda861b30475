import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros, toMicros } from '#shared/money.ts'
import type { Profile } from '../core/model/store.ts'
import type { World } from '../core/world.ts'
import { profilesOf, readAccess, readJson } from './ads-caller.ts'
import { badRequest, gatewayFailure } from './ads-failure.ts'
import { isObject } from './entities/read-fields.ts'

/** The daily budget that means "no limit". */
const NO_LIMIT = 999_999_999

function toWire(world: World, profile: Profile): object {
  const seller = world.store.sellers.get(profile.sellerId)
  const isSeller = seller?.type !== 'vendor'
  return {
    profileId: profile.profileId,
    countryCode: profile.countryCode,
    currencyCode: profile.currency,
    ...(isSeller && {
      dailyBudget: profile.dailyBudgetMicros === null ? NO_LIMIT : fromMicros(profile.dailyBudgetMicros),
    }),
    timezone: profile.timezone,
    accountInfo: {
      marketplaceStringId: profile.marketplaceId,
      id: profile.sellerId,
      type: seller?.type ?? 'seller',
      name: seller?.name ?? '',
      ...(seller?.test?.accountType === 'AUTHOR' && { subType: 'KDP_AUTHOR' }),
      validPaymentMethod: profile.validPaymentMethod,
    },
  }
}

/** `GET` and `PUT /v2/profiles`: the only calls without a scope, and only of the region's own profiles. */
export function registerProfiles(app: FastifyInstance, world: World, region: RegionKey): void {
  const typeOf = ({ sellerId }: Profile) => world.store.sellers.get(sellerId)?.type ?? 'seller'

  app.get('/v2/profiles', request => {
    const { profileTypeFilter, validPaymentMethodFilter } = request.query as Record<string, string | undefined>
    const types = profileTypeFilter?.split(',')
    const isValid = validPaymentMethodFilter?.toLowerCase()
    return profilesOf(world, readAccess(request, world), region)
      .filter(profile => !types || types.includes(typeOf(profile)))
      .filter(({ validPaymentMethod }) => !isValid || String(validPaymentMethod) === isValid)
      .map(profile => toWire(world, profile))
  })

  app.get('/v2/profiles/:profileId', request => {
    const { profileId } = request.params as { profileId: string }
    const own = profilesOf(world, readAccess(request, world), region)
    const profile = own.find(one => String(one.profileId) === profileId)
    if (!profile) throw gatewayFailure(404, 'NOT_FOUND', `Could not find profile with id: ${profileId}`)
    return toWire(world, profile)
  })

  app.put('/v2/profiles', request => {
    const own = new Map(profilesOf(world, readAccess(request, world), region).map(one => [one.profileId, one]))
    const items = readJson(request)
    if (!Array.isArray(items) || !items.every(isObject)) throw badRequest('Expected an array of profiles')
    return world.change(store =>
      items.map(({ profileId = 0, dailyBudget }) => {
        const profile = own.get(Number(profileId))
        if (!profile) return { profileId, code: 'NOT_FOUND', details: 'Could not find the profile' }
        if (typeOf(profile) === 'vendor' || typeof dailyBudget !== 'number' || dailyBudget < 0)
          return { profileId, code: 'INVALID_ARGUMENT', details: 'The daily budget cannot be set' }
        const dailyBudgetMicros = dailyBudget >= NO_LIMIT ? null : toMicros(dailyBudget)
        store.profiles.set(profile.profileId, { ...profile, dailyBudgetMicros })
        return { profileId, code: 'SUCCESS' }
      }),
    )
  })
}
