import { randomUUID } from 'node:crypto'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Campaign } from '../../core/model/store.ts'
import { adviceFailure, ownAsins, readObjects, readParts, readTexts } from '../advice/advice-subject.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { AdsFailure } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import type { Item } from '../entities/read-fields.ts'
import { compactDay } from '../entities/wire-styles.ts'
import { vendorType } from '../media-types.ts'
import { capUsage } from '../portfolios/portfolios.ts'
import { type CampaignWeek, campaignWeeks, missedOpportunities, suggestedBudget } from './campaign-week.ts'

const HOUR_MS = 3_600_000

/** A thing's budget, and the share of it that is spent; null when the caller has none of this id, or none with a budget. */
type FindUsage = (caller: AdsCaller, id: string) => { budgetMicros: number; share: number } | null

/** How much of the budget in force is spent, as of the last whole hour. */
function usageCall(path: string, type: string, idName: 'campaignId' | 'portfolioId', find: FindUsage): Call {
  return {
    path,
    media: { takes: [vendorType(type, 'v1')], plain: 'always' },
    status: 207,
    answer(caller, body) {
      const success: object[] = []
      const error: object[] = []
      const usageUpdatedTimestamp = new Date(Math.floor(caller.now.getTime() / HOUR_MS) * HOUR_MS).toISOString()
      for (const [index, id] of readTexts(body[`${idName}s`], `${idName}s`, 100).entries()) {
        const usage = find(caller, id)
        if (usage)
          success.push({
            [idName]: id,
            index,
            budget: fromMicros(usage.budgetMicros),
            budgetUsagePercent: Math.round(usage.share * 10_000) / 100,
            usageUpdatedTimestamp,
          })
        else error.push({ [idName]: id, index, code: 'NOT_FOUND', details: `The ${idName} was not found` })
      }
      return { success, error }
    },
  }
}

const campaignUsage = (product: string, collection: 'campaigns' | 'brandCampaigns' | 'displayCampaigns'): Call =>
  usageCall(
    `/${product}/campaigns/budget/usage`,
    `${product}campaignbudgetusage`,
    'campaignId',
    ({ world, profile, now }, id) => {
      const campaign = world.store[collection].get(id)
      return campaign?.profileId === profile.profileId ? world.market().budgetUsage(id, now) : null
    },
  )

const portfolioUsage = usageCall('/portfolios/budget/usage', 'portfoliobudgetusage', 'portfolioId', (caller, id) => {
  const portfolio = caller.world.store.portfolios.get(id)
  if (portfolio?.profileId !== caller.profile.profileId || portfolio.amountMicros === null) return null
  return { budgetMicros: portfolio.amountMicros, share: capUsage(caller, portfolio) }
})

const flagsPath = '/accountBudgets/featureFlags'
const flagsType = vendorType('accountBudgetFeatureFlags', 'v1')

/** Whether a day's unspent budget may double another's. */
const featureFlags: readonly Call[] = [
  {
    method: 'GET',
    path: flagsPath,
    type: flagsType,
    answer: ({ profile }) => ({
      featureFlags: { isOptedOutForAverageDailyBudgetIncrease: profile.optedOutOfBudgetIncrease ?? false },
    }),
  },
  {
    path: flagsPath,
    media: { takes: [flagsType], plain: 'always' },
    type: flagsType,
    answer({ world, profile }, body) {
      const flags = (body.featureFlags ?? {}) as Item
      const optedOut = flags.isOptedOutForAverageDailyBudgetIncrease
      if (typeof optedOut !== 'boolean')
        throw new AdsFailure(400, {
          code: 'INVALID_PARAMETER_VALUE',
          details: 'isOptedOutForAverageDailyBudgetIncrease must be true or false',
        })
      world.change(store => store.profiles.set(profile.profileId, { ...profile, optedOutOfBudgetIncrease: optedOut }))
      return { code: 'OK', details: 'The feature flags were updated' }
    },
  },
]

const recommendationToWire = ({ budgetMicros }: Campaign, week: CampaignWeek | undefined, currency: string) => ({
  suggestedBudget: week ? fromMicros(suggestedBudget(budgetMicros, week, currency)) : null,
  sevenDaysMissedOpportunities: week ? missedOpportunities(week, currency, compactDay) : null,
  budgetRuleRecommendation: null,
})

/** Budgets that would have lasted, by how long those there are did. */
const budgetRecommendations: Call = {
  path: '/sp/campaigns/budgetRecommendations',
  media: { takes: [vendorType('budgetrecommendation', 'v3')], plain: 'always' },
  type: vendorType('budgetrecommendation', 'v3'),
  answer({ world, profile, now }, { campaignIds }) {
    const ids = readTexts(campaignIds, 'campaignIds', 100)
    const weeks = campaignWeeks(world, profile, now)
    const success: object[] = []
    const errors: object[] = []
    for (const [index, campaignId] of ids.entries()) {
      const campaign = world.store.campaigns.get(campaignId)
      if (campaign?.profileId === profile.profileId)
        success.push({
          index,
          campaignId,
          ...recommendationToWire(campaign, weeks.get(campaignId), profile.currency),
        })
      else errors.push({ index, campaignId, Error: { code: '404', details: 'The campaign was not found' } })
    }
    return { budgetRecommendationsSuccessResults: success, budgetRecommendationsErrorResults: errors }
  },
}

const initialType = vendorType('spinitialbudgetrecommendation', 'v3.4')
/** Clicks a day that are worth starting with for each thing targeted, and at most in all. */
const CLICKS_EACH = 4
const MOST_CLICKS = 60

/** The ad group of a draft. Throws 400 unless the draft is whole. */
function readDraft({ adGroups, targetingType, bidding }: Item): Item {
  if (targetingType !== 'auto' && targetingType !== 'manual')
    throw adviceFailure(400, 'targetingType must be auto or manual')
  if (typeof (bidding as Item | undefined)?.strategy !== 'string')
    throw adviceFailure(400, 'bidding.strategy is required')
  if (!Array.isArray(adGroups) || adGroups.length !== 1) throw adviceFailure(400, 'adGroups must have one item')
  return readObjects(adGroups, 'adGroups', 1)[0] ?? {}
}

const range = (middle: number) => ({ lower: Math.floor(middle * 0.75), upper: Math.ceil(middle * 1.25) })

/** What a day's clicks on the targets of a draft would cost at the usual bids; -1 when there is no data about them. */
const initialBudget: Call = {
  path: '/sp/campaigns/initialBudgetRecommendation',
  media: { takes: [initialType] },
  type: initialType,
  answer(caller, body) {
    const { world, profile, marketplace } = caller
    const group = readDraft(body)
    const asins = ownAsins(caller, readTexts(group.asins, 'asins', 50))
    const bids = readParts(group.targetingExpressions, 'targetingExpressions', 100).flatMap(({ type, value }) => {
      const found = world.market().suggestBid(profile.profileId, asins, { type, ...(value && { value }) })
      return found ? [found.medianMicros] : []
    })
    if (bids.length === 0) {
      const benchmark = { benchmarkStatus: 'failed', values: null }
      return { dailyBudget: -1, recommendationId: null, benchmark, specialEvents: [] }
    }
    const clicks = Math.min(MOST_CLICKS, bids.length * CLICKS_EACH)
    const each = bids.reduce((sum, bid) => sum + bid, 0) / bids.length
    const micros = Math.max(marketplace.minDailyBudgetMicros, roundToUnit(clicks * each, marketplace.currency))
    const values = { impressions: range(clicks * 220), clicks: range(clicks), conversions: range(clicks * 0.1) }
    return {
      dailyBudget: fromMicros(micros),
      recommendationId: randomUUID(),
      benchmark: { benchmarkStatus: 'success', values },
      specialEvents: [],
    }
  },
}

export const budgetCalls: readonly Call[] = [
  campaignUsage('sp', 'campaigns'),
  campaignUsage('sb', 'brandCampaigns'),
  campaignUsage('sd', 'displayCampaigns'),
  portfolioUsage,
  ...featureFlags,
  budgetRecommendations,
  initialBudget,
]
