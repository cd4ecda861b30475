import { narrowStore } from '../../core/store/collections.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { AdsFailure, badEnum, invalidArgument } from '../ads-failure.ts'
import { plainText } from '../plain-text.ts'
import type { BatchFamily, BatchKind } from './batch-kind.ts'
import { allOf, type Entity, findEntity, idOf, toWire } from './entity-kind.ts'
import { checkListRequest, idsOf } from './list-filters.ts'
import type { Item } from './read-fields.ts'

const MOST_STATES = 10
const readableStates = ['ENABLED', 'PAUSED', 'PROPOSED', 'ARCHIVED', 'ENABLING', 'USER_DELETED', 'OTHER']

interface Resource<E extends Entity> {
  kind: BatchKind<E>
  family: BatchFamily
}

/** An entity on the wire, with dates and serving status. */
export function withExtendedData<E extends Entity>(
  { kind, family }: Resource<E>,
  entity: E,
  caller: AdsCaller,
): object {
  return {
    ...toWire(kind, entity, caller),
    extendedData: family.extendedData(entity, kind.servingStatus(entity, caller)),
  }
}

function statesOf(filter: Item): Set<string> | null {
  const states = idsOf(filter.stateFilter, 'stateFilter', MOST_STATES)
  if (states && ![...states].every(state => readableStates.includes(state)))
    throw badEnum([...states], 'stateFilter.include', readableStates)
  return states
}

function afterOf(token: unknown): string | null {
  if (token === undefined || token === null || token === '') return null
  const [mark, id] = Buffer.from(plainText(token), 'base64url').toString().split(':')
  if (mark !== 'after' || !id) throw invalidArgument('nextToken is invalid')
  return id
}

function tooLargePage(requested: number, most: number): AdsFailure {
  const message = `maxResults must be from 1 to ${most}`
  const rangeError = {
    reason: 'LIST_REQUEST_MAX_RESULTS_OUT_OF_RANGE',
    message,
    cause: { location: '$.maxResults', trigger: String(requested) },
    lowerLimit: '1',
    upperLimit: String(most),
  }
  return new AdsFailure(400, {
    code: 'INVALID_ARGUMENT',
    message,
    errors: [{ errorType: 'rangeError', errorValue: { rangeError } }],
  })
}

function pageSize({ maxResults }: Item, { maxPage, refusesLargerPages }: BatchFamily): number {
  if (maxResults === undefined || maxResults === null) return maxPage
  const requested = Number(maxResults)
  if (refusesLargerPages && Number.isInteger(maxResults) && (requested < 1 || requested > maxPage))
    throw tooLargePage(requested, maxPage)
  if (!Number.isInteger(maxResults) || requested < 1)
    throw invalidArgument('maxResults must be a positive whole number')
  return Math.min(maxPage, requested)
}

/** The narrowest view of the store with all entities that may pass, so that a page of a large account is fast. */
function narrowest({ world, profile }: AdsCaller, campaignIds: Set<string> | null, adGroupIds: Set<string> | null) {
  const only = (ids: Set<string> | null): string | undefined => (ids?.size === 1 ? [...ids][0] : undefined)
  const [campaignId, adGroupId] = [only(campaignIds), only(adGroupIds)]
  if (adGroupId !== undefined) return narrowStore(world.store, 'adGroupId', adGroupId)
  if (campaignId !== undefined) return narrowStore(world.store, 'campaignId', campaignId)
  return narrowStore(world.store, 'profileId', profile.profileId)
}

interface Page<E> {
  entities: E[]
  /** All that passed, on whatever page. */
  total: number
  more: boolean
}

/** Visits each candidate once and stores no more than the page: an account has hundreds of thousands. */
function pageOf<E extends Entity>(
  { kind, family }: Resource<E>,
  caller: AdsCaller,
  filter: Item,
  madeUntil: number,
): Page<E> {
  const idFilter = (name: string, most: number) => idsOf(filter[name], name, most)
  const parentFilter = (name: string) => (kind.deleteFilter === name ? null : idFilter(name, family.maxParents))
  checkListRequest(filter)
  const states = statesOf(filter)
  const ids = idFilter(kind.deleteFilter, family.maxIds)
  const campaignIds = parentFilter('campaignIdFilter')
  const adGroupIds = parentFilter('adGroupIdFilter')
  const size = pageSize(filter, family)
  const after = afterOf(filter.nextToken)
  const page: Page<E> = { entities: [], total: 0, more: false }
  // A page continues after the last entity of the one before, even if that one no longer passes; if it is gone, from the start.
  let begun = after === null || !findEntity(kind, caller, after)
  for (const entity of allOf(kind, narrowest(caller, campaignIds, adGroupIds))) {
    const isDue = begun
    if (!begun) begun = idOf(kind, entity) === after
    if (entity.profileId !== caller.profile.profileId || entity.createdAt > madeUntil) continue
    if (states && !states.has(entity.state)) continue
    if (ids && !ids.has(idOf(kind, entity))) continue
    if (campaignIds && !campaignIds.has(entity.campaignId ?? '')) continue
    if (adGroupIds && !adGroupIds.has(entity.adGroupId ?? '')) continue
    if (kind.passes && !kind.passes(entity, filter, caller)) continue
    page.total++
    if (!isDue) continue
    if (page.entities.length < size) page.entities.push(entity)
    else page.more = true
  }
  return page
}

/**
 * One page of the caller's entities that pass every filter, in order of creation. Entities created after
 * `madeUntil` are missing, as where lists lag behind.
 */
export function listEntities<E extends Entity>(
  resource: Resource<E>,
  caller: AdsCaller,
  filter: Item,
  madeUntil = Infinity,
): object {
  const { kind } = resource
  const { entities, total, more } = pageOf(resource, caller, filter, madeUntil)
  const last = entities.at(-1)
  const extended = filter.includeExtendedDataFields === true || kind.extended === 'always'
  return {
    [kind.key]: entities.map(entity =>
      extended ? withExtendedData(resource, entity, caller) : toWire(kind, entity, caller),
    ),
    [kind.totalKey ?? 'totalResults']: total,
    ...(more && last !== undefined && { nextToken: Buffer.from(`after:${idOf(kind, last)}`).toString('base64url') }),
  }
}
