import { fromMicros } from '#shared/money.ts'
import type { BrandAdGroup, BrandCampaign, BrandPlacement } from '../../core/model/brands.ts'
import { isVendor, ownProducts } from '../ads-caller.ts'
import { invalidArgument, badRequest } from '../ads-failure.ts'
import { batchCalls } from '../entities/batch-calls.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { dates, portfolio, validPayment } from '../entities/campaign-fields.ts'
import type { Field } from '../entities/entity-kind.ts'
import { fixedWord, inCampaign, nameField, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import {
  enumAt,
  isAbsent,
  type Item,
  microsOf,
  numberAt,
  objectAt,
  optionalEnum,
  optionalText,
  percentageAt,
  required,
  requiredText,
} from '../entities/read-fields.ts'
import { checkRange } from '../entities/wire-styles.ts'
import { rangeIn } from '#shared/ad-limits.ts'
import { sponsoredBrands } from './family.ts'
import { createHash } from 'node:crypto'
import type { Profile, Store } from '../../core/model/store.ts'
import type { Call } from '../calls.ts'

const budget: Field<BrandCampaign> = {
  read({ caller, item, before, draft }) {
    if (before && item.budget === undefined) return undefined
    const micros = microsOf(numberAt(required(item.budget, 'budget'), 'budget'))
    const range = rangeIn(caller.marketplace.key, `brand${draft.budgetType}`)
    return { budgetMicros: checkRange(caller, micros, range, { budget: item.budget }, { what: 'The budget' }) }
  },
  write: ({ budgetMicros }) => ({ budget: fromMicros(budgetMicros) }),
}

/** The brand a seller advertises: one of their own. Vendors need none. */
const brand: Field<BrandCampaign> = {
  once: true,
  read({ caller, item }) {
    if (isVendor(caller)) return { brandEntityId: optionalText(item, 'brandEntityId') ?? null }
    const brandEntityId = requiredText(item, 'brandEntityId')
    if (!brandsOf(caller.world.store, caller.profile).some(own => own.brandEntityId === brandEntityId))
      throw itemError('NOT_IN_LIST', 'The brand is not one of the advertiser', { brandEntityId })
    return { brandEntityId }
  },
  write: ({ brandEntityId }) => (brandEntityId ? { brandEntityId } : {}),
}

/** Visits are paid by the click, a share of impressions by the thousand that were seen. */
const goal: Field<BrandCampaign> = {
  once: true,
  read({ item }) {
    const value = optionalEnum(item, 'goal', ['PAGE_VISIT', 'BRAND_IMPRESSION_SHARE']) ?? 'PAGE_VISIT'
    const fitting = value === 'PAGE_VISIT' ? 'CPC' : 'VCPM'
    const costType = optionalEnum(item, 'costType', ['CPC', 'VCPM']) ?? fitting
    if (costType !== fitting)
      throw itemError('BID_OUT_OF_MARKET_PLACE_RANGE', `The goal ${value} is paid by ${fitting}`, { costType })
    return { goal: value, costType }
  },
  write: campaign => ({ goal: campaign.goal, costType: campaign.costType }),
}

/** A lifetime budget is spent by the last day, so there must be one. */
const lifetime: Field<BrandCampaign> = {
  read({ draft: { budgetType, endDate } }) {
    if (budgetType === 'LIFETIME' && endDate === null)
      throw itemError('INVALID_DATE', 'A campaign with a lifetime budget needs an end date', { endDate: undefined })
    return undefined
  },
}

const placements: readonly BrandPlacement[] = ['HOME', 'DETAIL_PAGE', 'OTHER', 'TOP_OF_SEARCH']
const strategies = ['MAXIMIZE_IMMEDIATE_SALES', 'MAXIMIZE_NEW_TO_BRAND_CUSTOMERS'] as const

// The vendor's own examples send "true" and "false" as text, and it takes them.
function readFlag(value: unknown, fallback: boolean): boolean {
  if (isAbsent(value)) return fallback
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalidArgument('Expected a boolean at bidding.bidOptimization')
}

function readPlacements(value: unknown): BrandCampaign['placements'] {
  const place = 'bidding.bidAdjustmentsByPlacement'
  if (!Array.isArray(value) || value.length > 3) throw invalidArgument(`Expected a list of at most 3 at ${place}`)
  return (value as (Item | null)[]).map((adjustment, i) => {
    const { placement, percentage } = adjustment ?? {}
    const field = `${place}[${i}]`
    const name = enumAt(placement, `${field}.placement`, placements)
    return { placement: name, percentage: percentageAt(percentage, field, [-99, 900], 'BID_INVALID_PLACEMENT') }
  })
}

/**
 * Omitted parts stay unchanged. With optimization on, manual adjustments are ignored, turning it on removes the existing
 * ones, and answers name the strategy.
 */
const bidding: Field<BrandCampaign> = {
  read({ item, before }) {
    const sent = objectAt(item.bidding, 'bidding')
    const strategy = optionalEnum(sent, 'bidOptimizationStrategy', strategies) ?? before?.bidOptimizationStrategy
    const bidOptimization = readFlag(sent.bidOptimization, before?.bidOptimization ?? true)
    const adjustments = sent.bidAdjustmentsByPlacement ?? null
    const adjusted = adjustments === null ? (before?.placements ?? []) : readPlacements(adjustments)
    return {
      bidOptimization,
      ...(strategy && { bidOptimizationStrategy: strategy }),
      placements: bidOptimization ? [] : adjusted,
    }
  },
  write: ({ bidOptimization, bidOptimizationStrategy, placements: adjusted }) => ({
    bidding: {
      bidOptimization,
      bidOptimizationStrategy: bidOptimizationStrategy ?? (bidOptimization ? strategies[0] : undefined),
      ...(adjusted.length > 0 && { bidAdjustmentsByPlacement: adjusted }),
    },
  }),
}

const tags: Field<BrandCampaign> = {
  read: ({ item, before }) => (before && item.tags === undefined ? undefined : { tags: item.tags ?? {} }),
  write: campaign => (Object.keys(campaign.tags).length > 0 ? { tags: campaign.tags } : {}),
}

const brandCampaigns: BatchKind<BrandCampaign> = {
  product: sponsoredBrands,
  path: '/sb/v4/campaigns',
  mediaType: 'application/vnd.sbcampaignresource.v4+json',
  // The official examples of PUT accept this one.
  replyTypes: ['application/vnd.updatecampaignsresponse.v4+json'],
  key: 'campaigns',
  successObject: 'campaign',
  idFilter: 'campaignIdFilter',
  totalKey: 'totalCount',
  selectors: ['dateError', 'biddingError', 'budgetError', 'billingError', 'rangeError', 'otherError'],
  collection: 'brandCampaigns',
  id: 'campaignId',
  fields: [
    fixedWord('budgetType', ['DAILY', 'LIFETIME']),
    state,
    fixedWord('productLocation', ['SOLD_ON_AMAZON', 'NOT_SOLD_ON_AMAZON', 'SOLD_ON_DTC'], { fallback: null }),
    validPayment,
    dates({ endNeedsStart: true }),
    lifetime,
    nameField({ within: 'profileId' }),
    budget,
    goal,
    brand,
    bidding,
    portfolio,
    tags,
    { write: () => ({ isMultiAdGroupsEnabled: true }) },
  ],
  status: { live: 'CAMPAIGN_STATUS_ENABLED' },
  filters: {
    portfolioIdFilter: campaign => campaign.portfolioId,
    goalTypeFilter: campaign => campaign.goal,
    nameFilter: campaign => campaign.name,
  },
}

/** Ad groups of Sponsored Brands; they have no bid of their own. */
const brandAdGroups: BatchKind<BrandAdGroup> = {
  product: sponsoredBrands,
  path: '/sb/v4/adGroups',
  mediaType: 'application/vnd.sbadgroupresource.v4+json',
  key: 'adGroups',
  successObject: 'adGroup',
  idFilter: 'adGroupIdFilter',
  extended: 'in replies',
  selectors: ['dateError', 'biddingError', 'rangeError', 'otherError'],
  collection: 'brandAdGroups',
  id: 'adGroupId',
  fields: [state, inCampaign, nameField({ maxLength: 255, within: 'campaignId' })],
  status: { live: 'AD_GROUP_STATUS_ENABLED' },
  filters: { nameFilter: adGroup => adGroup.name },
}

const code = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase().slice(0, 14)

/** The brands a profile may advertise: those of the seller's products there. Their ids follow from their names. */
export function brandsOf(store: Store, profile: Profile) {
  const names = new Set(ownProducts(store, profile).map(product => product.brand))
  return [...names].map(name => ({
    brandId: code(`brand|${name}`),
    brandEntityId: `ENTITY${code(`${profile.sellerId}|${profile.marketplaceId}|${name}`)}`,
    brandRegistryName: name,
  }))
}

/** Where the `brandEntityId` of Sponsored Brands campaigns comes from. */
const brandCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/brands',
    type: 'application/vnd.brand.v3+json',
    answer({ world, profile }, _body, { query: { brandTypeFilter } }) {
      if (brandTypeFilter !== undefined && !['brandRegistry', 'bookAuthor'].includes(brandTypeFilter))
        throw badRequest('brandTypeFilter must be brandRegistry or bookAuthor')
      return brandTypeFilter === 'bookAuthor' ? [] : brandsOf(world.store, profile)
    },
  },
]

export const brandCampaignCalls = [...brandCalls, ...[brandCampaigns, brandAdGroups].flatMap(batchCalls)]
