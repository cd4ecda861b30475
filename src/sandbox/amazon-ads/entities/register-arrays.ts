import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller } from '../ads-caller.ts'
import { AdsFailure, gatewayFailure } from '../ads-failure.ts'
import { readExactJson, wholeId } from '../exact-json.ts'
import { requireAccept, requireMedia } from '../media-types.ts'
import {
  allOf,
  archiveEntity,
  createEntity,
  type Entity,
  type EntityKind,
  findEntity,
  idOf,
  toWire,
  updateEntity,
} from './entity-kind.ts'
import { ItemError, itemError } from './item-error.ts'
import { isObject, type Item } from './read-fields.ts'
import { injectedError } from './register-batches.ts'
import { numberStyle } from './wire-styles.ts'

/** A resource of the older families: bare lists in and out, lists by query, `DELETE` to archive. */
export interface ArrayKind<E extends Entity> extends EntityKind<E> {
  /** Media types of answers: to changes, with one entity, with a list, and whatever else Accept may name. */
  types: { change: string; one: string; list: string; others?: readonly string[] }
  /** What `/extended` adds to an entity; without it there are no such calls. */
  extended?(entity: E, caller: AdsCaller): Record<string, unknown>
  /** What an answer says about a refused item besides its code and a description. */
  describeError?(problem: ItemError, item: Item, place: string): Record<string, unknown>
}

/** Where a kind is served. */
export interface ArrayPlace<E extends Entity> {
  app: FastifyInstance
  world: World
  region: RegionKey
  kind: ArrayKind<E>
}

export interface Outcome<E> {
  item: Item
  entity?: E
  problem?: ItemError
}

const MAX_ITEMS = 100
// The specifications name no largest page; this is the one of their sibling lists by POST.
const MAX_PAGE = 5000
const states = ['enabled', 'paused', 'archived']

/** Media types that Accept may name for a kind. */
export function acceptedTypes<E extends Entity>({ types }: ArrayKind<E>): string[] {
  return [types.one, types.change, types.list, ...(types.others ?? [])]
}

/** Runs each item by itself; one that fails does not affect the others. */
export function runItems<E extends Entity>(
  request: FastifyRequest,
  caller: AdsCaller,
  value: unknown,
  run: (item: Item) => E,
): Outcome<E>[] {
  if (!Array.isArray(value) || !value.every(isObject))
    throw gatewayFailure(422, 'UNPROCESSABLE_ENTITY', 'A JSON parsing error was encountered')
  if (value.length > MAX_ITEMS)
    throw gatewayFailure(400, 'INVALID_ARGUMENT', `At most ${MAX_ITEMS} items are taken at once`)
  const items: Item[] = value
  try {
    return caller.world.change(() =>
      items.map((item, index): Outcome<E> => {
        try {
          const injected = injectedError(request, index, items.length)
          if (injected) throw injected
          return { item, entity: run(item) }
        } catch (problem) {
          if (!(problem instanceof ItemError)) throw problem
          return { item, problem }
        }
      }),
    )
  } catch (error) {
    // A reader that other families share failed the whole request in their wording.
    if (error instanceof AdsFailure && error.body.details === undefined)
      throw gatewayFailure(422, 'UNPROCESSABLE_ENTITY', error.message)
    throw error
  }
}

/** Changes the entity that an item names by its id. Throws an item error when the caller has none. */
export function updateItem<E extends Entity>(kind: ArrayKind<E>, caller: AdsCaller, item: Item): E {
  const id = numberStyle.readId(item, kind.id)
  const entity = findEntity(kind, caller, id)
  if (!entity)
    throw itemError('entityNotFoundError', 'ENTITY_NOT_FOUND', {
      message: `There is no ${kind.id} ${id}`,
      field: kind.id,
      trigger: id,
    })
  return updateEntity(kind, caller, entity, item)
}

/** The code by which these families report a refused item. */
export const codeOf = ({ selector, reason }: ItemError): string =>
  selector === 'entityNotFoundError' || reason === 'PARENT_ENTITY_NOT_FOUND' ? 'NOT_FOUND' : 'INVALID_ARGUMENT'

/** An id as the item had it: as a number, though one with many digits was read as text. */
const asSent = (id: unknown): unknown => (typeof id === 'string' && /^\d{16,}$/.test(id) ? wholeId(id) : id)

function resultOf<E extends Entity>(kind: ArrayKind<E>, { item, entity, problem }: Outcome<E>, index: number): object {
  if (entity) return { code: 'SUCCESS', [kind.id]: wholeId(idOf(kind, entity)) }
  if (!problem) return {}
  return {
    code: codeOf(problem),
    description: problem.message,
    ...(item[kind.id] !== undefined && { [kind.id]: asSent(item[kind.id]) }),
    ...kind.describeError?.(problem, item, `$[${index}]`),
  }
}

function answer(reply: FastifyReply, type: string, body: unknown): string {
  void reply.type(type)
  return JSON.stringify(body)
}

type Query = Record<string, string | undefined>

export const splitList = (text: string): string[] => text.split(',').map(part => part.trim())

function wholeNumber(text: string | undefined, name: string, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^\d+$/.test(text)) throw gatewayFailure(400, 'INVALID_ARGUMENT', `${name} must be a whole number`)
  return Number(text)
}

function readStates({ stateFilter }: Query): Set<string> | null {
  if (!stateFilter) return null
  const requested = splitList(stateFilter)
  const wrong = requested.find(state => !states.includes(state))
  if (wrong !== undefined)
    throw gatewayFailure(400, 'INVALID_ARGUMENT', `stateFilter knows ${states.join(', ')}, not ${wrong}`)
  return new Set(requested)
}

/** The caller's entities that pass every filter of the query, from `startIndex`, `count` of them. */
function listByQuery<E extends Entity>(kind: ArrayKind<E>, caller: AdsCaller, query: Query): E[] {
  const requestedStates = readStates(query)
  const idFilters = [kind.id, 'adGroupId', 'campaignId', 'portfolioId'].flatMap(name => {
    const text = query[`${name}Filter`]
    return text ? [{ name, values: new Set<unknown>(splitList(text)) }] : []
  })
  const start = wholeNumber(query.startIndex, 'startIndex', 0)
  const end = start + Math.min(MAX_PAGE, wholeNumber(query.count, 'count', MAX_PAGE))
  const found: E[] = []
  for (const entity of allOf(kind, caller.world.store)) {
    if (entity.profileId !== caller.profile.profileId) continue
    if (requestedStates && !requestedStates.has(entity.state.toLowerCase())) continue
    const values = entity as unknown as Record<string, unknown>
    if (idFilters.some(({ name, values: ids }) => name in values && !ids.has(values[name] ?? ''))) continue
    if (kind.passes && !kind.passes(entity, query, caller)) continue
    found.push(entity)
  }
  return found.slice(start, end)
}

function entityByPath<E extends Entity>(kind: ArrayKind<E>, caller: AdsCaller, request: FastifyRequest): E {
  const { id } = request.params as { id: string }
  const entity = findEntity(kind, caller, id)
  if (!entity) throw gatewayFailure(404, 'NOT_FOUND', `Could not find resource with id: ${id}`)
  return entity
}

/** `GET` and `DELETE` of one entity by its id. */
export function registerOne<E extends Entity>(place: ArrayPlace<E>): void {
  const { app, kind } = place
  app.get(`${kind.path}/:id`, (request, reply) => {
    const caller = readReader(place, request)
    return answer(reply, kind.types.one, toWire(kind, entityByPath(kind, caller, request), caller))
  })
  app.delete(`${kind.path}/:id`, (request, reply) => {
    const caller = readReader(place, request)
    const entity = entityByPath(kind, caller, request)
    const id = idOf(kind, entity)
    if (entity.state === 'ARCHIVED')
      throw gatewayFailure(400, 'INVALID_ARGUMENT', `The ${kind.id} ${id} is archived already`)
    caller.world.change(() => archiveEntity(kind, caller, entity))
    return answer(reply, kind.types.change, { code: 'SUCCESS', [kind.id]: wholeId(id) })
  })
}

/** The caller of a call without a body, once it is clear that they can read the answer. */
function readReader<E extends Entity>({ world, region, kind }: ArrayPlace<E>, request: FastifyRequest): AdsCaller {
  const caller = readCaller(request, world, region)
  requireAccept(request, acceptedTypes(kind), 406)
  return caller
}

/** A list by query and one entity by its id, at the kind's path or, with dates and serving status, below `/extended`. */
function registerLists<E extends Entity>(place: ArrayPlace<E>): void {
  const { app, kind } = place
  const whole = (entity: E, caller: AdsCaller) => ({
    ...toWire(kind, entity, caller),
    ...kind.extended?.(entity, caller),
  })
  const list = (path: string, write: (entity: E, caller: AdsCaller) => object) =>
    app.get(path, (request, reply) => {
      const caller = readReader(place, request)
      const page = listByQuery(kind, caller, request.query as Query)
      const entities = page.map(entity => write(entity, caller))
      return answer(reply, kind.types.list, entities)
    })
  list(kind.path, (entity, caller) => toWire(kind, entity, caller))
  if (!kind.extended) return
  list(`${kind.path}/extended`, whole)
  app.get(`${kind.path}/extended/:id`, (request, reply) => {
    const caller = readReader(place, request)
    return answer(reply, kind.types.one, whole(entityByPath(kind, caller, request), caller))
  })
}

/** `POST` and `PUT` of bare lists, answered 207 item by item, with the lists and single entities of the kind. */
export function registerArrays<E extends Entity>(place: ArrayPlace<E>): void {
  const { app, world, region, kind } = place
  const change = (run: (caller: AdsCaller, item: Item) => E) => (request: FastifyRequest, reply: FastifyReply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, { takes: [kind.types.one], gives: acceptedTypes(kind), plain: 'always' })
    const outcomes = runItems(request, caller, readExactJson(request), item => run(caller, item))
    void reply.code(207)
    const results = outcomes.map((outcome, index) => resultOf(kind, outcome, index))
    return answer(reply, kind.types.change, results)
  }
  app.post(
    kind.path,
    change((caller, item) => createEntity(kind, caller, item)),
  )
  app.put(
    kind.path,
    change((caller, item) => updateItem(kind, caller, item)),
  )
  registerLists(place)
  registerOne(place)
}
