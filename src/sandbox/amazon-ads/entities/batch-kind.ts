import type { AdsCaller } from '../ads-caller.ts'
import type { Entity, EntityKind, ProductFamily, StatusRules } from './entity-kind.ts'

/** An API family whose calls take and answer batches: what its resources share. */
export interface BatchFamily extends ProductFamily {
  maxItems: number
  /** Largest page of a list; a larger request is clamped silently or refused. */
  maxPage: number
  refusesLargerPages: boolean
  /** Ids in an id filter, and in a filter of parents, at most. */
  maxIds: number
  maxParents: number
  /** Whether a success carries the whole object even without `Prefer: return=representation`. */
  alwaysWhole: boolean
  /** Whether plain JSON is accepted whatever Accept is. */
  takesPlainJson: boolean
  /** The dates of an entity, and why it does not serve. */
  extendedData(entity: Entity, reasons: readonly string[]): object
}

/** What the resources of v3 have in common; each has names of its own for the reasons of a status. */
export const versionThree = (statusOf: (reasons: readonly string[]) => object) =>
  ({
    refusesLargerPages: false,
    maxIds: 1000,
    maxParents: 100,
    alwaysWhole: false,
    takesPlainJson: false,
    extendedData: ({ createdAt, updatedAt }, reasons) => ({
      creationDateTime: new Date(createdAt).toISOString(),
      lastUpdateDateTime: new Date(updatedAt).toISOString(),
      servingStatus: reasons[0],
      ...statusOf(reasons),
    }),
  }) satisfies Partial<BatchFamily>

/** A resource whose calls take and answer batches. */
export interface BatchKind<E extends Entity = Entity> extends EntityKind<E> {
  product: BatchFamily
  status: StatusRules<E>
  mediaType: string
  /** What else Accept may name, though answers are the same. */
  replyTypes?: readonly string[]
  /** Key of the list in requests and replies. */
  key: string
  /** Name of the id in replies to changes, where it is not the one of items. */
  successId?: string
  successObject: string
  /** The filter by ids, of lists and of `POST …/delete`. */
  idFilter: string
  isPermanent?: boolean
  /** Where items are created, if at other paths than the kind's own: the kinds that they are read as. */
  creates?: readonly (readonly [path: string, kind: BatchKind<E>])[]
  /** Name of the count in lists, where it is not `totalResults`. */
  totalKey?: string
  /** Where dates and serving status come unasked: nowhere, in replies to changes, or in lists too. */
  extended?: 'in replies' | 'always'
  /** The selectors that item errors of this kind may have, where not all. */
  selectors?: readonly string[]
  /**
   * What the list can be filtered by besides ids, parents and states: the entity's value or values, one of which must pass.
   * Each name has its own kind of filter.
   */
  filters?: Readonly<Record<string, Filterable<E>['valueOf']>>
}

interface Filterable<E extends Entity> {
  valueOf(entity: E, caller: AdsCaller): string | readonly string[] | null | undefined
}
