import type { FastifyReply, FastifyRequest } from 'fastify'
import { faultOf } from '../../core/fault-hooks.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import type { BatchKind } from './batch-kind.ts'
import { archiveEntity, createEntity, type Entity, findEntity, idOf, toWire, updateEntity } from './entity-kind.ts'
import { ItemError, itemError } from './item-error.ts'
import { idsOf, listEntities, withExtendedData } from './list-entities.ts'
import { type Item, objectsAt } from './read-fields.ts'

export interface Outcome<T> {
  item: T
  entity?: Entity
  problem?: ItemError
}

/** The error that a partial fault injects for an item: for those it names, else for every second one or the only one. */
function injectedError(request: FastifyRequest, index: number, total: number): ItemError | null {
  const fault = faultOf(request, 'partial')
  if (!fault) return null
  const hit = fault.items ? fault.items.includes(index) : total === 1 || index % 2 === 1
  return hit ? new ItemError(fault.selector, fault.reason, 'The item was refused') : null
}

/** Runs each item by itself; one that fails does not affect the others. */
export const runItems = <T>(
  request: FastifyRequest,
  { world }: AdsCaller,
  items: readonly T[],
  run: (item: T) => Entity,
): Outcome<T>[] =>
  world.change(() =>
    items.map((item, index) => {
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

/** Whether the request prefers the whole object in each success; the answer then confirms it. */
export function prefersWhole(request: FastifyRequest, reply: FastifyReply): boolean {
  const prefers = /\breturn=representation\b/.test(String(request.headers.prefer ?? ''))
  if (prefers) void reply.header('preference-applied', 'return=representation')
  return prefers
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

/** Create, change, archive (`POST …/delete`) and list a kind of entities. */
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
