import type { FastifyRequest } from 'fastify'
import { type AdsCaller, readRequiredJson, wholeId } from '../ads-caller.ts'
import { AdsFailure, badRequest, gatewayFailure, unprocessable } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import {
  allOf,
  archiveEntity,
  createEntity,
  type Entity,
  type EntityKind,
  findEntity,
  idOf,
  isOwn,
  toWire,
  updateEntity,
} from './entity-kind.ts'
import { type ItemError, itemError } from './item-error.ts'
import { isObject, type Item } from './read-fields.ts'
import { type Outcome, runItems } from './run-items.ts'
import { servingStatus } from './serving-status.ts'
import { numberStyle } from './wire-styles.ts'

type Query = Record<string, string | undefined>

/**
 * A resource of the older families: bare lists in and out, lists by query, `DELETE` to archive. Where it has a status,
 * the calls below `/extended` add it and the dates.
 */
export interface ArrayKind<E extends Entity = Entity> extends EntityKind<E> {
  /** Media types of answers: to changes, with one entity, with a list, and whatever else Accept may name. */
  types: { change: string; one: string; list: string; others?: readonly string[] }
  extendedWithout?: string
  /** Filters of the list besides ids and states: does the entity pass? */
  passes?(entity: E, query: Query, caller: AdsCaller): boolean
  /** What an answer says about a refused item besides its code and a description. */
  describeError?(problem: ItemError, item: Item, place: string): Record<string, unknown>
}

const MAX_ITEMS = 100
// The specifications name no largest page; this is the one of their sibling lists by POST.
const MAX_PAGE = 5000
const states = ['enabled', 'paused', 'archived']

export const acceptedTypes = ({ types: { one, change, list, others = [] } }: ArrayKind): string[] => [
  one,
  change,
  list,
  ...others,
]

/** Runs the items of a bare list, each by itself. Throws 400 or 422 when it is no such list. */
export function runArray(
  request: FastifyRequest,
  caller: AdsCaller,
  items: unknown,
  run: (item: Item) => Entity,
): Outcome<Item>[] {
  if (!Array.isArray(items) || !items.every(isObject)) throw unprocessable()
  if (items.length > MAX_ITEMS) throw badRequest(`At most ${MAX_ITEMS} items are taken at once`)
  try {
    return runItems(request, caller, items, run)
  } catch (error) {
    // A reader that other families share failed the whole request in their wording.
    if (error instanceof AdsFailure && error.body.details === undefined) throw unprocessable(error.message)
    throw error
  }
}

/** Changes the entity that an item names by its id. Throws an item error when the caller has none. */
export function updateItem(kind: ArrayKind, caller: AdsCaller, item: Item): Entity {
  const id = numberStyle.readId(item, kind.id)
  const entity = findEntity(kind, caller, id)
  if (!entity) throw itemError('ENTITY_NOT_FOUND', `There is no ${kind.id} ${id}`, { [kind.id]: id })
  return updateEntity(kind, caller, entity, item)
}

export const codeOf = ({ selector, reason }: ItemError): string =>
  selector === 'entityNotFoundError' || reason === 'PARENT_ENTITY_NOT_FOUND' ? 'NOT_FOUND' : 'INVALID_ARGUMENT'

/** An id as the item had it: as a number, though one with many digits was read as text. */
const asSent = (id: unknown): unknown => (typeof id === 'string' && /^\d{16,}$/.test(id) ? wholeId(id) : id)

function resultOf(kind: ArrayKind, { item, entity, problem }: Outcome<Item>, index: number): object {
  if (entity) return { code: 'SUCCESS', [kind.id]: wholeId(idOf(kind, entity)) }
  if (!problem) return {}
  return {
    code: codeOf(problem),
    description: problem.message,
    [kind.id]: asSent(item[kind.id]),
    ...kind.describeError?.(problem, item, `$[${index}]`),
  }
}

export const splitList = (text: string): string[] => text.split(',').map(part => part.trim())

function wholeNumber(query: Query, name: string, fallback: number): number {
  const text = query[name] ?? String(fallback)
  if (!/^\d+$/.test(text)) throw badRequest(`${name} must be a whole number`)
  return Number(text)
}

/** The caller's entities that pass every filter of the query, from `startIndex`, `count` of them. */
function listByQuery(kind: ArrayKind, caller: AdsCaller, query: Query): Entity[] {
  const requestedStates = query.stateFilter ? splitList(query.stateFilter) : null
  const wrong = requestedStates?.find(state => !states.includes(state))
  if (wrong !== undefined) throw badRequest(`stateFilter knows ${states.join(', ')}, not ${wrong}`)
  const idFilters = [kind.id, 'adGroupId', 'campaignId', 'portfolioId'].flatMap(name => {
    const text = query[`${name}Filter`]
    return text ? [{ name, ids: new Set<unknown>(splitList(text)) }] : []
  })
  const start = wholeNumber(query, 'startIndex', 0)
  const end = start + Math.min(MAX_PAGE, wholeNumber(query, 'count', MAX_PAGE))
  const found: Entity[] = []
  for (const entity of allOf(kind, caller.world.store)) {
    if (!isOwn(kind, caller, entity)) continue
    if (requestedStates && !requestedStates.includes(entity.state.toLowerCase())) continue
    const values = entity as unknown as Item
    if (idFilters.some(({ name, ids }) => name in values && !ids.has(values[name] ?? ''))) continue
    if (kind.passes?.(entity, query, caller) ?? true) found.push(entity)
  }
  return found.slice(start, end)
}

function extended(kind: ArrayKind, entity: Entity, caller: AdsCaller): object {
  const { product, status, extendedWithout = '' } = kind
  return {
    ...toWire(kind, entity, caller),
    servingStatus: status && servingStatus({ product, status }, entity, caller)[0],
    creationDate: entity.createdAt,
    lastUpdatedDate: entity.updatedAt,
    [extendedWithout]: undefined,
  }
}

function entityByPath(kind: ArrayKind, caller: AdsCaller, id: string | undefined): Entity {
  const entity = findEntity(kind, caller, id)
  if (!entity) throw gatewayFailure(404, 'NOT_FOUND', `Could not find resource with id: ${id}`)
  return entity
}

type Write = (kind: ArrayKind, entity: Entity, caller: AdsCaller) => object

const getCall = (kind: ArrayKind, path: string, write: Write): Call => ({
  method: 'GET',
  path: `${path}/:id`,
  accepts: acceptedTypes(kind),
  type: kind.types.one,
  answer: (caller, _body, { params }) => write(kind, entityByPath(kind, caller, params.id), caller),
})

export const callsOfOne = (kind: ArrayKind): Call[] => [
  getCall(kind, kind.path, toWire),
  {
    method: 'DELETE',
    path: `${kind.path}/:id`,
    accepts: acceptedTypes(kind),
    type: kind.types.change,
    answer(caller, _body, { params }) {
      const entity = entityByPath(kind, caller, params.id)
      const id = idOf(kind, entity)
      if (entity.state === 'ARCHIVED') throw badRequest(`The ${kind.id} ${id} is archived already`)
      caller.world.change(() => archiveEntity(kind, caller, entity))
      return { code: 'SUCCESS', [kind.id]: wholeId(id) }
    },
  },
]

/** `POST` and `PUT` of bare lists, answered 207 item by item, with the lists and single entities of the kind. */
export function arrayCalls(kind: ArrayKind): Call[] {
  const { path, types, status } = kind
  const change = (method: 'POST' | 'PUT', run: typeof updateItem): Call => ({
    method,
    path,
    media: { takes: [types.one], gives: acceptedTypes(kind), plain: 'always' },
    read: request => ({ items: readRequiredJson(request) }),
    status: 207,
    type: types.change,
    answer: (caller, { items }, { request }) =>
      runArray(request, caller, items, item => run(kind, caller, item)).map((outcome, index) =>
        resultOf(kind, outcome, index),
      ),
  })
  const list = (place: string, write: Write): Call => ({
    method: 'GET',
    path: place,
    accepts: acceptedTypes(kind),
    type: types.list,
    answer: (caller, _body, { query }) => listByQuery(kind, caller, query).map(entity => write(kind, entity, caller)),
  })
  const extendedPath = `${path}/extended`
  return [
    change('POST', createEntity),
    change('PUT', updateItem),
    list(path, toWire),
    ...(status ? [list(extendedPath, extended), getCall(kind, extendedPath, extended)] : []),
    ...callsOfOne(kind),
  ]
}
