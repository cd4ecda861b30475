import type { AdsCaller } from '../ads-caller.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { plainText } from '../plain-text.ts'
import type { Entity, EntityKind } from './entity-kind.ts'
import { idsOf } from './list-filters.ts'
import type { Item } from './read-fields.ts'

/** What the server gives at most and by default; it clamps larger wishes in silence, as seen by live callers. */
const PAGE = 500
const readableStates = ['ENABLED', 'PAUSED', 'PROPOSED', 'ARCHIVED', 'ENABLING', 'USER_DELETED', 'OTHER']

/** An entity on the wire, with dates and serving status. */
export const withExtendedData = <E extends Entity>(kind: EntityKind<E>, entity: E, caller: AdsCaller): object => {
  const { status, details } = kind.servingStatus(entity, caller)
  return {
    ...kind.toWire(entity, caller),
    extendedData: {
      creationDateTime: new Date(entity.createdAt).toISOString(),
      lastUpdateDateTime: new Date(entity.updatedAt).toISOString(),
      servingStatus: status,
      servingStatusDetails: details.map(name => ({ name })),
    },
  }
}

const statesOf = (filter: Item): Set<string> | null => {
  const include = (filter.stateFilter as { include?: string[] } | undefined)?.include
  if (include === undefined) return null
  if (!include.every(state => readableStates.includes(state)))
    throw badEnum(include, 'stateFilter.include', readableStates)
  return new Set(include)
}

const afterOf = (token: unknown): string | null => {
  if (token === undefined || token === null || token === '') return null
  const [mark, id] = Buffer.from(plainText(token), 'base64url').toString().split(':')
  if (mark !== 'after' || !id) throw invalidArgument('nextToken is invalid')
  return id
}

/** One page of what the caller's profile holds, in order of creation; every filter given must hold. */
export const listEntities = <E extends Entity>(kind: EntityKind<E>, caller: AdsCaller, filter: Item): object => {
  const states = statesOf(filter)
  const ids = idsOf(filter[kind.deleteFilter], kind.deleteFilter, 1000)
  const campaignIds =
    kind.deleteFilter === 'campaignIdFilter' ? null : idsOf(filter.campaignIdFilter, 'campaignIdFilter', 100)
  const adGroupIds =
    kind.deleteFilter === 'adGroupIdFilter' ? null : idsOf(filter.adGroupIdFilter, 'adGroupIdFilter', 100)
  const found: E[] = []
  for (const entity of kind.all(caller.world.books)) {
    if (entity.profileId !== caller.profile.profileId) continue
    if (states && !states.has(entity.state)) continue
    if (ids && !ids.has(kind.idOf(entity))) continue
    if (campaignIds && !campaignIds.has(entity.campaignId)) continue
    if (adGroupIds && !adGroupIds.has(entity.adGroupId ?? '')) continue
    if (kind.passes && !kind.passes(entity, filter, caller)) continue
    found.push(entity)
  }
  const { maxResults } = filter
  if (maxResults !== undefined && (!Number.isInteger(maxResults) || Number(maxResults) < 1))
    throw invalidArgument('maxResults must be a positive whole number')
  const size = Math.min(PAGE, Number(maxResults ?? PAGE))
  const after = afterOf(filter.nextToken)
  const start = after === null ? 0 : found.findIndex(entity => kind.idOf(entity) === after) + 1
  const page = found.slice(start, start + size)
  const last = page.at(-1)
  const more = last !== undefined && start + size < found.length
  return {
    [kind.key]: page.map(entity =>
      filter.includeExtendedDataFields === true ? withExtendedData(kind, entity, caller) : kind.toWire(entity, caller),
    ),
    totalResults: found.length,
    ...(more && { nextToken: Buffer.from(`after:${kind.idOf(last)}`).toString('base64url') }),
  }
}
