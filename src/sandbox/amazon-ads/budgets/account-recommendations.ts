import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { Campaign } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { type Media, requireMedia } from '../media-types.ts'
import { invalidArgument } from '../ads-failure.ts'
import { type Item, objectsAt } from '../entities/read-fields.ts'
import { missedOpportunities } from './budget-recommendations.ts'
import { campaignWeeks, suggestedBudget } from './campaign-week.ts'

const type = (name: string): string => `application/vnd.${name}.v1+json`
function mediaOf(call: string): Media {
  return {
    takes: [type(`${call}Request`)],
    gives: [type(`${call}Response`), type(`${call}Request`)],
    plain: 'always',
  }
}
const WEEK_MS = 7 * 86_400_000
const LARGEST_PAGE = 500
const MOST_APPLIED = 100
const fields = ['AD_PRODUCT', 'CAMPAIGN_ID', 'GROUPING_TYPE', 'RECOMMENDATION_ID', 'RECOMMENDATION_TYPE', 'STATUS']

/** A campaign that ran out of budget in a week, and a sufficient budget. */
interface Advice {
  campaign: Campaign
  suggestedMicros: number
  wire: Record<string, unknown>
}

const idOf = (campaign: Campaign): string => Buffer.from(`budget:${campaign.campaignId}`).toString('base64url')

/** Budgets to raise by a twentieth at least; what was changed within the week has yet to prove itself. */
function adviceOf({ world, profile, marketplace, now }: AdsCaller): Advice[] {
  const advice: Advice[] = []
  for (const [campaignId, week] of campaignWeeks(world, profile, now)) {
    const campaign = world.store.campaigns.get(campaignId)
    if (campaign?.state !== 'ENABLED' || now.getTime() - campaign.updatedAt < WEEK_MS) continue
    const suggested = suggestedBudget(campaign.budgetMicros, week, profile.currency)
    if (suggested < campaign.budgetMicros * 1.05) continue
    const suggestedMicros = Math.min(suggested, marketplace.maxDailyBudgetMicros)
    advice.push({
      campaign,
      suggestedMicros,
      wire: {
        recommendationId: idOf(campaign),
        recommendationType: 'CAMPAIGN_BUDGET',
        adProduct: 'SP',
        status: 'PUBLISHED',
        campaignId: campaign.campaignId,
        currentValue: String(fromMicros(campaign.budgetMicros)),
        recommendedValue: String(fromMicros(suggestedMicros)),
        budgetRecommendation: {
          sevenDaysMissedOpportunities: missedOpportunities(week, profile.currency, day => day),
        },
      },
    })
  }
  return advice
}

/** The filters of a request. Throws 400 for an unknown one, even if there is nothing to filter. */
function readFilters(filters: unknown): ((advice: Advice) => boolean)[] {
  return objectsAt(filters, 'filters').map(({ field, operator, values, include = true }) => {
    if (!fields.includes(String(field)) || operator !== 'EXACT' || !Array.isArray(values))
      throw invalidArgument('A filter has a field, the operator EXACT and values')
    return ({ wire }) => values.includes(valueOf(wire, String(field))) === include
  })
}

function valueOf(wire: Advice['wire'], field: string): unknown {
  const own: Record<string, unknown> = {
    AD_PRODUCT: wire.adProduct,
    CAMPAIGN_ID: wire.campaignId,
    RECOMMENDATION_ID: wire.recommendationId,
    RECOMMENDATION_TYPE: wire.recommendationType,
    STATUS: wire.status,
  }
  return own[field]
}

function listed(caller: AdsCaller, { filters, maxResults = LARGEST_PAGE, nextToken }: Item): object {
  const size = Number(maxResults)
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE)
    throw invalidArgument(`maxResults must be from 1 to ${LARGEST_PAGE}`)
  const requested = readFilters(filters)
  const found = adviceOf(caller).filter(advice => requested.every(passes => passes(advice)))
  const start = typeof nextToken === 'string' ? Number(nextToken) : 0
  const end = start + size
  return {
    recommendations: found.slice(start, end).map(({ wire }) => wire),
    totalResults: found.length,
    ...(end < found.length && { nextToken: String(end) }),
  }
}

function applied(caller: AdsCaller, ids: readonly string[]): object {
  const advices = new Map(adviceOf(caller).map(advice => [idOf(advice.campaign), advice]))
  const successes: object[] = []
  const failures: object[] = []
  caller.world.change(store => {
    for (const [index, recommendationId] of ids.entries()) {
      const advice = advices.get(recommendationId)
      if (!advice) {
        const error = { code: 'NOT_FOUND', message: 'There is no such recommendation, or it is applied' }
        failures.push({ index, recommendationId, error })
        continue
      }
      advices.delete(recommendationId)
      const { campaign, suggestedMicros } = advice
      const changed = { ...campaign, budgetMicros: suggestedMicros, updatedAt: caller.now.getTime() }
      store.campaigns.set(campaign.campaignId, changed)
      const recommendation = { ...advice.wire, status: 'APPLY_SUCCESS' }
      successes.push({ index, recommendationId, recommendation, success: { code: 'SUCCESS', message: 'Applied' } })
    }
  })
  return { successes, failures }
}

/** `POST /recommendations/list` and `/recommendations/apply`: budgets that ran out, and raising them. */
export function registerAccountRecommendations(app: FastifyInstance, world: World, region: RegionKey): void {
  app.post('/recommendations/list', (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, mediaOf('listRecommendations'))
    void reply.type(type('listRecommendationsResponse'))
    return JSON.stringify(listed(caller, readObject(request)))
  })

  app.post('/recommendations/apply', (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, mediaOf('applyRecommendations'))
    const { recommendationIds } = readObject(request)
    if (!Array.isArray(recommendationIds) || recommendationIds.length < 1 || recommendationIds.length > MOST_APPLIED)
      throw invalidArgument(`recommendationIds must have 1 to ${MOST_APPLIED} items`)
    void reply.code(207).type(type('applyRecommendationsResponse'))
    return JSON.stringify(applied(caller, recommendationIds as string[]))
  })
}
