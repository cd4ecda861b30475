import { fromMicros } from '#shared/money.ts'
import type { DisplayCampaign } from '../../core/model/display.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { ArrayKind } from '../arrays/array-kind.ts'
import {
  compactDay,
  optionalAmount,
  optionalCompactDay,
  optionalWord,
  requiredId,
  stateOfChange,
  stateOfNew,
} from '../arrays/read-words.ts'
import { wholeId } from '../arrays/whole-ids.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, optionalText, requiredEnum, requiredText } from '../entities/read-fields.ts'
import { uniqueNameAmong } from '../entities/unique-name.ts'
import { checkDates } from '../kinds/campaign-dates.ts'
import {
  campaignNameLength,
  displayBudgetRange,
  displayDefaultBudgetMicros,
  type MoneyRange,
} from '../limits/ad-limits.ts'
import { ownPortfolio } from '../portfolios/own-portfolio.ts'
import { displayParents, jsonTypes } from './display-parents.ts'
import { extendedCampaign } from './display-status.ts'

const isVendor = ({ world, profile }: AdsCaller): boolean =>
  world.store.sellers.get(profile.sellerId)?.type === 'vendor'

const uniqueName = (caller: AdsCaller, name: string, except?: string): string =>
  uniqueNameAmong(
    name,
    campaignNameLength(isVendor(caller)),
    [...caller.world.store.displayCampaigns.values()].filter(
      other => other.profileId === caller.profile.profileId && other.campaignId !== except,
    ),
  )

const budgets = (caller: AdsCaller): MoneyRange => {
  const range = displayBudgetRange(caller.marketplace.key, isVendor(caller))
  if (!range)
    throw itemError('otherError', 'OTHER_ERROR', { message: 'Sponsored Display is not available in this marketplace' })
  return range
}

const changedDates = (caller: AdsCaller, campaign: DisplayCampaign, item: Item): Partial<DisplayCampaign> => {
  const startDate = optionalCompactDay(item, 'startDate') ?? campaign.startDate
  const endDate = item.endDate === undefined ? campaign.endDate : (optionalCompactDay(item, 'endDate') ?? null)
  const moved = startDate !== campaign.startDate
  if (moved && campaign.startDate <= caller.today)
    throw itemError('dateError', 'UPDATING_READ_ONLY_START_DATE', {
      message: 'The campaign has begun; its start date cannot be changed',
      field: 'startDate',
      trigger: item.startDate,
    })
  if (moved || endDate !== campaign.endDate)
    checkDates({ startDate, endDate }, caller.today, { startMayBePast: !moved })
  return { startDate, endDate }
}

/** Null takes the campaign out of its portfolio. */
const portfolioOf = (caller: AdsCaller, item: Item, before: string | null): string | null => {
  if (item.portfolioId === undefined) return before
  return item.portfolioId === null ? null : ownPortfolio(caller, requiredId(item, 'portfolioId'))
}

/** Sponsored Display campaigns; their days are written without dashes. */
export const displayCampaigns: ArrayKind<DisplayCampaign> = {
  path: '/sd/campaigns',
  idName: 'campaignId',
  filters: {
    campaignIdFilter: campaign => campaign.campaignId,
    portfolioIdFilter: campaign => campaign.portfolioId ?? '',
  },
  types: jsonTypes,
  all: store => store.displayCampaigns.values(),
  find: (store, id) => store.displayCampaigns.get(id),
  idOf: campaign => campaign.campaignId,
  put: (store, campaign) => store.displayCampaigns.set(campaign.campaignId, campaign),
  parentsOf: displayParents,

  create(caller, item) {
    const tactic = requiredEnum(item, 'tactic', ['T00020', 'T00030'] as const)
    optionalWord(item, 'budgetType', ['DAILY'] as const)
    const costType = optionalWord(item, 'costType', ['CPC', 'VCPM'] as const) ?? 'CPC'
    const state = stateOfNew(item)
    if (!caller.profile.validPaymentMethod)
      throw itemError('billingError', 'ADVERTISER_BILLING_SETUP_INCOMPLETE', {
        message: 'The advertiser has no valid payment method',
      })
    const startDate = optionalCompactDay(item, 'startDate') ?? caller.today
    const endDate = optionalCompactDay(item, 'endDate') ?? null
    checkDates({ startDate, endDate }, caller.today, { startMayBePast: false })
    return {
      campaignId: newEntityId(),
      profileId: caller.profile.profileId,
      name: uniqueName(caller, requiredText(item, 'name')),
      state,
      tactic,
      costType,
      budgetMicros:
        optionalAmount(caller, item, 'budget', budgets(caller)) ?? displayDefaultBudgetMicros(caller.marketplace.key),
      startDate,
      endDate,
      portfolioId: portfolioOf(caller, item, null),
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },

  update(caller, campaign, item) {
    const name = optionalText(item, 'name')
    return {
      ...campaign,
      ...changedDates(caller, campaign, item),
      state: stateOfChange(item, campaign.state),
      name: name === undefined ? campaign.name : uniqueName(caller, name, campaign.campaignId),
      budgetMicros: optionalAmount(caller, item, 'budget', budgets(caller)) ?? campaign.budgetMicros,
      portfolioId: portfolioOf(caller, item, campaign.portfolioId),
    }
  },

  toWire: campaign => ({
    campaignId: wholeId(campaign.campaignId),
    name: campaign.name,
    tactic: campaign.tactic,
    startDate: compactDay(campaign.startDate),
    ...(campaign.endDate && { endDate: compactDay(campaign.endDate) }),
    state: campaign.state.toLowerCase(),
    costType: campaign.costType.toLowerCase(),
    budget: fromMicros(campaign.budgetMicros),
    budgetType: 'daily',
    deliveryProfile: 'as_soon_as_possible',
    ...(campaign.portfolioId && { portfolioId: wholeId(campaign.portfolioId) }),
  }),
  extended: extendedCampaign,
  passes: (campaign, { name }) => !name || campaign.name === name,
}
