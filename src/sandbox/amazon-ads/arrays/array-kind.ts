import type { Store, EntityId, EntityState } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity } from '../entities/entity-kind.ts'
import type { ItemError } from '../entities/item-error.ts'
import type { Item } from '../entities/read-fields.ts'

export type Query = Record<string, string | undefined>

/** A resource of the older families: whole numbers for ids, words in lower case, lists by query, `DELETE` to archive. */
export interface ArrayKind<E extends Entity> {
  path: string
  /** Name of the id in items and answers, and what an id filter holds it against. */
  idName: string
  /** Query filters that take a comma-separated list, and what each is held against. */
  filters: Record<string, (entity: E) => string>
  /** Media types of answers: to changes, with one entity, with a list, and whatever else Accept may name. */
  types: { change: string; one: string; list: string; others?: readonly string[] }
  all(store: Store): Iterable<E>
  find(store: Store, id: EntityId): E | undefined
  idOf(entity: E): EntityId
  put(store: Store, entity: E): void
  /** The campaign and the ad group that an entity hangs on. */
  parentsOf(store: Store, entity: E): ({ state: EntityState } | undefined)[]
  /** Throws an item error, or a whole-request failure for what the vendor's parser would not take. */
  create(caller: AdsCaller, item: Item): E
  /** The entity changed as the item asks; fields that cannot be changed are ignored in silence. */
  update(caller: AdsCaller, entity: E, item: Item): E
  toWire(entity: E, caller: AdsCaller): Record<string, unknown>
  /** What `/extended` adds to an entity; without it there are no such calls. */
  extended?(entity: E, caller: AdsCaller): Record<string, unknown>
  /** Filters beside the comma-separated ones: does the entity pass? */
  passes?(entity: E, query: Query, caller: AdsCaller): boolean
  /** What an answer says of a refused item beside its code and a description. */
  refusal?(problem: ItemError, item: Item, place: string): Record<string, unknown>
}
