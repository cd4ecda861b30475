import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { faultOf } from '../../core/fault-hooks.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { invalidArgument } from '../ads-failure.ts'
import { checkChangeable, type Entity, type EntityFamily, type EntityKind } from './entity-kind.ts'
import { ItemError, itemError } from './item-error.ts'
import { listEntities, withExtendedData } from './list-entities.ts'
import { refusedBy } from './ordered-refusal.ts'
import { idsOf } from './list-filters.ts'
import { type Item, objectsAt } from './read-fields.ts'

/** Where a kind is served, and by which family's rules. */
export interface Place<E extends Entity> {
  app: FastifyInstance
  world: World
  region: RegionKey
  family: EntityFamily
  kind: EntityKind<E>
}

interface Outcome<E> {
  id: string
  entity: E
}

const notFound = (kind: { itemId: string }, id: unknown): ItemError =>
  itemError('entityNotFoundError', 'ENTITY_NOT_FOUND', {
    message: 'The entity was not found',
    field: kind.itemId,
    trigger: id,
    more: { entityId: String(id) },
  })

/** CAMPAIGN_NEGATIVE_KEYWORD for a campaignNegativeKeyword; one of the keys is a plural. */
const typeOf = (kind: { successObject: string }): string =>
  kind.successObject
    .replace(/s$/, '')
    .replaceAll(/[A-Z]/g, letter => `_${letter}`)
    .toUpperCase()

const ownEntity = <E extends Entity>(kind: EntityKind<E>, { world, profile }: AdsCaller, id: unknown): E => {
  const entity = typeof id === 'string' ? kind.find(world.store, id) : undefined
  if (entity?.profileId !== profile.profileId) throw notFound(kind, id)
  return entity
}

const readItems = (body: Item, key: string, most: number): Item[] => {
  const items = body[key]
  if (!Array.isArray(items)) throw invalidArgument(`Expected a list at ${key}`)
  if (items.length > most) throw invalidArgument(`${key} has more than ${most} items`)
  return objectsAt(items, key)
}

const readIds = (body: Item, filter: string, most: number): string[] => {
  const ids = idsOf(body[filter], filter, most)
  if (!ids) throw invalidArgument(`Expected a list of strings at ${filter}.include`)
  return [...ids]
}

/** Some families know few selectors; what has none of its own there is told as `otherError`. */
const worded = (problem: ItemError, selectors: readonly string[] | undefined): ItemError =>
  !selectors || selectors.includes(problem.selector)
    ? problem
    : new ItemError('otherError', problem.reason, { ...problem.detail, more: {} })

const runBatch = <T, E extends Entity>(
  { family, kind }: Place<E>,
  { request, reply, caller }: { request: FastifyRequest; reply: FastifyReply; caller: AdsCaller },
  items: readonly T[],
  one: (item: T) => Outcome<E>,
): object => {
  const prefers = /\breturn=representation\b/.test(String(request.headers.prefer ?? ''))
  if (prefers) void reply.header('preference-applied', 'return=representation')
  const whole = (entity: E): object =>
    family.alwaysWhole && !kind.extended && !prefers
      ? kind.toWire(entity, caller)
      : withExtendedData({ family, kind }, entity, caller)
  const success: object[] = []
  const error: object[] = []
  caller.world.change(() => {
    for (const [index, item] of items.entries()) {
      try {
        const refused = refusedBy(request, index, items.length)
        if (refused) throw refused
        const { id, entity } = one(item)
        success.push({
          index,
          [kind.successId]: id,
          ...((prefers || family.alwaysWhole) && { [kind.successObject]: whole(entity) }),
        })
      } catch (problem) {
        if (!(problem instanceof ItemError)) throw problem
        const told = worded(problem, kind.selectors).toWire(`$.${kind.key}[${index}]`, typeOf(kind))
        error.push({ index, errors: [told] })
      }
    }
  })
  void reply.code(207)
  return { [kind.key]: { success, error } }
}

const open = <E extends Entity>(
  { world, region, kind, family }: Place<E>,
  request: FastifyRequest,
): { caller: AdsCaller; body: Item } => {
  const caller = readCaller(request, world, region)
  requireMedia(request, {
    takes: [kind.mediaType],
    gives: [kind.mediaType, ...(kind.replyTypes ?? [])],
    ...(family.takesPlainJson && { plain: 'always' }),
  })
  return { caller, body: readObject(request) }
}

/** `POST` of the kind's path, or of another where its items are made at several. */
export const registerCreate = <E extends Entity>(place: Place<E>, path = place.kind.path): void => {
  const { app, world, kind, family } = place
  app.post(path, (request, reply) => {
    const { caller, body } = open(place, request)
    return runBatch(place, { request, reply, caller }, readItems(body, kind.key, family.mostItems), item => {
      const entity = kind.create(caller, item)
      kind.put(world.store, entity)
      return { id: kind.idOf(entity), entity }
    })
  })
}

/** `PUT` of the kind's path. */
export const registerUpdate = <E extends Entity>(place: Place<E>): void => {
  const { app, world, kind, family } = place
  app.put(kind.path, (request, reply) => {
    const { caller, body } = open(place, request)
    return runBatch(place, { request, reply, caller }, readItems(body, kind.key, family.mostItems), item => {
      const entity = ownEntity(kind, caller, item[kind.itemId])
      checkChangeable(family.parentsOf(world.store, entity), entity)
      const changed = { ...kind.update(caller, entity, item), updatedAt: caller.now.getTime() }
      kind.put(world.store, changed)
      return { id: kind.idOf(changed), entity: changed }
    })
  })
}

/** `POST …/delete`, which archives. */
export const registerDelete = <E extends Entity>(place: Place<E>): void => {
  const { app, world, kind, family } = place
  app.post(`${kind.path}/delete`, (request, reply) => {
    const { caller, body } = open(place, request)
    const ids = readIds(body, kind.deleteFilter, family.mostItems)
    return runBatch(place, { request, reply, caller }, ids, id => {
      const entity = ownEntity(kind, caller, id)
      if (entity.state === 'ARCHIVED')
        throw itemError('entityStateError', 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED', {
          message: 'The entity is archived already',
        })
      kind.checkArchive?.(entity)
      const archived = { ...entity, state: 'ARCHIVED' as const, updatedAt: caller.now.getTime() }
      kind.put(world.store, archived)
      return { id, entity: archived }
    })
  })
}

/** `POST …/list`. */
export const registerList = <E extends Entity>(place: Place<E>): void => {
  place.app.post(`${place.kind.path}/list`, request => {
    const { caller, body } = open(place, request)
    const late = faultOf(request, 'late-list')
    return listEntities(place, caller, body, late ? caller.now.getTime() - late.delayMs : Infinity)
  })
}

/** Update, delete and list. */
export const registerChanges = <E extends Entity>(place: Place<E>): void => {
  registerUpdate(place)
  registerDelete(place)
  registerList(place)
}
