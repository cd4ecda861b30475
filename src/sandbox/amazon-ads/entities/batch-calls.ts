import { faultOf } from '../../core/fault-hooks.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument, AdsFailure, badEnum, plainText } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import type { BatchKind, BatchFamily } from './batch-kind.ts'
import {
  archiveEntity,
  createEntity,
  type Entity,
  findEntity,
  idOf,
  toWire,
  updateEntity,
  allOf,
  isOwn,
} from './entity-kind.ts'
import { itemError } from './item-error.ts'
import { type Outcome, prefersWhole, runItems } from './run-items.ts'
import { type Item, objectsAt, isAbsent, objectAt } from './read-fields.ts'
import { narrowStore } from '../../core/store/collections.ts'
import { servingStatus } from './serving-status.ts'

const MOST_STATES = 10
const MOST_TEXTS = 100
const MOST_VALUES = 1000
const readableStates = ['ENABLED', 'PAUSED', 'PROPOSED', 'ARCHIVED', 'ENABLING', 'USER_DELETED', 'OTHER']

function textsAt(value: unknown, place: string, most: number): string[] {
  if (!Array.isArray(value) || value.some(one => typeof one !== 'string'))
    throw invalidArgument(`Expected a list of strings at ${place}`)
  if (value.length > most) throw invalidArgument(`${place} has more than ${most} values`)
  return value as string[]
}

/** The values of an include filter, or null when it is absent. Throws 400 beyond the most, and for other shapes. */
function idsOf(filter: unknown, name: string, most: number): Set<string> | null {
  const { include } = objectAt(filter, name)
  return isAbsent(include) ? null : new Set(textsAt(include, `${name}.include`, most))
}

function checkWord(value: unknown, place: string, allowed: readonly string[]): void {
  if (!isAbsent(value) && !allowed.includes(value as string)) throw badEnum(value, place, allowed)
}

type Test = (value: string) => boolean

/**
 * A text filter as in the specification: EXACT_MATCH (the default) equals any of the terms, BROAD_MATCH contains
 * the first one; letter case plays no part.
 */
function textFilter(value: unknown, name: string): Test {
  const { include, queryTermMatchType } = objectAt(value, name)
  const texts = isAbsent(include) ? [] : textsAt(include, `${name}.include`, MOST_TEXTS)
  checkWord(queryTermMatchType, `${name}.queryTermMatchType`, ['BROAD_MATCH', 'EXACT_MATCH'])
  const [first = '', ...others] = texts.map(text => text.toLowerCase())
  if (texts.length === 0) return () => true
  if (queryTermMatchType === 'BROAD_MATCH') return own => own.toLowerCase().includes(first)
  return own => [first, ...others].includes(own.toLowerCase())
}

function wordFilter(value: unknown, name: string): Test {
  checkWord(value, name, ['AUTO', 'MANUAL'])
  return own => own === value
}

function listFilter(value: unknown, name: string): Test {
  const texts = textsAt(value, name, MOST_TEXTS)
  return own => texts.includes(own)
}

function includeFilter(value: unknown, name: string): Test {
  const ids = idsOf(value, name, MOST_VALUES)
  return own => !ids || ids.has(own)
}

const plain =
  (type: 'string' | 'boolean') =>
  (value: unknown, name: string): Test => {
    if (typeof value !== type) throw invalidArgument(`Expected a ${type} at ${name}`)
    return own => !value || own === value
  }

// The names end alike in all families of lists, and so do their shapes.
const shapes: readonly [RegExp, (value: unknown, name: string) => Test][] = [
  [/^(name|asin|\w*[tT]ext)Filter$/, textFilter],
  [/^campaignTargetingTypeFilter$/, wordFilter],
  [/^matchTypeFilter$/, listFilter],
  [/Filter$/, includeFilter],
  [/^(locale|nextToken)$/, plain('string')],
  [/^includeExtendedDataFields$/, plain('boolean')],
]

/** Tests by filter. Throws 400 when a part of a list's request has another shape than in the specification; unknown parts pass. */
function readFilters(request: Item): Map<string, Test> {
  const tests = new Map<string, Test>()
  for (const [name, value] of Object.entries(request)) {
    const [, read] = (!isAbsent(value) && shapes.find(([fits]) => fits.test(name))) || []
    if (read) tests.set(name, read(value, name))
  }
  return tests
}

function pageSize({ maxResults }: Item, { maxPage, refusesLargerPages }: BatchFamily): number {
  if (isAbsent(maxResults)) return maxPage
  const requested = Number(maxResults)
  const isWhole = Number.isInteger(maxResults)
  if (refusesLargerPages && isWhole && (requested < 1 || requested > maxPage)) {
    const reason = 'LIST_REQUEST_MAX_RESULTS_OUT_OF_RANGE'
    const message = `maxResults must be from 1 to ${maxPage}`
    const cause = { location: '$.maxResults', trigger: String(requested) }
    const rangeError = { reason, message, cause, lowerLimit: '1', upperLimit: String(maxPage) }
    const errors = [{ errorType: 'rangeError', errorValue: { rangeError } }]
    throw new AdsFailure(400, { code: 'INVALID_ARGUMENT', message, errors })
  }
  if (!isWhole || requested < 1) throw invalidArgument('maxResults must be a positive whole number')
  return Math.min(maxPage, requested)
}

function afterOf(token: unknown): string | null {
  if (isAbsent(token) || token === '') return null
  const [mark, id] = Buffer.from(plainText(token), 'base64url').toString().split(':')
  if (mark !== 'after' || !id) throw invalidArgument('nextToken is invalid')
  return id
}

/** The narrowest view of the store with all entities that may pass, so that a page of a large account is fast. */
function narrowest({ world, profile }: AdsCaller, campaignIds: Set<string> | null, adGroupIds: Set<string> | null) {
  if (adGroupIds?.size === 1) return narrowStore(world.store, 'adGroupId', [...adGroupIds][0])
  if (campaignIds?.size === 1) return narrowStore(world.store, 'campaignId', [...campaignIds][0])
  return narrowStore(world.store, 'profileId', profile.profileId)
}

/** What decides whether an entity is listed. Throws 400 for filters that cannot be read. */
function readConditions(kind: BatchKind, caller: AdsCaller, filter: Item) {
  const { maxIds, maxParents } = kind.product
  const tests = readFilters(filter)
  const states = idsOf(filter.stateFilter, 'stateFilter', MOST_STATES)
  if (states && ![...states].every(state => readableStates.includes(state)))
    throw badEnum([...states], 'stateFilter.include', readableStates)
  const ids = idsOf(filter[kind.idFilter], kind.idFilter, maxIds)
  const parentFilter = (name: string) => (kind.idFilter === name ? null : idsOf(filter[name], name, maxParents))
  const campaignIds = parentFilter('campaignIdFilter')
  const adGroupIds = parentFilter('adGroupIdFilter')
  const conditions: ((entity: Entity) => boolean)[] = []
  if (states) conditions.push(({ state }) => states.has(state))
  if (ids) conditions.push(entity => ids.has(idOf(kind, entity)))
  if (campaignIds) conditions.push(({ campaignId }) => campaignIds.has(campaignId ?? ''))
  if (adGroupIds) conditions.push(({ adGroupId }) => adGroupIds.has(adGroupId ?? ''))
  for (const [name, valueOf] of Object.entries(kind.filters ?? {})) {
    const test = tests.get(name)
    if (test) conditions.push(entity => [valueOf(entity, caller) ?? ''].flat().some(test))
  }
  return { conditions, candidates: allOf(kind, narrowest(caller, campaignIds, adGroupIds)) }
}

const withExtendedData = (kind: BatchKind, entity: Entity, caller: AdsCaller): object => ({
  ...toWire(kind, entity, caller),
  extendedData: kind.product.extendedData(entity, servingStatus(kind, entity, caller)),
})

/**
 * One page of the caller's entities that pass every filter, in order of creation. Entities created after
 * `madeUntil` are missing, as where lists lag behind. Visits each candidate once and stores no more than the page: an
 * account has hundreds of thousands.
 */
function listEntities(kind: BatchKind, caller: AdsCaller, filter: Item, madeUntil = Infinity): object {
  const { conditions, candidates } = readConditions(kind, caller, filter)
  const size = pageSize(filter, kind.product)
  const after = afterOf(filter.nextToken)
  const page: Entity[] = []
  let total = 0
  let hasMore = false
  // A page continues after the last entity of the one before, even if that one no longer passes; if it is gone, from the start.
  let begun = after === null || !findEntity(kind, caller, after)
  for (const entity of candidates) {
    const isDue = begun
    if (!begun) begun = idOf(kind, entity) === after
    if (!isOwn(kind, caller, entity) || entity.createdAt > madeUntil) continue
    if (!conditions.every(passes => passes(entity))) continue
    total++
    if (!isDue) continue
    if (page.length < size) page.push(entity)
    else hasMore = true
  }
  const isExtended = filter.includeExtendedDataFields === true || kind.extended === 'always'
  const last = page.at(-1)
  return {
    [kind.key]: page.map(entity => (isExtended ? withExtendedData : toWire)(kind, entity, caller)),
    [kind.totalKey ?? 'totalResults']: total,
    ...(hasMore && last && { nextToken: Buffer.from(`after:${idOf(kind, last)}`).toString('base64url') }),
  }
}

function ownEntity(kind: BatchKind, caller: AdsCaller, id: unknown): Entity {
  const entity = findEntity(kind, caller, id)
  if (!entity)
    throw itemError('ENTITY_NOT_FOUND', 'The entity was not found', { [kind.id]: id }, { entityId: String(id) })
  return entity
}

function answer(kind: BatchKind, caller: AdsCaller, outcomes: readonly Outcome<unknown>[], prefers: boolean): object {
  const { alwaysWhole } = kind.product
  const write = alwaysWhole && !kind.extended && !prefers ? toWire : withExtendedData
  // CAMPAIGN_NEGATIVE_KEYWORD for a campaignNegativeKeyword; one of the keys is a plural.
  const singular = kind.successObject.replace(/s$/, '')
  const entityType = singular.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()
  const success: object[] = []
  const error: object[] = []
  for (const [index, { entity, problem }] of outcomes.entries())
    if (entity)
      success.push({
        index,
        [kind.successId ?? kind.id]: idOf(kind, entity),
        ...((prefers || alwaysWhole) && { [kind.successObject]: write(kind, entity, caller) }),
      })
    else if (problem)
      error.push({ index, errors: [problem.toWire(`$.${kind.key}[${index}]`, entityType, kind.selectors)] })
  return { [kind.key]: { success, error } }
}

function readItems({ key, product }: BatchKind, body: Item): Item[] {
  const items = body[key]
  if (!Array.isArray(items)) throw invalidArgument(`Expected a list at ${key}`)
  if (items.length > product.maxItems) throw invalidArgument(`${key} has more than ${product.maxItems} items`)
  return objectsAt(items, key)
}

function readIds({ idFilter, product }: BatchKind, body: Item): string[] {
  const ids = idsOf(body[idFilter], idFilter, product.maxItems)
  if (!ids) throw invalidArgument(`Expected a list of strings at ${idFilter}.include`)
  return [...ids]
}

function archive(kind: BatchKind, caller: AdsCaller, id: string): Entity {
  const entity = ownEntity(kind, caller, id)
  if (entity.state === 'ARCHIVED')
    throw itemError('ARCHIVED_ENTITY_CANNOT_BE_MODIFIED', 'The entity is archived already')
  kind.checkArchive?.(entity)
  return archiveEntity(kind, caller, entity)
}

const update = (kind: BatchKind, caller: AdsCaller, item: Item): Entity =>
  updateEntity(kind, caller, ownEntity(kind, caller, item[kind.id]), item)

export function batchCalls(kind: BatchKind): Call[] {
  const { path, creates = [[path, kind]], mediaType, replyTypes = [], product, isPermanent } = kind
  const plain = product.takesPlainJson && ({ plain: 'always' } as const)
  const media = { takes: [mediaType], gives: [mediaType, ...replyTypes], ...plain }
  const change = <T>(
    call: Pick<Call, 'method' | 'path'>,
    own: BatchKind,
    read: (kind: BatchKind, body: Item) => T[],
    run: (kind: BatchKind, caller: AdsCaller, item: T) => Entity,
  ): Call => ({
    ...call,
    media,
    status: 207,
    answer(caller, body, { request, reply }) {
      const items = read(own, body)
      const prefers = prefersWhole(request, reply)
      const outcomes = runItems(request, caller, items, item => run(own, caller, item))
      return answer(own, caller, outcomes, prefers)
    },
  })
  return [
    ...creates.map(([place, own]) => change({ path: place }, own, readItems, createEntity)),
    change({ method: 'PUT', path }, kind, readItems, update),
    ...(isPermanent ? [] : [change({ path: `${path}/delete` }, kind, readIds, archive)]),
    {
      path: `${path}/list`,
      media,
      answer(caller, body, { request }) {
        const late = faultOf(request, 'late-list')
        return listEntities(kind, caller, body, late ? caller.now.getTime() - late.delayMs : Infinity)
      },
    },
  ]
}
