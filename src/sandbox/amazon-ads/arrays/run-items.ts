import type { FastifyRequest } from 'fastify'
import type { AdsCaller } from '../ads-caller.ts'
import { AdsFailure, gatewayFailure } from '../ads-failure.ts'
import { checkChangeable, type Entity } from '../entities/entity-kind.ts'
import { ItemError, itemError } from '../entities/item-error.ts'
import { refusedBy } from '../entities/ordered-refusal.ts'
import { isObject, type Item } from '../entities/read-fields.ts'
import type { ArrayKind } from './array-kind.ts'
import { requiredId } from './read-words.ts'

export const MOST_ITEMS = 100

export interface Outcome<E> {
  item: Item
  entity?: E
  problem?: ItemError
}

/** The family's refusal of a whole request, for what a reader threw in another family's words. */
const inOwnWords = (error: unknown): unknown =>
  error instanceof AdsFailure && error.body.details === undefined
    ? gatewayFailure(422, 'UNPROCESSABLE_ENTITY', error.message)
    : error

/** The entity of the caller's profile with this id. Throws an item error when there is none. */
export const ownEntity = <E extends Entity>(kind: ArrayKind<E>, { world, profile }: AdsCaller, id: string): E => {
  const entity = kind.find(world.store, id)
  if (entity?.profileId !== profile.profileId)
    throw itemError('entityNotFoundError', 'ENTITY_NOT_FOUND', {
      message: `There is no ${kind.idName} ${id}`,
      field: kind.idName,
      trigger: id,
    })
  return entity
}

export const createOne = <E extends Entity>(kind: ArrayKind<E>, caller: AdsCaller, item: Item): E => {
  const entity = kind.create(caller, item)
  kind.put(caller.world.store, entity)
  return entity
}

export const updateOne = <E extends Entity>(kind: ArrayKind<E>, caller: AdsCaller, item: Item): E => {
  const entity = ownEntity(kind, caller, requiredId(item, kind.idName))
  checkChangeable(kind.parentsOf(caller.world.store, entity), entity)
  const changed = { ...kind.update(caller, entity, item), updatedAt: caller.now.getTime() }
  kind.put(caller.world.store, changed)
  return changed
}

/** Each item by itself: what is good is done, what is not harms no other. */
export const runItems = <E extends Entity>(
  request: FastifyRequest,
  caller: AdsCaller,
  value: unknown,
  one: (item: Item) => E,
): Outcome<E>[] => {
  if (!Array.isArray(value) || !value.every(isObject))
    throw gatewayFailure(422, 'UNPROCESSABLE_ENTITY', 'A JSON parsing error was encountered')
  if (value.length > MOST_ITEMS)
    throw gatewayFailure(400, 'INVALID_ARGUMENT', `At most ${MOST_ITEMS} items are taken at once`)
  const items: Item[] = value
  try {
    return caller.world.change(() =>
      items.map((item, index): Outcome<E> => {
        try {
          const refused = refusedBy(request, index, items.length)
          if (refused) throw refused
          return { item, entity: one(item) }
        } catch (problem) {
          if (!(problem instanceof ItemError)) throw problem
          return { item, problem }
        }
      }),
    )
  } catch (error) {
    throw inOwnWords(error)
  }
}

/** What these families call an item's fault. */
export const codeOf = ({ selector, reason }: ItemError): string =>
  selector === 'entityNotFoundError' || reason === 'PARENT_ENTITY_NOT_FOUND' ? 'NOT_FOUND' : 'INVALID_ARGUMENT'

/** Archives one entity by its path. Throws 404 when it is not the caller's, 400 when it is archived already. */
export const archiveOne = <E extends Entity>(kind: ArrayKind<E>, caller: AdsCaller, id: string): E => {
  const entity = oneByPath(kind, caller, id)
  if (entity.state === 'ARCHIVED')
    throw gatewayFailure(400, 'INVALID_ARGUMENT', `The ${kind.idName} ${id} is archived already`)
  return caller.world.change(store => {
    const archived = { ...entity, state: 'ARCHIVED' as const, updatedAt: caller.now.getTime() }
    kind.put(store, archived)
    return archived
  })
}

/** One entity by its path. Throws 404 when it is not the caller's. */
export const oneByPath = <E extends Entity>(kind: ArrayKind<E>, { world, profile }: AdsCaller, id: string): E => {
  const entity = kind.find(world.store, id)
  if (entity?.profileId !== profile.profileId)
    throw gatewayFailure(404, 'NOT_FOUND', `Could not find resource with id: ${id}`)
  return entity
}
