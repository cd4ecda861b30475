import type { Store, EntityId } from '../../../core/model/store.ts'
import type { AdsCaller } from '../../ads-caller.ts'
import { requiredId } from '../../arrays/read-words.ts'
import type { Entity } from '../../entities/entity-kind.ts'
import { type ItemError, itemError } from '../../entities/item-error.ts'
import type { Item } from '../../entities/read-fields.ts'
import { brandAdGroupFor, sponsoredBrands } from '../brand-parents.ts'

/** What keywords and targets, negative or not, have in common. */
export interface BrandClause extends Entity {
  campaignId: EntityId
  adGroupId: EntityId
}

/** Where a new clause is to hang, and the fields that it starts with. */
export const newClause = (caller: AdsCaller, item: Item) => {
  const { campaign, adGroup } = brandAdGroupFor(caller, requiredId(item, 'adGroupId'), requiredId(item, 'campaignId'))
  return {
    campaign,
    clause: {
      adGroupId: adGroup.adGroupId,
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      state: 'ENABLED' as const,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    },
  }
}

/** Updates must say which ad group (and campaign) a clause is in, and be right. */
export const checkParentsSaid = (
  clause: BrandClause,
  item: Item,
  fields: readonly ('adGroupId' | 'campaignId')[],
): void => {
  for (const field of fields)
    if (requiredId(item, field) !== clause[field])
      throw itemError('parentEntityError', 'PARENT_ENTITY_NOT_FOUND', {
        message: `The clause is not in this ${field}`,
        field,
        trigger: item[field],
      })
}

export const brandParents = (store: Store, clause: BrandClause) => sponsoredBrands.parentsOf(store, clause)

/** Whether the campaign has only pictures or a video, as list filters name it. */
export const hasCreativeType = ({ world }: AdsCaller, adGroupId: EntityId, wanted: string | undefined): boolean => {
  if (!wanted) return true
  for (const ad of world.store.brandAds.values())
    if (ad.adGroupId === adGroupId) return wanted === (ad.format.endsWith('VIDEO') ? 'video' : 'productCollection')
  return false
}

/** A refused keyword with its reason and where it stood. */
export const keywordRefusal = (problem: ItemError, item: Item, place: string): Record<string, unknown> => ({
  errors: [
    {
      KeywordError: {
        reason: problem.reason,
        message: problem.message,
        location: problem.detail.field ? `${place}.${problem.detail.field}` : place,
        ...(item.keywordText !== undefined && { keywordText: item.keywordText }),
        ...(item.matchType !== undefined && { matchType: item.matchType }),
        ...(item.bid !== undefined && { bid: JSON.stringify(item.bid) }),
      },
    },
  ],
})
