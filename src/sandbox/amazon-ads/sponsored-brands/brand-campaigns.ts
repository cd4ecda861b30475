import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { BrandAdGroup, BrandCampaign } from '../../core/model/brands.ts'
import type { EntityId } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { dates, portfolio, validPayment } from '../entities/campaign-fields.ts'
import type { Field } from '../entities/entity-kind.ts'
import { fixedWord, inCampaign, state, uniqueName } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { type Item, microsOf, missing, optionalEnum, optionalText, requiredText } from '../entities/read-fields.ts'
import { servingStatus } from '../entities/serving-status.ts'
import { brandBudgetRange, limitsOf } from '../limits/ad-limits.ts'
import { biddingToWire, readBrandBidding } from './brand-bidding.ts'
import { brandsOf } from './brands.ts'
import { sponsoredBrands } from './family.ts'

function readBudget({ marketplace }: AdsCaller, { budget }: Item, type: BrandCampaign['budgetType']): number {
  if (budget === undefined || budget === null) throw missing('budget')
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

const budget: Field<BrandCampaign> = {
  read: ({ caller, item, before, draft }) =>
    before && item.budget === undefined ? undefined : { budgetMicros: readBudget(caller, item, draft.budgetType) },
  write: ({ budgetMicros }) => ({ budget: fromMicros(budgetMicros) }),
}

/** The brand a seller advertises: one of their own. Vendors need none. */
function readBrand({ world, profile }: AdsCaller, item: Item): string | null {
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

const brand: Field<BrandCampaign> = {
  read: ({ caller, item, before }) => (before ? undefined : { brandEntityId: readBrand(caller, item) }),
  write: ({ brandEntityId }) => (brandEntityId ? { brandEntityId } : {}),
}

/** Visits are paid by the click, a share of impressions by the thousand that were seen. */
const goal: Field<BrandCampaign> = {
  read({ item, before }) {
    if (before) return undefined
    const value = optionalEnum(item, 'goal', ['PAGE_VISIT', 'BRAND_IMPRESSION_SHARE'] as const) ?? 'PAGE_VISIT'
    const fitting = value === 'PAGE_VISIT' ? 'CPC' : 'VCPM'
    const costType = optionalEnum(item, 'costType', ['CPC', 'VCPM'] as const) ?? fitting
    if (costType !== fitting)
      throw itemError('biddingError', 'BID_OUT_OF_MARKET_PLACE_RANGE', {
        message: `The goal ${value} is paid by ${fitting}`,
        field: 'costType',
        trigger: costType,
      })
    return { goal: value, costType }
  },
  write: campaign => ({ goal: campaign.goal, costType: campaign.costType }),
}

/** A lifetime budget is spent by the last day, so there must be one. */
const lifetime: Field<BrandCampaign> = {
  read({ draft: { budgetType, endDate } }) {
    if (budgetType === 'LIFETIME' && endDate === null)
      throw itemError('dateError', 'INVALID_DATE', {
        message: 'A campaign with a lifetime budget needs an end date',
        field: 'endDate',
      })
    return undefined
  },
}

const bidding: Field<BrandCampaign> = {
  read: ({ item, before }) => ({
    ...readBrandBidding(item.bidding, before ?? { bidOptimization: true, placements: [] }),
  }),
  write: campaign => ({ bidding: biddingToWire(campaign) }),
}

const tags: Field<BrandCampaign> = {
  read: ({ item, before }) => (before && item.tags === undefined ? undefined : { tags: item.tags ?? {} }),
  write: campaign => (Object.keys(campaign.tags).length > 0 ? { tags: campaign.tags } : {}),
}

/** Why a campaign without an ad does not serve. */
function campaignReason(campaignId: EntityId, { world }: AdsCaller): string | undefined {
  return [...world.store.brandAds.values()].some(ad => ad.campaignId === campaignId && ad.state !== 'ARCHIVED')
    ? undefined
    : 'CAMPAIGN_INCOMPLETE'
}
export const brandStatus = { product: sponsoredBrands, campaignReason }

/** Sponsored Brands campaigns: a plain number for a budget, and a brand. */
export const brandCampaigns: BatchKind<BrandCampaign> = {
  product: sponsoredBrands,
  path: '/sb/v4/campaigns',
  mediaType: 'application/vnd.sbcampaignresource.v4+json',
  // The official examples of PUT accept this one.
  replyTypes: ['application/vnd.updatecampaignsresponse.v4+json'],
  key: 'campaigns',
  successObject: 'campaign',
  deleteFilter: 'campaignIdFilter',
  totalKey: 'totalCount',
  selectors: ['dateError', 'biddingError', 'budgetError', 'billingError', 'rangeError', 'otherError'],
  collection: 'brandCampaigns',
  id: 'campaignId',
  fields: [
    fixedWord('budgetType', ['DAILY', 'LIFETIME']),
    state,
    fixedWord('productLocation', ['SOLD_ON_AMAZON', 'NOT_SOLD_ON_AMAZON', 'SOLD_ON_DTC'], null),
    validPayment,
    dates({ endNeedsStart: true }),
    lifetime,
    uniqueName({ within: 'profileId' }),
    budget,
    goal,
    brand,
    bidding,
    portfolio,
    tags,
    { write: () => ({ isMultiAdGroupsEnabled: true }) },
  ],
  servingStatus: servingStatus({ ...brandStatus, live: 'CAMPAIGN_STATUS_ENABLED' }),
  passes(campaign, filter) {
    const only = (name: string, value: string | null): boolean => {
      const include = (filter[name] as { include?: string[] } | null | undefined)?.include
      return !include || include.includes(value ?? '')
    }
    if (!only('portfolioIdFilter', campaign.portfolioId) || !only('goalTypeFilter', campaign.goal)) return false
    return matchesText(campaign.name, filter.nameFilter)
  },
}

/** Ad groups of Sponsored Brands; they have no bid of their own. */
export const brandAdGroups: BatchKind<BrandAdGroup> = {
  product: sponsoredBrands,
  path: '/sb/v4/adGroups',
  mediaType: 'application/vnd.sbadgroupresource.v4+json',
  key: 'adGroups',
  successObject: 'adGroup',
  deleteFilter: 'adGroupIdFilter',
  extended: 'in replies',
  selectors: ['dateError', 'biddingError', 'rangeError', 'otherError'],
  collection: 'brandAdGroups',
  id: 'adGroupId',
  fields: [state, inCampaign, uniqueName({ maxLength: 255, within: 'campaignId' })],
  servingStatus: servingStatus({ ...brandStatus, live: 'AD_GROUP_STATUS_ENABLED' }),
  passes: (adGroup, filter) => matchesText(adGroup.name, filter.nameFilter),
}
