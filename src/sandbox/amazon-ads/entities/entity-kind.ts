import type { EntityId, EntityState, Store } from '../../core/model/store.ts'
import { newEntityId } from '../../core/new-id.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { ParentField } from '../../core/store/tracked-map.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { itemError } from './item-error.ts'
import type { Item } from './read-fields.ts'
import type { WireStyle } from './wire-styles.ts'

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
  /** Why a campaign that could serve does not. */
  campaignReason?(campaignId: EntityId, caller: AdsCaller): string | undefined
}

export interface StatusRules<E extends Entity = Entity> {
  live: string
  /** What the reasons of the entity's own state begin with (AD: AD_PAUSED); campaigns and ad groups need none. */
  prefix?: string
  ownReason?(entity: E, caller: AdsCaller): string | undefined
  /** Whether the campaign's reasons come before the ad group's. */
  campaignFirst?: boolean
}

/** An item on its way into the store. */
export interface Scope<E extends Entity = Entity> {
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
export interface Field<E extends Entity = Entity> {
  /** Whether only a new entity has it read: what a change says about it is ignored, as the vendor does. */
  once?: true
  /** Throws an item error, or an `AdsFailure` where the vendor's parser fails the whole request. */
  read?(scope: Scope<E>): object | undefined
  write?(entity: E, context: { caller: AdsCaller; style: WireStyle }): object
}

/** A resource: what differs from one to the next. How it is served depends on the API family. */
export interface EntityKind<E extends Entity = Entity> {
  product: ProductFamily
  path: string
  collection: Exclude<keyof Store, 'logins' | 'sellers' | 'profiles' | 'products'>
  /** The property with the id, in the entity as in items and answers. */
  id: string
  /** Read in this order, which decides the error of an item that has several. */
  fields: readonly Field<E>[]
  status?: StatusRules<E>
  /** Where a collection holds the entities of two kinds: whether one is of this kind. */
  includes?(entity: E): boolean
  onCreate?(store: Store, entity: E): void
  /** Throws when the entity may not be archived by a call. */
  checkArchive?(entity: E): void
}

// A kind names the collection of its own entities.
const collectionOf = ({ collection }: EntityKind, store: Store): Map<EntityId, Entity> =>
  store[collection] as unknown as Map<EntityId, Entity>

/** The entities of the kind's collection, of every profile: `isOwn` says which are the caller's, and of this kind. */
export const allOf = (kind: EntityKind, store: Store): Iterable<Entity> => collectionOf(kind, store).values()

export const isOwn = (kind: EntityKind, { profile }: AdsCaller, entity: Entity): boolean =>
  entity.profileId === profile.profileId && (kind.includes?.(entity) ?? true)

/** The other entity with the same parent for which this is so, if there is one that is not archived. */
export function findSibling<E extends Entity>(
  { kind, caller, draft, before }: Scope<E>,
  within: ParentField,
  isSame: (other: E) => boolean,
): E | undefined {
  const all = collectionOf(kind as EntityKind, caller.world.store) as unknown as Map<EntityId, E>
  for (const other of entriesBy(all, within, (draft as Partial<Record<ParentField, unknown>>)[within]).values())
    if (other !== before && other.state !== 'ARCHIVED' && isSame(other)) return other
  return undefined
}

/** The same among those of the ad group, or of the whole campaign. */
export const findClauseLike = <E extends Entity>(scope: Scope<E>, isSame: (other: E) => boolean): E | undefined =>
  findSibling(
    scope,
    scope.draft.adGroupId ? 'adGroupId' : 'campaignId',
    other => other.adGroupId === scope.draft.adGroupId && isSame(other),
  )

export const idOf = ({ id }: EntityKind, entity: Entity): EntityId => (entity as unknown as Item)[id] as EntityId

export function findEntity(kind: EntityKind, caller: AdsCaller, id: unknown): Entity | undefined {
  const entity = typeof id === 'string' ? collectionOf(kind, caller.world.store).get(id) : undefined
  return entity && isOwn(kind, caller, entity) ? entity : undefined
}

function put(kind: EntityKind, { world }: AdsCaller, entity: Entity): Entity {
  collectionOf(kind, world.store).set(idOf(kind, entity), entity)
  return entity
}

function readFields(scope: Scope): Entity {
  for (const field of scope.kind.fields)
    if (!field.once || !scope.before) scope.draft = { ...scope.draft, ...field.read?.(scope) }
  return scope.draft
}

export function createEntity(kind: EntityKind, caller: AdsCaller, item: Item): Entity {
  const at = caller.now.getTime()
  const start = { [kind.id]: newEntityId(), profileId: caller.profile.profileId, createdAt: at, updatedAt: at }
  // Whole once all fields have been read.
  const draft = start as unknown as Entity
  const entity = put(kind, caller, readFields({ kind, caller, item, style: kind.product.style, draft }))
  kind.onCreate?.(caller.world.store, entity)
  return entity
}

/** Changes an entity as the item says. Throws when it or a parent is archived, and when a field does. */
export function updateEntity(kind: EntityKind, caller: AdsCaller, before: Entity, item: Item): Entity {
  const { style, campaigns, adGroups } = kind.product
  const { store } = caller.world
  if (before.state === 'ARCHIVED')
    throw itemError('ARCHIVED_ENTITY_CANNOT_BE_MODIFIED', 'An archived entity cannot be modified', {
      state: 'ARCHIVED',
    })
  const parents = [store[campaigns].get(before.campaignId ?? ''), store[adGroups].get(before.adGroupId ?? '')]
  if (parents.some(parent => parent?.state === 'ARCHIVED'))
    throw itemError('PARENT_ARCHIVED_FORBIDS_UPDATES', 'A parent of the entity is archived', { state: undefined })
  const changed = readFields({ kind, caller, item, style, before, draft: before })
  return put(kind, caller, { ...changed, updatedAt: caller.now.getTime() })
}

export const archiveEntity = (kind: EntityKind, caller: AdsCaller, entity: Entity): Entity =>
  put(kind, caller, { ...entity, state: 'ARCHIVED', updatedAt: caller.now.getTime() })

/** The entity as answers show it: first its id and those of its parents. */
export function toWire(kind: EntityKind, entity: Entity, caller: AdsCaller): Record<string, unknown> {
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
