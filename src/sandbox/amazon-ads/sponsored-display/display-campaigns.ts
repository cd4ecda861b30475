import { fromMicros, toMicros } from '#shared/money.ts'
import type { DisplayAdGroup, DisplayCampaign } from '../../core/model/display.ts'
import { isVendor } from '../ads-caller.ts'
import { dates, portfolio, validPayment } from '../entities/campaign-fields.ts'
import type { Entity, Field, ProductFamily, Scope } from '../entities/entity-kind.ts'
import { amount, fixedWord, inCampaign, nameField, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { arrayCalls, type ArrayKind } from '../entities/array-calls.ts'
import { numberStyle, textStyle } from '../entities/wire-styles.ts'
import { type MoneyRange, rangeIn } from '#shared/ad-limits.ts'
import { displayDefaultBudgets } from '../limits/ad-limits.ts'

const product: ProductFamily = { style: numberStyle, campaigns: 'displayCampaigns', adGroups: 'displayAdGroups' }
const json = 'application/json'

/** What the resources of Sponsored Display share; every answer is plain JSON. */
export const sponsoredDisplay = { product, types: { change: json, one: json, list: json } }

// Codes stay in upper case in these calls.
const codes = textStyle([])

export const campaignOf = ({ caller, draft }: Scope): DisplayCampaign | undefined =>
  caller.world.store.displayCampaigns.get(draft.campaignId ?? '')

export const bidRange = (scope: Scope): MoneyRange =>
  rangeIn(scope.caller.marketplace.key, `display${campaignOf(scope)?.costType ?? 'CPC'}`)

function budgetRange({ caller }: Scope): MoneyRange {
  const range = rangeIn(caller.marketplace.key, isVendor(caller) ? 'displayDailyOfVendors' : 'displayDaily')
  if (range.mostMicros === 0) throw itemError('OTHER_ERROR', 'Sponsored Display is not available in this marketplace')
  return range
}

const constants: Field = {
  once: true,
  read({ item, style }) {
    style.readWord(item, 'budgetType', ['DAILY'])
    return undefined
  },
  write: () => ({ budgetType: 'daily', deliveryProfile: 'as_soon_as_possible' }),
}

const displayCampaigns: ArrayKind<DisplayCampaign> = {
  ...sponsoredDisplay,
  path: '/sd/campaigns',
  collection: 'displayCampaigns',
  id: 'campaignId',
  fields: [
    fixedWord('tactic', ['T00020', 'T00030'], { style: codes }),
    constants,
    fixedWord('costType', ['CPC', 'VCPM'], { fallback: 'CPC' }),
    state,
    validPayment,
    dates({}),
    nameField({ within: 'profileId' }),
    amount({
      name: 'budget',
      column: 'budgetMicros',
      range: budgetRange,
      fallback: ({ caller }) => toMicros(displayDefaultBudgets[caller.marketplace.key] ?? 0),
    }),
    portfolio,
  ],
  status: { live: 'ADVERTISER_STATUS_ENABLED' },
  // Only the plain campaign has a delivery profile.
  extendedWithout: 'deliveryProfile',
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
    if ((value === 'REACH') !== (costType === 'VCPM')) {
      const message = `${value.toLowerCase()} does not go with the cost type ${costType?.toLowerCase()}`
      throw itemError('BID_OUT_OF_MARKET_PLACE_RANGE', message, { bidOptimization: item.bidOptimization })
    }
    return { bidOptimization: value }
  },
  write: (adGroup, { style, caller }) => ({
    bidOptimization: style.word(adGroup.bidOptimization),
    tactic: caller.world.store.displayCampaigns.get(adGroup.campaignId)?.tactic,
  }),
}

function checkBudget(bidMicros: number, scope: Scope<Entity>): void {
  const campaign = campaignOf(scope)
  if (campaign?.costType === 'CPC' && bidMicros > campaign.budgetMicros)
    throw itemError(
      'BID_GT_BUDGET',
      'The bid is higher than the budget of the campaign',
      { defaultBid: fromMicros(bidMicros) },
      { upperLimit: String(fromMicros(campaign.budgetMicros)) },
    )
}

const displayAdGroups: ArrayKind<DisplayAdGroup> = {
  ...sponsoredDisplay,
  path: '/sd/adGroups',
  collection: 'displayAdGroups',
  id: 'adGroupId',
  fields: [
    state,
    fixedWord('creativeType', ['IMAGE', 'VIDEO'], { fallback: null, style: codes }),
    inCampaign,
    nameField({ maxLength: 255, within: 'campaignId' }),
    bidOptimization,
    amount({ name: 'defaultBid', column: 'defaultBidMicros', range: bidRange, check: checkBudget }),
  ],
  status: { live: 'AD_GROUP_STATUS_ENABLED' },
  passes: (adGroup, { name }) => !name || adGroup.name === name,
}

export const displayCampaignCalls = [displayCampaigns, displayAdGroups].flatMap(arrayCalls)
