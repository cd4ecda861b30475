import type { AdsCaller } from '../ads-caller.ts'
import type { Entity, EntityKind } from './entity-kind.ts'
import type { ServingStatus } from './serving-status.ts'

/** An API family whose calls take and answer batches: what its resources share. */
export interface BatchFamily {
  /** Items of one call at most. */
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
  extendedData(entity: Entity, status: ServingStatus): object
}

/** What the resources of v3 have in common, whatever they call the reasons of a status. */
export const versionThree = {
  refusesLargerPages: false,
  maxIds: 1000,
  maxParents: 100,
  alwaysWhole: false,
  takesPlainJson: false,
} satisfies Partial<BatchFamily>

/** When an entity was created and changed, as v3 writes it. */
export function isoDates({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) {
  return {
    creationDateTime: new Date(createdAt).toISOString(),
    lastUpdateDateTime: new Date(updatedAt).toISOString(),
  }
}

/** A resource whose calls take and answer batches. */
export interface BatchKind<E extends Entity> extends EntityKind<E> {
  mediaType: string
  /** What else Accept may name, though answers are the same. */
  replyTypes?: readonly string[]
  /** Key of the list in requests and replies. */
  key: string
  /** Name of the id in replies to changes, where it is not the one of items. */
  successId?: string
  /** Key of the whole object inside a success. */
  successObject: string
  deleteFilter: string
  /** Name of the count in lists, where it is not `totalResults`. */
  totalKey?: string
  /** Where dates and serving status come unasked: nowhere, in replies to changes, or in lists too. */
  extended?: 'in replies' | 'always'
  /** The selectors that item errors of this kind may have, where not all; others are reported as `otherError`. */
  selectors?: readonly string[]
  servingStatus(entity: E, caller: AdsCaller): ServingStatus
}
