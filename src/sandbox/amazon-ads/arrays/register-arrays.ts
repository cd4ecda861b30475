import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller } from '../ads-caller.ts'
import { type Media, requireAccept, requireMedia } from '../media-types.ts'
import type { Entity } from '../entities/entity-kind.ts'
import type { ArrayKind, Query } from './array-kind.ts'
import { listByQuery } from './list-by-query.ts'
import { archiveOne, codeOf, createOne, oneByPath, type Outcome, runItems, updateOne } from './run-items.ts'
import { readExactJson, wholeId } from './whole-ids.ts'

/** Where a kind is served. */
export interface ArrayPlace<E extends Entity> {
  app: FastifyInstance
  world: World
  region: RegionKey
  kind: ArrayKind<E>
}

/** Media types that Accept may name for a kind. */
export const acceptedTypes = <E extends Entity>({ types }: ArrayKind<E>): string[] => [
  types.one,
  types.change,
  types.list,
  ...(types.others ?? []),
]
const mediaOf = <E extends Entity>(kind: ArrayKind<E>): Media => ({
  takes: [kind.types.one],
  gives: acceptedTypes(kind),
  plain: 'always',
})
/** Who reads, once it is clear that they can read the answer. */
const readerOf = <E extends Entity>({ world, region, kind }: ArrayPlace<E>, request: FastifyRequest): AdsCaller => {
  const caller = readCaller(request, world, region)
  requireAccept(request, acceptedTypes(kind), 406)
  return caller
}

const answer = (reply: FastifyReply, type: string, body: unknown): string => {
  void reply.type(type)
  return JSON.stringify(body)
}

/** An id as it came: as a number, though it may have been read as digits for having so many. */
const asCame = (id: unknown): unknown => (typeof id === 'string' && /^\d{16,}$/.test(id) ? wholeId(id) : id)

const resultOf =
  <E extends Entity>(kind: ArrayKind<E>) =>
  ({ item, entity, problem }: Outcome<E>, index: number): object => {
    if (entity) return { code: 'SUCCESS', [kind.idName]: wholeId(kind.idOf(entity)) }
    if (!problem) return {}
    return {
      code: codeOf(problem),
      description: problem.message,
      ...(item[kind.idName] !== undefined && { [kind.idName]: asCame(item[kind.idName]) }),
      ...kind.refusal?.(problem, item, `$[${index}]`),
    }
  }

/** `GET` and `DELETE` of one entity by its id. */
export const registerOne = <E extends Entity>(place: ArrayPlace<E>): void => {
  const { app, kind } = place
  const idIn = (params: unknown): string => (params as { id: string }).id
  app.get(`${kind.path}/:id`, (request, reply) => {
    const caller = readerOf(place, request)
    return answer(reply, kind.types.one, kind.toWire(oneByPath(kind, caller, idIn(request.params)), caller))
  })
  app.delete(`${kind.path}/:id`, (request, reply) => {
    const archived = archiveOne(kind, readerOf(place, request), idIn(request.params))
    return answer(reply, kind.types.change, { code: 'SUCCESS', [kind.idName]: wholeId(kind.idOf(archived)) })
  })
}

/** Lists by query, and, where the kind has them, `/extended` with dates and serving status. */
export const registerLists = <E extends Entity>(place: ArrayPlace<E>): void => {
  const { app, kind } = place
  app.get(kind.path, (request, reply) => {
    const caller = readerOf(place, request)
    const page = listByQuery(kind, caller, request.query as Query)
    return answer(
      reply,
      kind.types.list,
      page.map(entity => kind.toWire(entity, caller)),
    )
  })
  if (!kind.extended) return
  const whole = (entity: E, caller: AdsCaller) => ({
    ...kind.toWire(entity, caller),
    ...kind.extended?.(entity, caller),
  })
  app.get(`${kind.path}/extended`, (request, reply) => {
    const caller = readerOf(place, request)
    const page = listByQuery(kind, caller, request.query as Query)
    return answer(
      reply,
      kind.types.list,
      page.map(entity => whole(entity, caller)),
    )
  })
  app.get(`${kind.path}/extended/:id`, (request, reply) => {
    const caller = readerOf(place, request)
    const entity = oneByPath(kind, caller, (request.params as { id: string }).id)
    return answer(reply, kind.types.one, whole(entity, caller))
  })
}

/** `POST` and `PUT` of bare lists, answered 207 item by item, with the lists and single entities of the kind. */
export const registerArrays = <E extends Entity>(place: ArrayPlace<E>): void => {
  const { app, world, region, kind } = place
  app.post(kind.path, (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, mediaOf(kind))
    const done = runItems(request, caller, readExactJson(request), item => createOne(kind, caller, item))
    void reply.code(207)
    return answer(reply, kind.types.change, done.map(resultOf(kind)))
  })
  app.put(kind.path, (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, mediaOf(kind))
    const done = runItems(request, caller, readExactJson(request), item => updateOne(kind, caller, item))
    void reply.code(207)
    return answer(reply, kind.types.change, done.map(resultOf(kind)))
  })
  registerLists(place)
  registerOne(place)
}
