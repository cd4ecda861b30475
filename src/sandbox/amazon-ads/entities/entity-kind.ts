import type { Store, EntityId, EntityState } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { itemError } from './item-error.ts'
import { usableParent } from './parent.ts'
import type { Item } from './read-fields.ts'

/** What every entity has in common. */
export interface Entity {
  profileId: number
  campaignId?: EntityId
  adGroupId?: EntityId | null
  state: EntityState
  createdAt: number
  updatedAt: number
}

export interface ServingStatus {
  status: string
  details: string[]
}

/** What the resources of one ad product share, and differ in from another's. */
export interface EntityFamily {
  /** Items of one call at most. */
  mostItems: number
  /** Largest page of a list; a larger wish is clamped in silence or refused. */
  largestPage: number
  refusesLargerPages: boolean
  /** Ids in an id filter, and in a filter of parents, at most. */
  mostIds: number
  mostParents: number
  /** Whether a success carries the whole object without being asked by `Prefer: return=representation`. */
  alwaysWhole: boolean
  /** Whether plain JSON is taken whatever Accept says. */
  takesPlainJson: boolean
  extendedData(entity: Entity, status: ServingStatus): object
  /** The campaign and the ad group that an entity hangs on. */
  parentsOf(store: Store, entity: Entity): ({ state: EntityState } | undefined)[]
}

/** Everything that tells one resource of a family from another; the rest is the same for all. */
export interface EntityKind<E extends Entity> {
  path: string
  mediaType: string
  /** What else Accept may name, though answers are the same. */
  replyTypes?: readonly string[]
  /** Key of the list in requests and replies. */
  key: string
  /** Names of the id: in create and update replies, and in updates and lists. They differ for some. */
  successId: string
  itemId: string
  /** Key of the whole object inside a success, with `Prefer: return=representation`. */
  successObject: string
  deleteFilter: string
  /** Name of the count in lists, where it is not `totalResults`. */
  totalKey?: string
  /** Where dates and serving status come unasked: nowhere, in replies to changes, or in lists too. */
  extended?: 'in replies' | 'always'
  /** Selectors that item errors of this kind may have, where not all; another one is told as `otherError`. */
  selectors?: readonly string[]
  /** Entities of this kind that the books hold, of every profile. */
  all(store: Store): Iterable<E>
  find(store: Store, id: EntityId): E | undefined
  idOf(entity: E): EntityId
  /** Throws an item error, or a whole-request failure for what the vendor's parser would not take. */
  create(caller: AdsCaller, item: Item): E
  /** The entity changed as the item asks; fields that cannot be changed are ignored in silence. */
  update(caller: AdsCaller, entity: E, item: Item): E
  put(store: Store, entity: E): void
  toWire(entity: E, caller: AdsCaller): Record<string, unknown>
  servingStatus(entity: E, caller: AdsCaller): ServingStatus
  /** Filters of the list beside ids, parents and states: does the entity pass? */
  passes?(entity: E, filter: Item, caller: AdsCaller): boolean
  /** Throws when the entity may not be archived by a call. */
  checkArchive?(entity: E): void
}

/** The campaign an item is to hang on. Throws when there is none of this profile, or it is archived. */
export const parentCampaign = ({ world, profile }: AdsCaller, campaignId: EntityId) => {
  const campaign = world.store.campaigns.get(campaignId)
  return usableParent('campaignId', campaignId, campaign?.profileId === profile.profileId && campaign)
}

/** The ad group (of that campaign) an item is to hang on, with its campaign. Throws as `parentCampaign`. */
export const parentAdGroup = (caller: AdsCaller, campaignId: EntityId, adGroupId: EntityId) => {
  const campaign = parentCampaign(caller, campaignId)
  const found = caller.world.store.adGroups.get(adGroupId)
  const adGroup = usableParent('adGroupId', adGroupId, found?.campaignId === campaign.campaignId && found)
  return { campaign, adGroup }
}

/** Throws unless the entity, and what it hangs on, may still be changed. */
export const checkChangeable = (parents: readonly ({ state: EntityState } | undefined)[], entity: Entity): void => {
  if (entity.state === 'ARCHIVED')
    throw itemError('entityStateError', 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED', {
      message: 'An archived entity cannot be modified',
      field: 'state',
      trigger: 'ARCHIVED',
    })
  if (parents.some(parent => parent?.state === 'ARCHIVED'))
    throw itemError('entityStateError', 'PARENT_ARCHIVED_FORBIDS_UPDATES', {
      message: 'A parent of the entity is archived',
      field: 'state',
    })
}
