import { fromMicros } from '#shared/money.ts'
import type { AdGroup, Campaign } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { type EntityKind, parentCampaign } from '../entities/entity-kind.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import {
  checkName,
  type Item,
  optionalBid,
  optionalState,
  optionalText,
  requiredState,
  requiredText,
} from '../entities/read-fields.ts'
import { adGroupStatus } from '../entities/serving-status.ts'
import { addAutoTargets } from './targets.ts'

const NAME_LENGTH = 255

const uniqueName = ({ world }: AdsCaller, campaignId: string, name: string, except?: string): string => {
  checkName(name, NAME_LENGTH)
  for (const other of entriesBy(world.store.adGroups, 'campaignId', campaignId).values())
    if (
      other.campaignId === campaignId &&
      other.state !== 'ARCHIVED' &&
      other.adGroupId !== except &&
      other.name.toLowerCase() === name.toLowerCase()
    )
      throw itemError('duplicateValueError', 'NAME_NOT_UNIQUE', {
        message: 'An ad group of this name exists in the campaign',
        field: 'name',
        trigger: name,
      })
  return name
}

const readDefaultBid = ({ marketplace }: AdsCaller, campaign: Campaign | undefined, item: Item): number | undefined => {
  const bid = optionalBid(item, 'defaultBid', marketplace)
  if (bid !== undefined && campaign && bid > campaign.budgetMicros)
    throw itemError('biddingError', 'BID_GT_BUDGET', {
      message: 'The bid is higher than the budget of the campaign',
      field: 'defaultBid',
      trigger: item.defaultBid,
      more: { upperLimit: String(fromMicros(campaign.budgetMicros)) },
    })
  return bid
}

/** Ad groups; one in an AUTO campaign gets its four automatic targets as it is put into the books. */
export const adGroups: EntityKind<AdGroup> = {
  path: '/sp/adGroups',
  mediaType: 'application/vnd.spAdGroup.v3+json',
  key: 'adGroups',
  successId: 'adGroupId',
  itemId: 'adGroupId',
  successObject: 'adGroup',
  deleteFilter: 'adGroupIdFilter',
  all: store => store.adGroups.values(),
  find: (store, id) => store.adGroups.get(id),
  idOf: adGroup => adGroup.adGroupId,
  put(store, adGroup) {
    const isNew = !store.adGroups.has(adGroup.adGroupId)
    store.adGroups.set(adGroup.adGroupId, adGroup)
    if (isNew && store.campaigns.get(adGroup.campaignId)?.targetingType === 'AUTO') addAutoTargets(store, adGroup)
  },

  create(caller, item) {
    const state = requiredState(item)
    const campaign = parentCampaign(caller, requiredText(item, 'campaignId'))
    const defaultBidMicros = readDefaultBid(caller, campaign, item)
    if (defaultBidMicros === undefined)
      throw itemError('missingValueError', 'MISSING_VALUE', { message: 'defaultBid is required', field: 'defaultBid' })
    return {
      adGroupId: newEntityId(),
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      name: uniqueName(caller, campaign.campaignId, requiredText(item, 'name')),
      state,
      defaultBidMicros,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },

  update(caller, adGroup, item) {
    const name = optionalText(item, 'name')
    const campaign = caller.world.store.campaigns.get(adGroup.campaignId)
    return {
      ...adGroup,
      state: optionalState(item) ?? adGroup.state,
      name: name === undefined ? adGroup.name : uniqueName(caller, adGroup.campaignId, name, adGroup.adGroupId),
      defaultBidMicros: readDefaultBid(caller, campaign, item) ?? adGroup.defaultBidMicros,
    }
  },

  toWire: adGroup => ({
    adGroupId: adGroup.adGroupId,
    campaignId: adGroup.campaignId,
    name: adGroup.name,
    state: adGroup.state,
    defaultBid: fromMicros(adGroup.defaultBidMicros),
  }),
  servingStatus: adGroupStatus,

  passes(adGroup, filter, { world }) {
    const wanted = filter.campaignTargetingTypeFilter
    if (wanted && world.store.campaigns.get(adGroup.campaignId)?.targetingType !== wanted) return false
    return matchesText(adGroup.name, filter.nameFilter)
  },
}
