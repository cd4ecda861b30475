import type { BrandAdGroup } from '../../core/model/brands.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { EntityKind } from '../entities/entity-kind.ts'
import { matchesText } from '../entities/list-filters.ts'
import { optionalEnum, optionalText, requiredEnum, requiredText } from '../entities/read-fields.ts'
import { uniqueNameAmong } from '../entities/unique-name.ts'
import { brandStates } from './brand-campaigns.ts'
import { brandCampaignFor } from './brand-parents.ts'
import { brandAdGroupStatus } from './brand-status.ts'

const NAME_LENGTH = 255

const uniqueName = ({ world }: AdsCaller, campaignId: string, name: string, except?: string): string =>
  uniqueNameAmong(
    name,
    NAME_LENGTH,
    [...world.store.brandAdGroups.values()].filter(
      other => other.campaignId === campaignId && other.adGroupId !== except,
    ),
  )

/** Ad groups of Sponsored Brands; they have no bid of their own. */
export const brandAdGroups: EntityKind<BrandAdGroup> = {
  path: '/sb/v4/adGroups',
  mediaType: 'application/vnd.sbadgroupresource.v4+json',
  key: 'adGroups',
  successId: 'adGroupId',
  itemId: 'adGroupId',
  successObject: 'adGroup',
  deleteFilter: 'adGroupIdFilter',
  extended: 'in replies',
  selectors: ['dateError', 'biddingError', 'rangeError', 'otherError'],
  all: store => store.brandAdGroups.values(),
  find: (store, id) => store.brandAdGroups.get(id),
  idOf: adGroup => adGroup.adGroupId,
  put: (store, adGroup) => store.brandAdGroups.set(adGroup.adGroupId, adGroup),

  create(caller, item) {
    const state = requiredEnum(item, 'state', brandStates)
    const { campaignId } = brandCampaignFor(caller, requiredText(item, 'campaignId'))
    return {
      adGroupId: newEntityId(),
      campaignId,
      profileId: caller.profile.profileId,
      name: uniqueName(caller, campaignId, requiredText(item, 'name')),
      state,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },

  update(caller, adGroup, item) {
    const name = optionalText(item, 'name')
    return {
      ...adGroup,
      state: optionalEnum(item, 'state', brandStates) ?? adGroup.state,
      name: name === undefined ? adGroup.name : uniqueName(caller, adGroup.campaignId, name, adGroup.adGroupId),
    }
  },

  toWire: ({ adGroupId, campaignId, name, state }) => ({ adGroupId, campaignId, name, state }),
  servingStatus: brandAdGroupStatus,
  passes: (adGroup, filter) => matchesText(adGroup.name, filter.nameFilter),
}
