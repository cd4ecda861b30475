import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { BrandCampaign, BrandGoal } from '../../core/model/brands.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import type { EntityKind } from '../entities/entity-kind.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { type Item, optionalEnum, optionalText, requiredEnum, requiredText, microsOf } from '../entities/read-fields.ts'
import { uniqueNameAmong } from '../entities/unique-name.ts'
import { checkDates, readDate } from '../kinds/campaign-dates.ts'
import { brandBudgetRange, campaignNameLength, limitsOf } from '../limits/ad-limits.ts'
import { ownPortfolio } from '../portfolios/own-portfolio.ts'
import { brandsOf } from './brands.ts'
import { biddingToWire, readBrandBidding } from './brand-bidding.ts'
import { brandCampaignStatus } from './brand-status.ts'

export const brandStates = ['ENABLED', 'PAUSED'] as const
const goals: readonly BrandGoal[] = ['PAGE_VISIT', 'BRAND_IMPRESSION_SHARE']
const locations = ['SOLD_ON_AMAZON', 'NOT_SOLD_ON_AMAZON', 'SOLD_ON_DTC'] as const

const uniqueName = ({ world, profile }: AdsCaller, name: string, except?: string): string =>
  uniqueNameAmong(
    name,
    campaignNameLength(world.store.sellers.get(profile.sellerId)?.type === 'vendor'),
    [...world.store.brandCampaigns.values()].filter(
      other => other.profileId === profile.profileId && other.campaignId !== except,
    ),
  )

const readBudget = ({ marketplace }: AdsCaller, item: Item, type: BrandCampaign['budgetType']): number => {
  const { budget } = item
  if (budget === undefined || budget === null)
    throw itemError('missingValueError', 'MISSING_VALUE', { message: 'budget is required', field: 'budget' })
  if (typeof budget !== 'number' || !Number.isFinite(budget)) throw invalidArgument('Expected a number at budget')
  const range = brandBudgetRange(marketplace.key, type)
  const micros = microsOf(budget)
  const low = micros < range.leastMicros
  if (low || micros > range.mostMicros)
    throw itemError('budgetError', low ? 'BUDGET_TOO_LOW' : 'BUDGET_TOO_HIGH', {
      message: `The budget is ${low ? 'lower than the minimum' : 'higher than the maximum'} allowed by the marketplace`,
      field: 'budget',
      trigger: budget,
      more: limitsOf(range),
    })
  return roundToUnit(micros, marketplace.currency)
}

/** The brand a seller advertises: one of their own. Vendors need none. */
const readBrand = ({ world, profile }: AdsCaller, item: Item): string | null => {
  if (world.store.sellers.get(profile.sellerId)?.type === 'vendor') return optionalText(item, 'brandEntityId') ?? null
  const brandEntityId = requiredText(item, 'brandEntityId')
  if (!brandsOf(world.store, profile).some(brand => brand.brandEntityId === brandEntityId))
    throw itemError('rangeError', 'NOT_IN_LIST', {
      message: 'The brand is not one of the advertiser',
      field: 'brandEntityId',
      trigger: brandEntityId,
    })
  return brandEntityId
}

/** Visits are paid by the click, a share of impressions by the thousand that were seen. */
const readGoal = (item: Item): Pick<BrandCampaign, 'goal' | 'costType'> => {
  const goal = optionalEnum(item, 'goal', goals) ?? 'PAGE_VISIT'
  const fitting = goal === 'PAGE_VISIT' ? 'CPC' : 'VCPM'
  const costType = optionalEnum(item, 'costType', ['CPC', 'VCPM'] as const) ?? fitting
  if (costType !== fitting)
    throw itemError('biddingError', 'BID_OUT_OF_MARKET_PLACE_RANGE', {
      message: `The goal ${goal} is paid by ${fitting}`,
      field: 'costType',
      trigger: costType,
    })
  return { goal, costType }
}

const readDates = (caller: AdsCaller, item: Item): Pick<BrandCampaign, 'startDate' | 'endDate'> => {
  const startDate = readDate(item, 'startDate')
  const endDate = readDate(item, 'endDate') ?? null
  if (endDate !== null && startDate === undefined)
    throw itemError('missingValueError', 'MISSING_VALUE', {
      message: 'A campaign with an end date needs a start date',
      field: 'startDate',
    })
  const dates = { startDate: startDate ?? caller.today, endDate }
  checkDates(dates, caller.today, { startMayBePast: false })
  return dates
}

/** A lifetime budget is spent by its last day, so there must be one. */
const checkLifetime = ({ budgetType, endDate }: Pick<BrandCampaign, 'budgetType' | 'endDate'>): void => {
  if (budgetType === 'LIFETIME' && endDate === null)
    throw itemError('dateError', 'INVALID_DATE', {
      message: 'A campaign with a lifetime budget needs an end date',
      field: 'endDate',
    })
}

const changedDates = (caller: AdsCaller, campaign: BrandCampaign, item: Item): Partial<BrandCampaign> => {
  const startDate = readDate(item, 'startDate') ?? campaign.startDate
  const moved = startDate !== campaign.startDate
  if (moved && campaign.startDate <= caller.today)
    throw itemError('dateError', 'UPDATING_READ_ONLY_START_DATE', {
      message: 'The campaign has begun; its start date cannot be changed',
      field: 'startDate',
      trigger: startDate,
    })
  const endDate = item.endDate === undefined ? campaign.endDate : (readDate(item, 'endDate') ?? null)
  if (moved || endDate !== campaign.endDate)
    checkDates({ startDate, endDate }, caller.today, { startMayBePast: !moved })
  return { startDate, endDate }
}

/** Sponsored Brands campaigns: a plain number for a budget, and a brand. */
export const brandCampaigns: EntityKind<BrandCampaign> = {
  path: '/sb/v4/campaigns',
  mediaType: 'application/vnd.sbcampaignresource.v4+json',
  // The official examples of PUT accept this one.
  replyTypes: ['application/vnd.updatecampaignsresponse.v4+json'],
  key: 'campaigns',
  successId: 'campaignId',
  itemId: 'campaignId',
  successObject: 'campaign',
  deleteFilter: 'campaignIdFilter',
  totalKey: 'totalCount',
  selectors: ['dateError', 'biddingError', 'budgetError', 'billingError', 'rangeError', 'otherError'],
  all: store => store.brandCampaigns.values(),
  find: (store, id) => store.brandCampaigns.get(id),
  idOf: campaign => campaign.campaignId,
  put: (store, campaign) => store.brandCampaigns.set(campaign.campaignId, campaign),

  create(caller, item) {
    const budgetType = requiredEnum(item, 'budgetType', ['DAILY', 'LIFETIME'] as const)
    const state = requiredEnum(item, 'state', brandStates)
    const productLocation = optionalEnum(item, 'productLocation', locations) ?? null
    if (!caller.profile.validPaymentMethod)
      throw itemError('billingError', 'ADVERTISER_BILLING_SETUP_INCOMPLETE', {
        message: 'The advertiser has no valid payment method',
      })
    const dates = readDates(caller, item)
    checkLifetime({ budgetType, endDate: dates.endDate })
    const portfolioId = optionalText(item, 'portfolioId')
    return {
      campaignId: newEntityId(),
      profileId: caller.profile.profileId,
      name: uniqueName(caller, requiredText(item, 'name')),
      state,
      budgetType,
      budgetMicros: readBudget(caller, item, budgetType),
      ...readGoal(item),
      brandEntityId: readBrand(caller, item),
      ...readBrandBidding(item.bidding, { bidOptimization: true, placements: [] }),
      productLocation,
      ...dates,
      portfolioId: portfolioId ? ownPortfolio(caller, portfolioId) : null,
      tags: (item.tags ?? {}) as Record<string, string>,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },

  update(caller, campaign, item) {
    const name = optionalText(item, 'name')
    const portfolioId = optionalText(item, 'portfolioId')
    const changed: BrandCampaign = {
      ...campaign,
      state: optionalEnum(item, 'state', brandStates) ?? campaign.state,
      ...readBrandBidding(item.bidding, campaign),
      ...changedDates(caller, campaign, item),
    }
    checkLifetime(changed)
    if (name !== undefined) changed.name = uniqueName(caller, name, campaign.campaignId)
    if (item.budget !== undefined) changed.budgetMicros = readBudget(caller, item, campaign.budgetType)
    if (portfolioId !== undefined) changed.portfolioId = portfolioId ? ownPortfolio(caller, portfolioId) : null
    if (item.tags !== undefined) changed.tags = item.tags as Record<string, string>
    return changed
  },

  toWire: campaign => ({
    campaignId: campaign.campaignId,
    name: campaign.name,
    state: campaign.state,
    budget: fromMicros(campaign.budgetMicros),
    budgetType: campaign.budgetType,
    startDate: campaign.startDate,
    ...(campaign.endDate && { endDate: campaign.endDate }),
    ...(campaign.brandEntityId && { brandEntityId: campaign.brandEntityId }),
    goal: campaign.goal,
    costType: campaign.costType,
    bidding: biddingToWire(campaign),
    isMultiAdGroupsEnabled: true,
    ...(campaign.productLocation && { productLocation: campaign.productLocation }),
    ...(campaign.portfolioId && { portfolioId: campaign.portfolioId }),
    ...(Object.keys(campaign.tags).length > 0 && { tags: campaign.tags }),
  }),
  servingStatus: brandCampaignStatus,

  passes(campaign, filter) {
    const only = (name: string, value: string | null): boolean => {
      const include = (filter[name] as { include?: string[] } | null | undefined)?.include
      return !include || include.includes(value ?? '')
    }
    if (!only('portfolioIdFilter', campaign.portfolioId) || !only('goalTypeFilter', campaign.goal)) return false
    return matchesText(campaign.name, filter.nameFilter)
  },
}
