import type { Books, EntityId, EntityState } from '../../core/model.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { itemError } from './item-error.ts'
import type { Item } from './read-fields.ts'

/** What every entity has in common. */
export interface Entity {
  profileId: number
  campaignId: EntityId
  adGroupId?: EntityId | null
  state: EntityState
  createdAt: number
  updatedAt: number
}

export interface ServingStatus {
  status: string
  details: string[]
}

/** Everything that tells one resource of Sponsored Products from another; the rest is the same for all nine. */
export interface EntityKind<E extends Entity> {
  path: string
  mediaType: string
  /** Key of the list in requests and replies. */
  key: string
  /** Names of the id: in create and update replies, and in updates and lists. They differ for some. */
  successId: string
  itemId: string
  /** Key of the whole object inside a success, with `Prefer: return=representation`. */
  successObject: string
  deleteFilter: string
  /** Entities of this kind that the books hold, of every profile. */
  all(books: Books): Iterable<E>
  find(books: Books, id: EntityId): E | undefined
  idOf(entity: E): EntityId
  /** Throws an item error, or a whole-request failure for what the vendor's parser would not take. */
  create(caller: AdsCaller, item: Item): E
  /** The entity changed as the item asks; fields that cannot be changed are ignored in silence. */
  update(caller: AdsCaller, entity: E, item: Item): E
  put(books: Books, entity: E): void
  toWire(entity: E, caller: AdsCaller): Record<string, unknown>
  servingStatus(entity: E, caller: AdsCaller): ServingStatus
  /** Filters of the list beside ids, parents and states: does the entity pass? */
  passes?(entity: E, filter: Item, caller: AdsCaller): boolean
  /** Throws when the entity may not be archived by a call. */
  checkArchive?(entity: E): void
}

/** The campaign an item is to hang on. Throws when there is none of this profile, or it is archived. */
export const parentCampaign = ({ world, profile }: AdsCaller, campaignId: EntityId) => {
  const campaign = world.books.campaigns.get(campaignId)
  if (campaign?.profileId !== profile.profileId)
    throw itemError('parentEntityError', 'PARENT_ENTITY_NOT_FOUND', {
      message: 'The campaign was not found',
      field: 'campaignId',
      trigger: campaignId,
    })
  if (campaign.state === 'ARCHIVED')
    throw itemError('parentEntityError', 'PARENT_ENTITY_ARCHIVED', {
      message: 'The campaign is archived',
      field: 'campaignId',
      trigger: campaignId,
    })
  return campaign
}

/** The ad group (of that campaign) an item is to hang on, with its campaign. Throws as `parentCampaign`. */
export const parentAdGroup = (caller: AdsCaller, campaignId: EntityId, adGroupId: EntityId) => {
  const campaign = parentCampaign(caller, campaignId)
  const adGroup = caller.world.books.adGroups.get(adGroupId)
  if (adGroup?.campaignId !== campaign.campaignId)
    throw itemError('parentEntityError', 'PARENT_ENTITY_NOT_FOUND', {
      message: 'The ad group was not found',
      field: 'adGroupId',
      trigger: adGroupId,
    })
  if (adGroup.state === 'ARCHIVED')
    throw itemError('parentEntityError', 'PARENT_ENTITY_ARCHIVED', {
      message: 'The ad group is archived',
      field: 'adGroupId',
      trigger: adGroupId,
    })
  return { campaign, adGroup }
}

/** Throws unless the entity, and what it hangs on, may still be changed. */
export const checkChangeable = ({ world }: AdsCaller, entity: Entity, isCampaign: boolean): void => {
  if (entity.state === 'ARCHIVED')
    throw itemError('entityStateError', 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED', {
      message: 'An archived entity cannot be modified',
      field: 'state',
      trigger: 'ARCHIVED',
    })
  const campaign = isCampaign ? undefined : world.books.campaigns.get(entity.campaignId)
  const adGroup = entity.adGroupId ? world.books.adGroups.get(entity.adGroupId) : undefined
  if (campaign?.state === 'ARCHIVED' || adGroup?.state === 'ARCHIVED')
    throw itemError('entityStateError', 'PARENT_ARCHIVED_FORBIDS_UPDATES', {
      message: 'A parent of the entity is archived',
      field: 'state',
    })
}
