import type { FastifyRequest } from 'fastify'
import { type MarketplaceFacts, marketplaceByAmazonId, type RegionKey } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import type { EntityId, Product, Profile, Store } from '../core/model/store.ts'
import type { World } from '../core/world.ts'
import type { Access } from '../login-with-amazon/token-service.ts'
import { type AdsFailure, badRequest, familyFailure, gatewayFailure } from './ads-failure.ts'

const ADS_SCOPE = 'advertising::campaign_management'

export interface AdsCaller {
  world: World
  profile: Profile
  marketplace: MarketplaceFacts
  now: Date
  /** Today in the profile's time zone. */
  today: string
}

const unauthorized = (details: string): AdsFailure => gatewayFailure(401, 'UNAUTHORIZED', details)

/** The grant of a request's token. Throws 401 unless the token is valid and the calling client's, 403 when it lacks the scope. */
export function readAccess(request: FastifyRequest, world: World, scope = ADS_SCOPE): Access {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw unauthorized('HTTP 401 Unauthorized: the Authorization header is missing')
  const clientId = request.headers['amazon-advertising-api-clientid']
  if (!clientId) throw unauthorized('HTTP 401 Unauthorized: the Amazon-Advertising-API-ClientId header is missing')
  const access = world.lwa.check(token)
  if (!access) throw unauthorized('HTTP 401 Unauthorized: the access token is invalid or has expired')
  if (access.clientId !== clientId) throw unauthorized('HTTP 401 Unauthorized: the token was given to another client')
  if (!access.scope.split(' ').includes(scope))
    throw gatewayFailure(403, 'ACCESS_DENIED', 'Insufficient scopes to access this resource')
  return access
}

export const profilesOf = (world: World, access: Access, region: RegionKey): Profile[] =>
  [...world.store.profiles.values()].filter(
    profile => profile.region === region && access.sellerIds.includes(profile.sellerId),
  )

/** The profile a call is for. Throws 401 when the header is missing or names none of the caller's in this region. */
export function readCaller(request: FastifyRequest, world: World, region: RegionKey): AdsCaller {
  const access = readAccess(request, world)
  const scope = String(request.headers['amazon-advertising-api-scope'] ?? '')
  if (!scope) throw unauthorized('Scope header is missing')
  if (!/^\d+$/.test(scope)) throw unauthorized(`No matching advertiser found for scope: ${scope}`)
  const profile = profilesOf(world, access, region).find(one => String(one.profileId) === scope)
  const marketplace = profile && marketplaceByAmazonId(profile.marketplaceId)
  if (!profile || !marketplace) throw unauthorized(`Not authorized to access scope ${scope}`)
  const now = world.clock.now()
  return { world, profile, marketplace, now, today: dayIn(now, profile.timezone) }
}

export const isVendor = ({ world, profile }: Pick<AdsCaller, 'world' | 'profile'>): boolean =>
  world.store.sellers.get(profile.sellerId)?.type === 'vendor'

export const ownProducts = (store: Store, { sellerId, marketplaceId }: Profile): Product[] =>
  [...store.products.values()].filter(one => one.sellerId === sellerId && one.marketplaceId === marketplaceId)

// Node has both halves of this proposal; the type library has neither.
const exact = JSON as unknown as {
  rawJSON(text: string): object
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
}

/** An id as the whole number that the older calls write, with all of its digits. */
export const wholeId = (id: EntityId): object => exact.rawJSON(id)

const unreadable = (request: FastifyRequest): AdsFailure =>
  familyFailure(request, 400, 'Could not parse the request body')

function parseBody({ body }: FastifyRequest, whenAbsent: string, failure: () => AdsFailure): unknown {
  try {
    return exact.parse(typeof body === 'string' && body ? body : whenAbsent, (_key, value, { source }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value,
    )
  } catch {
    throw failure()
  }
}

/**
 * The request's body as JSON; an absent one is an empty object. Whole numbers too long for a double, such as ids, come as
 * their digits. Throws 400 when it cannot be read.
 */
export const readJson = (request: FastifyRequest): unknown => parseBody(request, '{}', () => unreadable(request))

/** The same for the older families: there must be a body, and the gateway words the error. */
export const readRequiredJson = (request: FastifyRequest): unknown =>
  parseBody(request, '', () => badRequest('Could not parse the request body'))

/** The request's body as a JSON object. Throws 400 when it is anything else. */
export function readObject(request: FastifyRequest): Record<string, unknown> {
  const value = readJson(request)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(request)
  return value as Record<string, unknown>
}
