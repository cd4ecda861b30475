import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { BiddingStrategy, Campaign, Placement } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { checkDates, readDate } from './campaign-dates.ts'
import type { EntityKind } from '../entities/entity-kind.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import {
  checkName,
  type Item,
  optionalEnum,
  optionalState,
  optionalText,
  requiredEnum,
  requiredState,
  requiredText,
  microsOf,
  objectAt,
  objectsAt,
} from '../entities/read-fields.ts'
import { campaignStatus } from '../entities/serving-status.ts'
import { campaignNameLength } from '../limits/ad-limits.ts'
import { ownPortfolio } from '../portfolios/own-portfolio.ts'

const strategies: readonly BiddingStrategy[] = ['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL', 'RULE_BASED']
const placements: readonly Placement[] = [
  'PLACEMENT_TOP',
  'PLACEMENT_PRODUCT_PAGE',
  'PLACEMENT_REST_OF_SEARCH',
  'SITE_AMAZON_BUSINESS',
]

const uniqueName = ({ world, profile }: AdsCaller, name: string, except?: string): string => {
  checkName(name, campaignNameLength(world.store.sellers.get(profile.sellerId)?.type === 'vendor'))
  for (const other of entriesBy(world.store.campaigns, 'profileId', profile.profileId).values())
    if (
      other.profileId === profile.profileId &&
      other.state !== 'ARCHIVED' &&
      other.campaignId !== except &&
      other.name.toLowerCase() === name.toLowerCase()
    )
      throw itemError('duplicateValueError', 'NAME_NOT_UNIQUE', {
        message: 'A campaign of this name exists',
        field: 'name',
        trigger: name,
      })
  return name
}

const readBudget = ({ marketplace }: AdsCaller, value: unknown): number => {
  if (value === undefined || value === null)
    throw itemError('missingValueError', 'MISSING_VALUE', { message: 'budget is required', field: 'budget' })
  const { budget, budgetType } = objectAt(value, 'budget')
  if (budgetType !== 'DAILY') throw badEnum(budgetType, 'budget.budgetType', ['DAILY'])
  if (typeof budget !== 'number' || !Number.isFinite(budget))
    throw invalidArgument('Expected a number at budget.budget')
  const micros = microsOf(budget)
  const low = micros < marketplace.minDailyBudgetMicros
  if (low || micros > marketplace.maxDailyBudgetMicros)
    throw itemError('budgetError', low ? 'BUDGET_TOO_LOW' : 'BUDGET_TOO_HIGH', {
      message: `The budget is ${low ? 'lower than the minimum' : 'higher than the maximum'} allowed by the marketplace`,
      field: 'budget.budget',
      trigger: budget,
      more: {
        lowerLimit: String(fromMicros(marketplace.minDailyBudgetMicros)),
        upperLimit: String(fromMicros(marketplace.maxDailyBudgetMicros)),
      },
    })
  return roundToUnit(micros, marketplace.currency)
}

/** The whole of `dynamicBidding`: what is not said is not kept. */
const readBidding = (value: unknown): Pick<Campaign, 'strategy' | 'placements'> => {
  if (value === undefined || value === null) return { strategy: 'LEGACY_FOR_SALES', placements: [] }
  const { strategy = 'LEGACY_FOR_SALES', placementBidding } = objectAt(value, 'dynamicBidding')
  const found = strategies.find(one => one === strategy)
  if (!found) throw badEnum(strategy, 'dynamicBidding.strategy', strategies)
  return {
    strategy: found,
    placements: objectsAt(placementBidding, 'dynamicBidding.placementBidding').map(
      ({ placement, percentage = 0 }, i) => {
        const field = `dynamicBidding.placementBidding[${i}]`
        const known = placements.find(one => one === placement)
        if (!known) throw badEnum(placement, `${field}.placement`, placements)
        if (!Number.isInteger(percentage) || Number(percentage) < 0 || Number(percentage) > 900)
          throw itemError('rangeError', Number(percentage) < 0 ? 'TOO_LOW' : 'TOO_HIGH', {
            message: 'The percentage must be a whole number from 0 to 900',
            field: `${field}.percentage`,
            trigger: percentage,
            more: { lowerLimit: '0', upperLimit: '900' },
          })
        return { placement: known, percentage: Number(percentage) }
      },
    ),
  }
}

const readTags = (value: unknown): Record<string, string> => {
  if (value === undefined || value === null) return {}
  const tags = value as Record<string, string>
  if (Object.keys(tags).length > 50) throw invalidArgument('A campaign has at most 50 tags')
  return tags
}

/** An empty text takes the campaign out of its portfolio. */
const readPortfolio = (caller: AdsCaller, item: Item): string | null | undefined => {
  const portfolioId = optionalText(item, 'portfolioId')
  return portfolioId ? ownPortfolio(caller, portfolioId) : portfolioId === '' ? null : undefined
}

const checkPayment = ({ profile }: AdsCaller): void => {
  if (!profile.validPaymentMethod)
    throw itemError('billingError', 'ADVERTISER_BILLING_SETUP_INCOMPLETE', {
      message: 'The advertiser has no valid payment method',
    })
}

const checkBudgetHolds = ({ world, marketplace }: AdsCaller, campaignId: string, budgetMicros: number): void => {
  for (const adGroup of entriesBy(world.store.adGroups, 'campaignId', campaignId).values())
    if (adGroup.campaignId === campaignId && adGroup.state !== 'ARCHIVED' && adGroup.defaultBidMicros > budgetMicros)
      throw itemError('budgetError', 'BUDGET_LT_DEFAULT_BIDS', {
        message: 'The budget is lower than the default bid of an ad group',
        field: 'budget.budget',
        trigger: fromMicros(budgetMicros),
        more: { lowerLimit: String(fromMicros(Math.max(adGroup.defaultBidMicros, marketplace.minDailyBudgetMicros))) },
      })
}

/** Campaigns; their names are unique among what is not archived. */
export const campaigns: EntityKind<Campaign> = {
  path: '/sp/campaigns',
  mediaType: 'application/vnd.spCampaign.v3+json',
  key: 'campaigns',
  successId: 'campaignId',
  itemId: 'campaignId',
  successObject: 'campaign',
  deleteFilter: 'campaignIdFilter',
  all: store => store.campaigns.values(),
  find: (store, id) => store.campaigns.get(id),
  idOf: campaign => campaign.campaignId,
  put: (store, campaign) => store.campaigns.set(campaign.campaignId, campaign),

  create(caller, item) {
    const targetingType = requiredEnum(item, 'targetingType', ['AUTO', 'MANUAL'] as const)
    const state = requiredState(item)
    const bidding = readBidding(item.dynamicBidding)
    checkPayment(caller)
    const dates = { startDate: readDate(item, 'startDate') ?? caller.today, endDate: readDate(item, 'endDate') ?? null }
    checkDates(dates, caller.today, { startMayBePast: false })
    return {
      campaignId: newEntityId(),
      profileId: caller.profile.profileId,
      name: uniqueName(caller, requiredText(item, 'name')),
      state,
      targetingType,
      budgetMicros: readBudget(caller, item.budget),
      ...bidding,
      ...dates,
      portfolioId: readPortfolio(caller, item) ?? null,
      tags: readTags(item.tags),
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },

  update(caller, campaign, item) {
    optionalEnum(item, 'targetingType', ['AUTO', 'MANUAL'] as const)
    const changed: Campaign = { ...campaign, state: optionalState(item) ?? campaign.state }
    const name = optionalText(item, 'name')
    if (name !== undefined) changed.name = uniqueName(caller, name, campaign.campaignId)
    if (item.budget !== undefined) {
      changed.budgetMicros = readBudget(caller, item.budget)
      checkBudgetHolds(caller, campaign.campaignId, changed.budgetMicros)
    }
    if (item.dynamicBidding !== undefined) Object.assign(changed, readBidding(item.dynamicBidding))
    const startDate = readDate(item, 'startDate')
    if (startDate !== undefined && startDate !== campaign.startDate) {
      if (campaign.startDate <= caller.today)
        throw itemError('dateError', 'UPDATING_READ_ONLY_START_DATE', {
          message: 'The campaign has begun; its start date cannot be changed',
          field: 'startDate',
          trigger: startDate,
        })
      changed.startDate = startDate
    }
    if (item.endDate !== undefined) changed.endDate = readDate(item, 'endDate') ?? null
    if (startDate !== undefined || item.endDate !== undefined)
      checkDates(changed, caller.today, { startMayBePast: changed.startDate === campaign.startDate })
    const portfolioId = readPortfolio(caller, item)
    if (portfolioId !== undefined) changed.portfolioId = portfolioId
    if (item.tags !== undefined) changed.tags = readTags(item.tags)
    return changed
  },

  toWire: campaign => ({
    campaignId: campaign.campaignId,
    name: campaign.name,
    state: campaign.state,
    targetingType: campaign.targetingType,
    budget: { budget: fromMicros(campaign.budgetMicros), budgetType: 'DAILY' },
    dynamicBidding: { strategy: campaign.strategy, placementBidding: campaign.placements },
    startDate: campaign.startDate,
    ...(campaign.endDate && { endDate: campaign.endDate }),
    ...(campaign.portfolioId && { portfolioId: campaign.portfolioId }),
    tags: campaign.tags,
  }),
  servingStatus: campaignStatus,

  passes(campaign, filter) {
    const portfolios = (filter.portfolioIdFilter as { include?: string[] } | null | undefined)?.include
    if (portfolios && !portfolios.includes(campaign.portfolioId ?? '')) return false
    return matchesText(campaign.name, filter.nameFilter)
  },
}
