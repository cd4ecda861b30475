import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { faultOf } from '../../core/fault-hooks.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject, requireMedia } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import { adGroups } from '../kinds/ad-groups.ts'
import { campaigns } from '../kinds/campaigns.ts'
import { checkChangeable, type Entity, type EntityKind } from './entity-kind.ts'
import { ItemError, itemError } from './item-error.ts'
import { keywords } from '../kinds/keywords.ts'
import { listEntities, withExtendedData } from './list-entities.ts'
import { campaignNegativeKeywords, negativeKeywords } from '../kinds/negative-keywords.ts'
import { campaignNegativeTargets, negativeTargets } from '../kinds/negative-targets.ts'
import { productAds } from '../kinds/product-ads.ts'
import type { Item } from './read-fields.ts'
import { targets } from '../kinds/targets.ts'

const MOST_ITEMS = 1000

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

const ownEntity = <E extends Entity>(kind: EntityKind<E>, { world, profile }: AdsCaller, id: unknown): E => {
  const entity = typeof id === 'string' ? kind.find(world.books, id) : undefined
  if (entity?.profileId !== profile.profileId) throw notFound(kind, id)
  return entity
}

const readItems = (body: Item, key: string): Item[] => {
  const items = body[key]
  if (!Array.isArray(items)) throw invalidArgument(`Expected a list at ${key}`)
  if (items.length > MOST_ITEMS) throw invalidArgument(`${key} has more than ${MOST_ITEMS} items`)
  return items as Item[]
}

/** Items that an ordered fault refuses: those it names, else every second one, else the only one. */
const refusedBy = (request: FastifyRequest, index: number, total: number): ItemError | null => {
  const fault = faultOf(request, 'partial')
  if (!fault) return null
  const hit = fault.items ? fault.items.includes(index) : total === 1 || index % 2 === 1
  return hit ? new ItemError(fault.selector, fault.reason, { message: 'The item was refused' }) : null
}

const runBatch = <T, E extends Entity>(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: EntityKind<E>,
  caller: AdsCaller,
  items: readonly T[],
  one: (item: T) => Outcome<E>,
): object => {
  const prefers = /\breturn=representation\b/.test(String(request.headers.prefer ?? ''))
  if (prefers) void reply.header('preference-applied', 'return=representation')
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
          ...(prefers && { [kind.successObject]: withExtendedData(kind, entity, caller) }),
        })
      } catch (problem) {
        if (!(problem instanceof ItemError)) throw problem
        error.push({ index, errors: [problem.toWire(`$.${kind.key}[${index}]`)] })
      }
    }
  })
  void reply.code(207)
  return { [kind.key]: { success, error } }
}

const registerKind = <E extends Entity>(
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  kind: EntityKind<E>,
): void => {
  const open = (request: FastifyRequest): { caller: AdsCaller; body: Item } => {
    const caller = readCaller(request, world, region)
    requireMedia(request, [kind.mediaType], [kind.mediaType])
    return { caller, body: readObject(request) }
  }

  app.post(kind.path, (request, reply) => {
    const { caller, body } = open(request)
    return runBatch(request, reply, kind, caller, readItems(body, kind.key), item => {
      const entity = kind.create(caller, item)
      kind.put(world.books, entity)
      return { id: kind.idOf(entity), entity }
    })
  })

  app.put(kind.path, (request, reply) => {
    const { caller, body } = open(request)
    return runBatch(request, reply, kind, caller, readItems(body, kind.key), item => {
      const entity = ownEntity(kind, caller, item[kind.itemId])
      checkChangeable(caller, entity, kind.path === campaigns.path)
      const changed = { ...kind.update(caller, entity, item), updatedAt: caller.now.getTime() }
      kind.put(world.books, changed)
      return { id: kind.idOf(changed), entity: changed }
    })
  })

  app.post(`${kind.path}/delete`, (request, reply) => {
    const { caller, body } = open(request)
    const { include } = (body[kind.deleteFilter] ?? {}) as { include?: unknown }
    const ids = readItems({ include }, 'include') as unknown as string[]
    return runBatch(request, reply, kind, caller, ids, id => {
      const entity = ownEntity(kind, caller, id)
      if (entity.state === 'ARCHIVED')
        throw itemError('entityStateError', 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED', {
          message: 'The entity is archived already',
        })
      kind.checkArchive?.(entity)
      const archived = { ...entity, state: 'ARCHIVED' as const, updatedAt: caller.now.getTime() }
      kind.put(world.books, archived)
      return { id, entity: archived }
    })
  })

  app.post(`${kind.path}/list`, request => {
    const { caller, body } = open(request)
    return listEntities(kind, caller, body)
  })
}

/** Create, update, archive and list of the nine resources of Sponsored Products v3. */
export const registerEntities = (app: FastifyInstance, world: World, region: RegionKey): void => {
  registerKind(app, world, region, campaigns)
  registerKind(app, world, region, adGroups)
  registerKind(app, world, region, productAds)
  registerKind(app, world, region, keywords)
  registerKind(app, world, region, negativeKeywords)
  registerKind(app, world, region, campaignNegativeKeywords)
  registerKind(app, world, region, targets)
  registerKind(app, world, region, negativeTargets)
  registerKind(app, world, region, campaignNegativeTargets)
}
