import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { AdGroup, BiddingStrategy, Campaign, Placement } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { checkedWord, dates, portfolio, validPayment } from '../entities/campaign-fields.ts'
import type { Field } from '../entities/entity-kind.ts'
import { amount, inCampaign, state, uniqueName } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { missing, microsOf, objectAt, objectsAt } from '../entities/read-fields.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { servingStatus } from '../entities/serving-status.ts'
import { marketplaceBids, names, sponsoredProducts } from './family.ts'
import { addAutoTargets } from './targets.ts'

const strategies: readonly BiddingStrategy[] = ['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL', 'RULE_BASED']
const placements: readonly Placement[] = [
  'PLACEMENT_TOP',
  'PLACEMENT_PRODUCT_PAGE',
  'PLACEMENT_REST_OF_SEARCH',
  'SITE_AMAZON_BUSINESS',
]

function readBudget({ marketplace }: AdsCaller, value: unknown): number {
  if (value === undefined || value === null) throw missing('budget')
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

function checkBudgetHolds({ world, marketplace }: AdsCaller, campaignId: string, budgetMicros: number): void {
  for (const adGroup of entriesBy(world.store.adGroups, 'campaignId', campaignId).values())
    if (adGroup.state !== 'ARCHIVED' && adGroup.defaultBidMicros > budgetMicros)
      throw itemError('budgetError', 'BUDGET_LT_DEFAULT_BIDS', {
        message: 'The budget is lower than the default bid of an ad group',
        field: 'budget.budget',
        trigger: fromMicros(budgetMicros),
        more: { lowerLimit: String(fromMicros(Math.max(adGroup.defaultBidMicros, marketplace.minDailyBudgetMicros))) },
      })
}

const budget: Field<Campaign> = {
  read({ caller, item, before }) {
    if (before && item.budget === undefined) return undefined
    const budgetMicros = readBudget(caller, item.budget)
    if (before) checkBudgetHolds(caller, before.campaignId, budgetMicros)
    return { budgetMicros }
  },
  write: ({ budgetMicros }) => ({ budget: { budget: fromMicros(budgetMicros), budgetType: 'DAILY' } }),
}

/** The whole of `dynamicBidding`: a part that an item leaves out gets its default. */
function readBidding(value: unknown): Pick<Campaign, 'strategy' | 'placements'> {
  if (value === undefined || value === null) return { strategy: 'LEGACY_FOR_SALES', placements: [] }
  const { strategy = 'LEGACY_FOR_SALES', placementBidding } = objectAt(value, 'dynamicBidding')
  const found = strategies.find(one => one === strategy)
  if (!found) throw badEnum(strategy, 'dynamicBidding.strategy', strategies)
  const adjustments = objectsAt(placementBidding, 'dynamicBidding.placementBidding')
  return {
    strategy: found,
    placements: adjustments.map(({ placement: name, percentage = 0 }, i) => {
      const field = `dynamicBidding.placementBidding[${i}]`
      const placement = placements.find(one => one === name)
      if (!placement) throw badEnum(name, `${field}.placement`, placements)
      if (!Number.isInteger(percentage) || Number(percentage) < 0 || Number(percentage) > 900)
        throw itemError('rangeError', Number(percentage) < 0 ? 'TOO_LOW' : 'TOO_HIGH', {
          message: 'The percentage must be a whole number from 0 to 900',
          field: `${field}.percentage`,
          trigger: percentage,
          more: { lowerLimit: '0', upperLimit: '900' },
        })
      return { placement, percentage: Number(percentage) }
    }),
  }
}

const bidding: Field<Campaign> = {
  read: ({ item, before }) =>
    before && item.dynamicBidding === undefined ? undefined : readBidding(item.dynamicBidding),
  write: campaign => ({
    dynamicBidding: { strategy: campaign.strategy, placementBidding: campaign.placements },
  }),
}

const tags: Field<Campaign> = {
  read({ item, before }) {
    if (before && item.tags === undefined) return undefined
    const values = (item.tags ?? {}) as Record<string, string>
    if (Object.keys(values).length > 50) throw invalidArgument('A campaign has at most 50 tags')
    return { tags: values }
  },
  write: campaign => ({ tags: campaign.tags }),
}

export const campaigns: BatchKind<Campaign> = {
  ...names('campaign'),
  collection: 'campaigns',
  id: 'campaignId',
  fields: [
    checkedWord('targetingType', ['AUTO', 'MANUAL']),
    state,
    bidding,
    validPayment,
    dates({ checksUnchanged: true }),
    uniqueName({ within: 'profileId', message: 'A campaign of this name exists' }),
    budget,
    portfolio,
    tags,
  ],
  servingStatus: servingStatus({ product: sponsoredProducts, live: 'CAMPAIGN_STATUS_ENABLED' }),
  passes(campaign, filter) {
    const portfolios = (filter.portfolioIdFilter as { include?: string[] } | null | undefined)?.include
    if (portfolios && !portfolios.includes(campaign.portfolioId ?? '')) return false
    return matchesText(campaign.name, filter.nameFilter)
  },
}

/** Ad groups; a new one in an AUTO campaign gets its four automatic targets. */
export const adGroups: BatchKind<AdGroup> = {
  ...names('adGroup'),
  collection: 'adGroups',
  id: 'adGroupId',
  fields: [
    state,
    inCampaign,
    amount({
      name: 'defaultBid',
      column: 'defaultBidMicros',
      range: marketplaceBids,
      check(bidMicros, { caller, item, draft }) {
        const campaign = caller.world.store.campaigns.get(draft.campaignId)
        if (campaign && bidMicros > campaign.budgetMicros)
          throw itemError('biddingError', 'BID_GT_BUDGET', {
            message: 'The bid is higher than the budget of the campaign',
            field: 'defaultBid',
            trigger: item.defaultBid,
            more: { upperLimit: String(fromMicros(campaign.budgetMicros)) },
          })
      },
    }),
    uniqueName({ maxLength: 255, within: 'campaignId', message: 'An ad group of this name exists in the campaign' }),
  ],
  onCreate(store, adGroup) {
    if (store.campaigns.get(adGroup.campaignId)?.targetingType === 'AUTO') addAutoTargets(store, adGroup)
  },
  servingStatus: servingStatus({ product: sponsoredProducts, live: 'AD_GROUP_STATUS_ENABLED' }),
  passes(adGroup, filter, { world }) {
    const targeting = filter.campaignTargetingTypeFilter
    if (targeting && world.store.campaigns.get(adGroup.campaignId)?.targetingType !== targeting) return false
    return matchesText(adGroup.name, filter.nameFilter)
  },
}
