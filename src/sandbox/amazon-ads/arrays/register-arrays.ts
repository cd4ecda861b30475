import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, requireMedia } from '../ads-caller.ts'
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
export const registerOne = <E extends Entity>({ app, world, region, kind }: ArrayPlace<E>): void => {
  const idIn = (params: unknown): string => (params as { id: string }).id
  app.get(`${kind.path}/:id`, (request, reply) => {
    const caller = readCaller(request, world, region)
    return answer(reply, kind.types.one, kind.toWire(oneByPath(kind, caller, idIn(request.params)), caller))
  })
  app.delete(`${kind.path}/:id`, (request, reply) => {
    const archived = archiveOne(kind, readCaller(request, world, region), idIn(request.params))
    return answer(reply, kind.types.change, { code: 'SUCCESS', [kind.idName]: wholeId(kind.idOf(archived)) })
  })
}

/** Lists by query, and, where the kind has them, `/extended` with dates and serving status. */
export const registerLists = <E extends Entity>({ app, world, region, kind }: ArrayPlace<E>): void => {
  app.get(kind.path, (request, reply) => {
    const caller = readCaller(request, world, region)
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
    const caller = readCaller(request, world, region)
    const page = listByQuery(kind, caller, request.query as Query)
    return answer(
      reply,
      kind.types.list,
      page.map(entity => whole(entity, caller)),
    )
  })
  app.get(`${kind.path}/extended/:id`, (request, reply) => {
    const caller = readCaller(request, world, region)
    const entity = oneByPath(kind, caller, (request.params as { id: string }).id)
    return answer(reply, kind.types.one, whole(entity, caller))
  })
}

/** `POST` and `PUT` of bare lists, answered 207 item by item, with the lists and single entities of the kind. */
export const registerArrays = <E extends Entity>(place: ArrayPlace<E>): void => {
  const { app, world, region, kind } = place
  app.post(kind.path, (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, ['application/json', kind.types.one])
    const done = runItems(request, caller, readExactJson(request), item => createOne(kind, caller, item))
    void reply.code(207)
    return answer(reply, kind.types.change, done.map(resultOf(kind)))
  })
  app.put(kind.path, (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, ['application/json', kind.types.one])
    const done = runItems(request, caller, readExactJson(request), item => updateOne(kind, caller, item))
    void reply.code(207)
    return answer(reply, kind.types.change, done.map(resultOf(kind)))
  })
  registerLists(place)
  registerOne(place)
}
