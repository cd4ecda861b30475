import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { faultOf } from '../../core/fault-hooks.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import { requireMedia } from '../media-types.ts'
import type { BatchFamily, BatchKind } from './batch-kind.ts'
import {
  archivedError,
  archiveEntity,
  createEntity,
  type Entity,
  findEntity,
  idOf,
  toWire,
  updateEntity,
} from './entity-kind.ts'
import { ItemError, itemError } from './item-error.ts'
import { listEntities, withExtendedData } from './list-entities.ts'
import { idsOf } from './list-filters.ts'
import { type Item, objectsAt } from './read-fields.ts'

/** Where a kind is served, and by which family's rules. */
export interface BatchPlace<E extends Entity> {
  app: FastifyInstance
  world: World
  region: RegionKey
  family: BatchFamily
  kind: BatchKind<E>
}

/** The error that a partial fault injects for an item: for those it names, else for every second one or the only one. */
export function injectedError(request: FastifyRequest, index: number, total: number): ItemError | null {
  const fault = faultOf(request, 'partial')
  if (!fault) return null
  const hit = fault.items ? fault.items.includes(index) : total === 1 || index % 2 === 1
  return hit ? new ItemError(fault.selector, fault.reason, { message: 'The item was refused' }) : null
}

/** Whether the request prefers the whole object in each success; the answer then confirms it. */
export function prefersWhole(request: FastifyRequest, reply: FastifyReply): boolean {
  const prefers = /\breturn=representation\b/.test(String(request.headers.prefer ?? ''))
  if (prefers) void reply.header('preference-applied', 'return=representation')
  return prefers
}

/** CAMPAIGN_NEGATIVE_KEYWORD for a campaignNegativeKeyword; one of the keys is a plural. */
function typeOf(kind: { successObject: string }): string {
  return kind.successObject
    .replace(/s$/, '')
    .replaceAll(/[A-Z]/g, letter => `_${letter}`)
    .toUpperCase()
}

function ownEntity<E extends Entity>(kind: BatchKind<E>, caller: AdsCaller, id: unknown): E {
  const entity = findEntity(kind, caller, id)
  if (!entity)
    throw itemError('entityNotFoundError', 'ENTITY_NOT_FOUND', {
      message: 'The entity was not found',
      field: kind.id,
      trigger: id,
      more: { entityId: String(id) },
    })
  return entity
}

function readItems(body: Item, key: string, most: number): Item[] {
  const items = body[key]
  if (!Array.isArray(items)) throw invalidArgument(`Expected a list at ${key}`)
  if (items.length > most) throw invalidArgument(`${key} has more than ${most} items`)
  return objectsAt(items, key)
}

/** Some families have few selectors; an error of another one is reported as `otherError`. */
function withSelector(problem: ItemError, selectors: readonly string[] | undefined): ItemError {
  return !selectors || selectors.includes(problem.selector)
    ? problem
    : new ItemError('otherError', problem.reason, { ...problem.detail, more: {} })
}

interface Call {
  request: FastifyRequest
  reply: FastifyReply
  caller: AdsCaller
}

/** Runs each item by itself; one that fails does not affect the others. */
function runBatch<T, E extends Entity>(
  { family, kind }: BatchPlace<E>,
  { request, reply, caller }: Call,
  items: readonly T[],
  run: (item: T) => E,
): object {
  const prefers = prefersWhole(request, reply)
  const whole = (entity: E): object =>
    family.alwaysWhole && !kind.extended && !prefers
      ? toWire(kind, entity, caller)
      : withExtendedData({ family, kind }, entity, caller)
  const success: object[] = []
  const error: object[] = []
  caller.world.change(() => {
    for (const [index, item] of items.entries()) {
      try {
        const injected = injectedError(request, index, items.length)
        if (injected) throw injected
        const entity = run(item)
        success.push({
          index,
          [kind.successId ?? kind.id]: idOf(kind, entity),
          ...((prefers || family.alwaysWhole) && { [kind.successObject]: whole(entity) }),
        })
      } catch (problem) {
        if (!(problem instanceof ItemError)) throw problem
        const wire = withSelector(problem, kind.selectors).toWire(`$.${kind.key}[${index}]`, typeOf(kind))
        error.push({ index, errors: [wire] })
      }
    }
  })
  void reply.code(207)
  return { [kind.key]: { success, error } }
}

function open<E extends Entity>({ world, region, kind, family }: BatchPlace<E>, request: FastifyRequest) {
  const caller = readCaller(request, world, region)
  requireMedia(request, {
    takes: [kind.mediaType],
    gives: [kind.mediaType, ...(kind.replyTypes ?? [])],
    ...(family.takesPlainJson && { plain: 'always' }),
  })
  return { caller, body: readObject(request) }
}

/** `POST` of the kind's path, or of another path where its items are created at several. */
export function registerCreate<E extends Entity>(place: BatchPlace<E>, path = place.kind.path): void {
  const { app, kind, family } = place
  app.post(path, (request, reply) => {
    const { caller, body } = open(place, request)
    const items = readItems(body, kind.key, family.maxItems)
    return runBatch(place, { request, reply, caller }, items, item => createEntity(kind, caller, item))
  })
}

/** `PUT` of the kind's path. */
export function registerUpdate<E extends Entity>(place: BatchPlace<E>): void {
  const { app, kind, family } = place
  app.put(kind.path, (request, reply) => {
    const { caller, body } = open(place, request)
    return runBatch(place, { request, reply, caller }, readItems(body, kind.key, family.maxItems), item =>
      updateEntity(kind, caller, ownEntity(kind, caller, item[kind.id]), item),
    )
  })
}

/** `POST …/delete`, which archives. */
function registerDelete<E extends Entity>(place: BatchPlace<E>): void {
  const { app, kind, family } = place
  app.post(`${kind.path}/delete`, (request, reply) => {
    const { caller, body } = open(place, request)
    const ids = idsOf(body[kind.deleteFilter], kind.deleteFilter, family.maxItems)
    if (!ids) throw invalidArgument(`Expected a list of strings at ${kind.deleteFilter}.include`)
    return runBatch(place, { request, reply, caller }, [...ids], id => {
      const entity = ownEntity(kind, caller, id)
      if (entity.state === 'ARCHIVED') throw archivedError('The entity is archived already')
      kind.checkArchive?.(entity)
      return archiveEntity(kind, caller, entity)
    })
  })
}

/** `POST …/list`. */
export function registerList<E extends Entity>(place: BatchPlace<E>): void {
  place.app.post(`${place.kind.path}/list`, request => {
    const { caller, body } = open(place, request)
    const late = faultOf(request, 'late-list')
    return listEntities(place, caller, body, late ? caller.now.getTime() - late.delayMs : Infinity)
  })
}

/** Update, delete and list. */
export function registerChanges<E extends Entity>(place: BatchPlace<E>): void {
  registerUpdate(place)
  registerDelete(place)
  registerList(place)
}
