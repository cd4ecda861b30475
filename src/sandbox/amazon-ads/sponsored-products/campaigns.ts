import { fromMicros } from '#shared/money.ts'
import { type AdGroup, type BiddingStrategy, type Campaign, placements } from '../../core/model/store.ts'
import { newEntityId } from '../../core/new-id.ts'
import { entriesBy } from '../../core/store/collections.ts'
import { invalidArgument } from '../ads-failure.ts'
import { batchCalls } from '../entities/batch-calls.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { dates, portfolio, validPayment } from '../entities/campaign-fields.ts'
import type { Field } from '../entities/entity-kind.ts'
import { amount, fixedWord, inCampaign, nameField, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { enumAt, microsOf, numberAt, objectAt, objectsAt, percentageAt, required } from '../entities/read-fields.ts'
import { checkRange } from '../entities/wire-styles.ts'
import { autoTypes } from './expressions.ts'
import { marketplaceBids, names } from './family.ts'

const strategies: readonly BiddingStrategy[] = ['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL', 'RULE_BASED']

const budget: Field<Campaign> = {
  read({ caller, item, before }) {
    if (before && item.budget === undefined) return undefined
    const { minDailyBudgetMicros, maxDailyBudgetMicros } = caller.marketplace
    const range = { leastMicros: minDailyBudgetMicros, mostMicros: maxDailyBudgetMicros }
    const sent = objectAt(required(item.budget, 'budget'), 'budget')
    enumAt(sent.budgetType, 'budget.budgetType', ['DAILY'])
    const micros = microsOf(numberAt(sent.budget, 'budget.budget'))
    const budgetMicros = checkRange(caller, micros, range, { 'budget.budget': sent.budget }, { what: 'The budget' })
    const adGroups = before ? entriesBy(caller.world.store.adGroups, 'campaignId', before.campaignId).values() : []
    for (const { state: groupState, defaultBidMicros } of adGroups)
      if (groupState !== 'ARCHIVED' && defaultBidMicros > budgetMicros)
        throw itemError(
          'BUDGET_LT_DEFAULT_BIDS',
          'The budget is lower than the default bid of an ad group',
          { 'budget.budget': fromMicros(budgetMicros) },
          { lowerLimit: String(fromMicros(Math.max(defaultBidMicros, minDailyBudgetMicros))) },
        )
    return { budgetMicros }
  },
  write({ campaignId, budgetMicros }, { caller: { world, now } }) {
    const inForce = world.market().budgets.inForce(campaignId, now).budgetMicros
    // Only present while rules raise it.
    const effective = inForce > budgetMicros ? { effectiveBudget: fromMicros(inForce) } : {}
    return { budget: { budget: fromMicros(budgetMicros), budgetType: 'DAILY', ...effective } }
  },
}

/** The whole of `dynamicBidding`: a part that an item leaves out gets its default. */
const bidding: Field<Campaign> = {
  read({ item, before }) {
    if (before && item.dynamicBidding === undefined) return undefined
    const { strategy = 'LEGACY_FOR_SALES', placementBidding } = objectAt(item.dynamicBidding, 'dynamicBidding')
    return {
      strategy: enumAt(strategy, 'dynamicBidding.strategy', strategies),
      placements: objectsAt(placementBidding, 'dynamicBidding.placementBidding').map((adjustment, i) => {
        const field = `dynamicBidding.placementBidding[${i}]`
        const { percentage = 0 } = adjustment
        const placement = enumAt(adjustment.placement, `${field}.placement`, placements)
        return { placement, percentage: percentageAt(percentage, field, [0, 900]) }
      }),
    }
  },
  write: campaign => ({
    dynamicBidding: { strategy: campaign.strategy, placementBidding: campaign.placements },
  }),
}

const tags: Field<Campaign> = {
  read({ item, before }) {
    if (before && item.tags === undefined) return undefined
    const values = item.tags ?? {}
    if (Object.keys(values).length > 50) throw invalidArgument('A campaign has at most 50 tags')
    return { tags: values }
  },
  write: campaign => ({ tags: campaign.tags }),
}

const campaigns: BatchKind<Campaign> = {
  ...names('campaign'),
  collection: 'campaigns',
  id: 'campaignId',
  fields: [
    fixedWord('targetingType', ['AUTO', 'MANUAL'], { isAlwaysChecked: true }),
    state,
    bidding,
    validPayment,
    dates({ checksUnchanged: true }),
    nameField({ within: 'profileId', message: 'A campaign of this name exists' }),
    budget,
    portfolio,
    tags,
  ],
  status: { live: 'CAMPAIGN_STATUS_ENABLED' },
  filters: { portfolioIdFilter: campaign => campaign.portfolioId, nameFilter: campaign => campaign.name },
}

/** Ad groups; a new one in an AUTO campaign gets its four automatic targets, enabled and without a bid of their own. */
const adGroups: BatchKind<AdGroup> = {
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
      check(bidMicros, { caller, item: { defaultBid }, draft }) {
        const campaign = caller.world.store.campaigns.get(draft.campaignId)
        if (campaign && bidMicros > campaign.budgetMicros)
          throw itemError(
            'BID_GT_BUDGET',
            'The bid is higher than the budget of the campaign',
            { defaultBid },
            { upperLimit: String(fromMicros(campaign.budgetMicros)) },
          )
      },
    }),
    nameField({ maxLength: 255, within: 'campaignId', message: 'An ad group of this name exists in the campaign' }),
  ],
  onCreate(store, { adGroupId, campaignId, profileId, createdAt }) {
    if (store.campaigns.get(campaignId)?.targetingType !== 'AUTO') return
    for (const type of autoTypes) {
      const targetId = newEntityId()
      store.targets.set(targetId, {
        targetId,
        adGroupId,
        campaignId,
        profileId,
        expression: [{ type }],
        expressionType: 'AUTO',
        state: 'ENABLED',
        bidMicros: null,
        createdAt,
        updatedAt: createdAt,
      })
    }
  },
  status: { live: 'AD_GROUP_STATUS_ENABLED' },
  filters: {
    campaignTargetingTypeFilter: ({ campaignId }, { world }) => world.store.campaigns.get(campaignId)?.targetingType,
    nameFilter: adGroup => adGroup.name,
  },
}

export const campaignCalls = [campaigns, adGroups].flatMap(batchCalls)
