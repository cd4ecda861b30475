import { fromMicros } from '#shared/money.ts'
import type { DisplayAdGroup, DisplayCampaign } from '../../core/model/display.ts'
import { dates, portfolio, validPayment } from '../entities/campaign-fields.ts'
import type { Field, Scope } from '../entities/entity-kind.ts'
import { amount, fixedWord, inCampaign, state, uniqueName } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { optionalEnum, requiredEnum } from '../entities/read-fields.ts'
import type { ArrayKind } from '../entities/register-arrays.ts'
import { displayBudgetRange, displayDefaultBudgetMicros, type MoneyRange } from '../limits/ad-limits.ts'
import { bidRange, campaignOf, extendedBy, sponsoredDisplay } from './family.ts'

function budgetRange({ caller: { world, marketplace, profile } }: Scope<DisplayCampaign>): MoneyRange {
  const isVendor = world.store.sellers.get(profile.sellerId)?.type === 'vendor'
  const range = displayBudgetRange(marketplace.key, isVendor)
  if (!range)
    throw itemError('otherError', 'OTHER_ERROR', { message: 'Sponsored Display is not available in this marketplace' })
  return range
}

/** Codes stay in upper case in these calls. */
const tactic: Field<DisplayCampaign> = {
  read: ({ item, before }) =>
    before ? undefined : { tactic: requiredEnum(item, 'tactic', ['T00020', 'T00030'] as const) },
  write: campaign => ({ tactic: campaign.tactic }),
}

const constants: Field<DisplayCampaign> = {
  read({ item, style, before }) {
    if (!before) style.readWord(item, 'budgetType', ['DAILY'])
    return undefined
  },
  write: () => ({ budgetType: 'daily', deliveryProfile: 'as_soon_as_possible' }),
}

const extendedCampaign = extendedBy<DisplayCampaign>({ live: 'ADVERTISER_STATUS_ENABLED' })

export const displayCampaigns: ArrayKind<DisplayCampaign> = {
  ...sponsoredDisplay,
  path: '/sd/campaigns',
  collection: 'displayCampaigns',
  id: 'campaignId',
  fields: [
    tactic,
    constants,
    fixedWord('costType', ['CPC', 'VCPM'], 'CPC'),
    state,
    validPayment,
    dates({}),
    uniqueName({ within: 'profileId' }),
    amount({
      name: 'budget',
      column: 'budgetMicros',
      range: budgetRange,
      fallback: ({ caller }) => displayDefaultBudgetMicros(caller.marketplace.key),
    }),
    portfolio,
  ],
  // Only the plain campaign has a delivery profile.
  extended: (campaign, caller) => ({ ...extendedCampaign(campaign, caller), deliveryProfile: undefined }),
  passes: (campaign, { name }) => !name || campaign.name === name,
}

/** Reach is paid by the thousand seen, clicks and conversions by the click. */
const bidOptimization: Field<DisplayAdGroup> = {
  read(scope) {
    const { item, style, before } = scope
    const costType = campaignOf(scope)?.costType
    const value =
      style.readWord(item, 'bidOptimization', ['REACH', 'CLICKS', 'CONVERSIONS']) ??
      before?.bidOptimization ??
      (costType === 'VCPM' ? 'REACH' : 'CLICKS')
    if ((value === 'REACH') !== (costType === 'VCPM'))
      throw itemError('biddingError', 'BID_OUT_OF_MARKET_PLACE_RANGE', {
        message: `${value.toLowerCase()} does not go with the cost type ${costType?.toLowerCase()}`,
        field: 'bidOptimization',
        trigger: item.bidOptimization,
      })
    return { bidOptimization: value }
  },
  write: (adGroup, { style, caller }) => ({
    bidOptimization: style.word(adGroup.bidOptimization),
    tactic: caller.world.store.displayCampaigns.get(adGroup.campaignId)?.tactic,
  }),
}

function checkBudget(bidMicros: number, scope: Scope<DisplayAdGroup>): void {
  const campaign = campaignOf(scope)
  if (campaign?.costType === 'CPC' && bidMicros > campaign.budgetMicros)
    throw itemError('biddingError', 'BID_GT_BUDGET', {
      message: 'The bid is higher than the budget of the campaign',
      field: 'defaultBid',
      trigger: fromMicros(bidMicros),
      more: { upperLimit: String(fromMicros(campaign.budgetMicros)) },
    })
}

const creativeType: Field<DisplayAdGroup> = {
  read: ({ item, before }) =>
    before ? undefined : { creativeType: optionalEnum(item, 'creativeType', ['IMAGE', 'VIDEO'] as const) ?? null },
  write: adGroup => (adGroup.creativeType ? { creativeType: adGroup.creativeType } : {}),
}

export const displayAdGroups: ArrayKind<DisplayAdGroup> = {
  ...sponsoredDisplay,
  path: '/sd/adGroups',
  collection: 'displayAdGroups',
  id: 'adGroupId',
  fields: [
    state,
    creativeType,
    inCampaign,
    uniqueName({ maxLength: 255, within: 'campaignId' }),
    bidOptimization,
    amount({ name: 'defaultBid', column: 'defaultBidMicros', range: bidRange, check: checkBudget }),
  ],
  extended: extendedBy({ live: 'AD_GROUP_STATUS_ENABLED' }),
  passes: (adGroup, { name }) => !name || adGroup.name === name,
}
