import type { EntityId, EntityState, Store } from '../../core/model/store.ts'
import { newEntityId } from '../../core/new-id.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { ParentField } from '../../core/store/tracked-map.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { itemError } from './item-error.ts'
import type { Item } from './read-fields.ts'
import type { WireStyle } from './wire-styles.ts'

/** What every entity has in common. */
export interface Entity {
  profileId: number
  campaignId?: EntityId
  adGroupId?: EntityId | null
  state: EntityState
  createdAt: number
  updatedAt: number
}

/** An ad product: where the store holds its campaigns and ad groups, and how its calls write values. */
export interface ProductFamily {
  style: WireStyle
  campaigns: 'campaigns' | 'brandCampaigns' | 'displayCampaigns'
  adGroups: 'adGroups' | 'brandAdGroups' | 'displayAdGroups'
}

/** The collections whose entries are entities. */
export type EntityCollection = Exclude<keyof Store, 'logins' | 'sellers' | 'profiles' | 'products'>

/** An item on its way into the store. */
export interface Scope<E extends Entity> {
  kind: EntityKind<E>
  caller: AdsCaller
  item: Item
  style: WireStyle
  /** The entity that the item changes; absent for a new one. */
  before?: E
  /** The entity so far: its values before, and what the fields read until now. */
  draft: E
}

/** A part of an entity: how an item sets it, and how answers show it. Absent values are left unchanged. */
export interface Field<E extends Entity> {
  /** Throws an item error, or an `AdsFailure` where the vendor's parser fails the whole request. */
  read?(scope: Scope<E>): Record<string, unknown> | undefined
  write?(entity: E, context: { caller: AdsCaller; style: WireStyle }): Record<string, unknown>
}

/** A resource: what differs from one to the next. How it is served depends on the API family. */
export interface EntityKind<E extends Entity> {
  product: ProductFamily
  path: string
  collection: EntityCollection
  /** The property with the id, in the entity as in items and answers. */
  id: string
  /** Read in this order, which decides the error of an item that has several. */
  fields: readonly Field<E>[]
  /** Where a collection holds the entities of two kinds: whether one is of this kind. */
  includes?(entity: E): boolean
  /** Called after an entity was created. */
  onCreate?(store: Store, entity: E): void
  /** Throws when the entity may not be archived by a call. */
  checkArchive?(entity: E): void
  /** Filters of the list besides ids, parents and states: does the entity pass? */
  passes?(entity: E, filter: Item, caller: AdsCaller): boolean
}

function collectionOf<E extends Entity>({ collection }: EntityKind<E>, store: Store): Map<EntityId, E> {
  // A kind names the collection of its own entities.
  return store[collection] as unknown as Map<EntityId, E>
}

/** The entities of a kind, of every profile. */
export function allOf<E extends Entity>(kind: EntityKind<E>, store: Store): Iterable<E> {
  const all = collectionOf(kind, store).values()
  // No generator where none is needed: a list visits hundreds of thousands.
  return kind.includes ? only(all, entity => kind.includes?.(entity) ?? true) : all
}

function* only<E>(all: Iterable<E>, includes: (entity: E) => boolean): Iterable<E> {
  for (const entity of all) if (includes(entity)) yield entity
}

/** The entities of a kind that have this parent. */
export function siblingsOf<E extends Entity>(scope: Scope<E>, field: ParentField): Iterable<E> {
  const { kind, caller, draft } = scope
  return entriesBy(
    collectionOf(kind, caller.world.store),
    field,
    (draft as Partial<Record<ParentField, unknown>>)[field],
  ).values()
}

export function idOf<E extends Entity>({ id }: EntityKind<E>, entity: E): EntityId {
  return (entity as unknown as Record<string, EntityId>)[id] as EntityId
}

/** The entity with this id if it is of this kind and the caller's profile. */
export function findEntity<E extends Entity>(
  kind: EntityKind<E>,
  { world, profile }: AdsCaller,
  id: unknown,
): E | undefined {
  const entity = typeof id === 'string' ? collectionOf(kind, world.store).get(id) : undefined
  return entity && entity.profileId === profile.profileId && (kind.includes?.(entity) ?? true) ? entity : undefined
}

function put<E extends Entity>(kind: EntityKind<E>, { world }: AdsCaller, entity: E): E {
  collectionOf(kind, world.store).set(idOf(kind, entity), entity)
  return entity
}

function readFields<E extends Entity>(scope: Scope<E>): E {
  for (const field of scope.kind.fields) scope.draft = { ...scope.draft, ...field.read?.(scope) }
  return scope.draft
}

/** Creates the entity of an item. Throws when a field does. */
export function createEntity<E extends Entity>(kind: EntityKind<E>, caller: AdsCaller, item: Item): E {
  const at = caller.now.getTime()
  const start = { [kind.id]: newEntityId(), profileId: caller.profile.profileId, createdAt: at, updatedAt: at }
  // Whole once all fields have been read.
  const draft = start as unknown as E
  const entity = put(kind, caller, readFields({ kind, caller, item, style: kind.product.style, draft }))
  kind.onCreate?.(caller.world.store, entity)
  return entity
}

/** Changes an entity as the item says; fields that cannot change are ignored, as the vendor does. */
export function updateEntity<E extends Entity>(kind: EntityKind<E>, caller: AdsCaller, before: E, item: Item): E {
  checkChangeable(kind, caller, before)
  const changed = readFields({ kind, caller, item, style: kind.product.style, before, draft: before })
  return put(kind, caller, { ...changed, updatedAt: caller.now.getTime() })
}

export function archiveEntity<E extends Entity>(kind: EntityKind<E>, caller: AdsCaller, entity: E): E {
  return put(kind, caller, { ...entity, state: 'ARCHIVED' as const, updatedAt: caller.now.getTime() })
}

/** The entity as answers show it: first its id and those of its parents. */
export function toWire<E extends Entity>(kind: EntityKind<E>, entity: E, caller: AdsCaller): Record<string, unknown> {
  const { style } = kind.product
  const { adGroupId, campaignId } = entity
  const wire = {
    [kind.id]: style.id(idOf(kind, entity)),
    ...(adGroupId && { adGroupId: style.id(adGroupId) }),
    ...(campaignId && { campaignId: style.id(campaignId) }),
  }
  for (const field of kind.fields) Object.assign(wire, field.write?.(entity, { caller, style }))
  return wire
}

export function archivedError(message: string, trigger?: string) {
  return itemError('entityStateError', 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED', {
    message,
    ...(trigger !== undefined && { field: 'state', trigger }),
  })
}

function checkChangeable<E extends Entity>({ product }: EntityKind<E>, { world }: AdsCaller, entity: E): void {
  if (entity.state === 'ARCHIVED') throw archivedError('An archived entity cannot be modified', 'ARCHIVED')
  const { campaignId, adGroupId } = entity
  const parents = [
    world.store[product.campaigns].get(campaignId ?? ''),
    world.store[product.adGroups].get(adGroupId ?? ''),
  ]
  if (parents.some(parent => parent?.state === 'ARCHIVED'))
    throw itemError('entityStateError', 'PARENT_ARCHIVED_FORBIDS_UPDATES', {
      message: 'A parent of the entity is archived',
      field: 'state',
    })
}
