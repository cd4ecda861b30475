import { fromMicros } from '#shared/money.ts'
import type { Campaign } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { type Item, objectsAt } from '../entities/read-fields.ts'
import { type Media, vendorType } from '../media-types.ts'
import { campaignWeeks, missedOpportunities, suggestedBudget } from './campaign-week.ts'

const WEEK_MS = 7 * 86_400_000
const LARGEST_PAGE = 500
const MOST_APPLIED = 100

/** A campaign that ran out of budget in a week, and a sufficient budget. */
interface Advice {
  campaign: Campaign
  suggestedMicros: number
  wire: Record<string, unknown>
}

/** Budgets to raise by a twentieth at least, by id; what was changed within the week has yet to prove itself. */
function adviceOf({ world, profile, marketplace, now }: AdsCaller): Map<string, Advice> {
  const advice = new Map<string, Advice>()
  for (const [campaignId, week] of campaignWeeks(world, profile, now)) {
    const campaign = world.store.campaigns.get(campaignId)
    if (campaign?.state !== 'ENABLED' || now.getTime() - campaign.updatedAt < WEEK_MS) continue
    const suggested = suggestedBudget(campaign.budgetMicros, week, profile.currency)
    if (suggested < campaign.budgetMicros * 1.05) continue
    const suggestedMicros = Math.min(suggested, marketplace.maxDailyBudgetMicros)
    const recommendationId = Buffer.from(`budget:${campaignId}`).toString('base64url')
    const wire = {
      recommendationId,
      recommendationType: 'CAMPAIGN_BUDGET',
      adProduct: 'SP',
      status: 'PUBLISHED',
      campaignId,
      currentValue: String(fromMicros(campaign.budgetMicros)),
      recommendedValue: String(fromMicros(suggestedMicros)),
      budgetRecommendation: {
        sevenDaysMissedOpportunities: missedOpportunities(week, profile.currency, day => day),
      },
    }
    advice.set(recommendationId, { campaign, suggestedMicros, wire })
  }
  return advice
}

/** What each field is called in answers; nothing is grouped. */
const fields: Record<string, string | null> = {
  AD_PRODUCT: 'adProduct',
  CAMPAIGN_ID: 'campaignId',
  GROUPING_TYPE: null,
  RECOMMENDATION_ID: 'recommendationId',
  RECOMMENDATION_TYPE: 'recommendationType',
  STATUS: 'status',
}

/** The filters of a request. Throws 400 for an unknown one, even if there is nothing to filter. */
function readFilters(filters: unknown): ((advice: Advice) => boolean)[] {
  return objectsAt(filters, 'filters').map(({ field, operator, values, include = true }) => {
    const name = fields[String(field)]
    if (name === undefined || operator !== 'EXACT' || !Array.isArray(values))
      throw invalidArgument('A filter has a field, the operator EXACT and values')
    return ({ wire }) => values.includes(name === null ? undefined : wire[name]) === include
  })
}

function listed(caller: AdsCaller, { filters, maxResults = LARGEST_PAGE, nextToken }: Item): object {
  const size = Number(maxResults)
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE)
    throw invalidArgument(`maxResults must be from 1 to ${LARGEST_PAGE}`)
  const requested = readFilters(filters)
  const found = [...adviceOf(caller).values()].filter(advice => requested.every(passes => passes(advice)))
  const start = typeof nextToken === 'string' ? Number(nextToken) : 0
  const end = start + size
  return {
    recommendations: found.slice(start, end).map(({ wire }) => wire),
    totalResults: found.length,
    ...(end < found.length && { nextToken: String(end) }),
  }
}

function applied(caller: AdsCaller, { recommendationIds: ids }: Item): object {
  if (!Array.isArray(ids) || ids.length < 1 || ids.length > MOST_APPLIED)
    throw invalidArgument(`recommendationIds must have 1 to ${MOST_APPLIED} items`)
  const advices = adviceOf(caller)
  const successes: object[] = []
  const failures: object[] = []
  caller.world.change(store => {
    for (const [index, recommendationId] of (ids as string[]).entries()) {
      const advice = advices.get(recommendationId)
      if (!advice) {
        const error = { code: 'NOT_FOUND', message: 'There is no such recommendation, or it is applied' }
        failures.push({ index, recommendationId, error })
        continue
      }
      advices.delete(recommendationId)
      const { campaign, suggestedMicros: budgetMicros } = advice
      store.campaigns.set(campaign.campaignId, { ...campaign, budgetMicros, updatedAt: caller.now.getTime() })
      const recommendation = { ...advice.wire, status: 'APPLY_SUCCESS' }
      successes.push({ index, recommendationId, recommendation, success: { code: 'SUCCESS', message: 'Applied' } })
    }
  })
  return { successes, failures }
}

const mediaOf = (call: string): Media => ({
  takes: [vendorType(`${call}Request`, 'v1')],
  gives: [vendorType(`${call}Response`, 'v1'), vendorType(`${call}Request`, 'v1')],
  plain: 'always',
})

export const accountRecommendations: readonly Call[] = [
  {
    path: '/recommendations/list',
    media: mediaOf('listRecommendations'),
    type: vendorType('listRecommendationsResponse', 'v1'),
    answer: listed,
  },
  {
    path: '/recommendations/apply',
    media: mediaOf('applyRecommendations'),
    type: vendorType('applyRecommendationsResponse', 'v1'),
    status: 207,
    answer: applied,
  },
]
