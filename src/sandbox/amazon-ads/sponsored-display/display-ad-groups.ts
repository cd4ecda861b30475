import { fromMicros } from '#shared/money.ts'
import type { DisplayAdGroup, DisplayCampaign } from '../../core/model/display.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { ArrayKind } from '../arrays/array-kind.ts'
import {
  optionalAmount,
  optionalWord,
  requiredAmount,
  requiredId,
  stateOfChange,
  stateOfNew,
} from '../arrays/read-words.ts'
import { wholeId } from '../arrays/whole-ids.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, optionalEnum, optionalText, requiredText } from '../entities/read-fields.ts'
import { uniqueNameAmong } from '../entities/unique-name.ts'
import { displayBidsFor, displayCampaignFor, displayParents, jsonTypes } from './display-parents.ts'
import { extendedAdGroup } from './display-status.ts'

const NAME_LENGTH = 255
const aims = ['REACH', 'CLICKS', 'CONVERSIONS'] as const

const uniqueName = ({ world }: AdsCaller, campaignId: string, name: string, except?: string): string =>
  uniqueNameAmong(
    name,
    NAME_LENGTH,
    [...world.store.displayAdGroups.values()].filter(
      other => other.campaignId === campaignId && other.adGroupId !== except,
    ),
  )

/** Reach is paid by the thousand seen, clicks and conversions by the click. */
const readAim = (item: Item, { costType }: DisplayCampaign, before?: DisplayAdGroup['bidOptimization']) => {
  const aim = optionalWord(item, 'bidOptimization', aims) ?? before ?? (costType === 'VCPM' ? 'REACH' : 'CLICKS')
  if ((aim === 'REACH') !== (costType === 'VCPM'))
    throw itemError('biddingError', 'BID_OUT_OF_MARKET_PLACE_RANGE', {
      message: `${aim.toLowerCase()} does not go with the cost type ${costType.toLowerCase()}`,
      field: 'bidOptimization',
      trigger: item.bidOptimization,
    })
  return aim
}

const checkBudget = (campaign: DisplayCampaign, bidMicros: number): number => {
  if (campaign.costType === 'CPC' && bidMicros > campaign.budgetMicros)
    throw itemError('biddingError', 'BID_GT_BUDGET', {
      message: 'The bid is higher than the budget of the campaign',
      field: 'defaultBid',
      trigger: fromMicros(bidMicros),
      more: { upperLimit: String(fromMicros(campaign.budgetMicros)) },
    })
  return bidMicros
}

/** Ad groups of Sponsored Display. */
export const displayAdGroups: ArrayKind<DisplayAdGroup> = {
  path: '/sd/adGroups',
  idName: 'adGroupId',
  filters: {
    adGroupIdFilter: adGroup => adGroup.adGroupId,
    campaignIdFilter: adGroup => adGroup.campaignId,
  },
  types: jsonTypes,
  all: store => store.displayAdGroups.values(),
  find: (store, id) => store.displayAdGroups.get(id),
  idOf: adGroup => adGroup.adGroupId,
  put: (store, adGroup) => store.displayAdGroups.set(adGroup.adGroupId, adGroup),
  parentsOf: displayParents,

  create(caller, item) {
    const state = stateOfNew(item)
    const creativeType = optionalEnum(item, 'creativeType', ['IMAGE', 'VIDEO'] as const) ?? null
    const campaign = displayCampaignFor(caller, requiredId(item, 'campaignId'))
    return {
      adGroupId: newEntityId(),
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      name: uniqueName(caller, campaign.campaignId, requiredText(item, 'name')),
      state,
      bidOptimization: readAim(item, campaign),
      defaultBidMicros: checkBudget(
        campaign,
        requiredAmount(caller, item, 'defaultBid', displayBidsFor(caller, campaign)),
      ),
      creativeType,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },

  update(caller, adGroup, item) {
    const campaign = displayCampaignFor(caller, adGroup.campaignId)
    const name = optionalText(item, 'name')
    const bid = optionalAmount(caller, item, 'defaultBid', displayBidsFor(caller, campaign))
    return {
      ...adGroup,
      state: stateOfChange(item, adGroup.state),
      name: name === undefined ? adGroup.name : uniqueName(caller, adGroup.campaignId, name, adGroup.adGroupId),
      bidOptimization: readAim(item, campaign, adGroup.bidOptimization),
      defaultBidMicros: bid === undefined ? adGroup.defaultBidMicros : checkBudget(campaign, bid),
    }
  },

  toWire: (adGroup, { world }) => ({
    adGroupId: wholeId(adGroup.adGroupId),
    campaignId: wholeId(adGroup.campaignId),
    name: adGroup.name,
    state: adGroup.state.toLowerCase(),
    defaultBid: fromMicros(adGroup.defaultBidMicros),
    bidOptimization: adGroup.bidOptimization.toLowerCase(),
    tactic: world.store.displayCampaigns.get(adGroup.campaignId)?.tactic,
    ...(adGroup.creativeType && { creativeType: adGroup.creativeType }),
  }),
  extended: extendedAdGroup,
  passes: (adGroup, { name }) => !name || adGroup.name === name,
}
