import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'
import type { Campaign } from '../../core/model.ts'
import type { World } from '../../core/world.ts'
import type { Fact } from '../../market/market.ts'
import { type AdsCaller, readCaller, readObject, requireMedia } from '../ads-caller.ts'
import { readTexts } from '../advice/advice-subject.ts'
import { compactDay } from '../arrays/read-words.ts'

const media = 'application/vnd.budgetrecommendation.v3+json'
const DAYS = 7
const HOURS = 24

/** What a campaign had on one day, and the share of the day that its budget lasted. */
interface Day {
  impressions: number
  clicks: number
  costMicros: number
  salesMicros: number
  share: number
}

const dayOf = (facts: readonly Fact[], budgetMicros: number): Day => {
  const day: Day = { impressions: 0, clicks: 0, costMicros: 0, salesMicros: 0, share: 1 }
  let last = 0
  for (const fact of facts) {
    day.impressions += fact.impressions
    day.clicks += fact.clicks
    day.costMicros += fact.costMicros
    day.salesMicros += fact.salesMicros.d7
    if (fact.impressions > 0) last = Math.max(last, fact.hour)
  }
  if (day.costMicros >= 0.98 * budgetMicros) day.share = Math.min(1, (last + 1) / HOURS)
  return day
}

/** What the rest of a day would have brought, had it gone on as it began. */
const missedOf = (days: readonly Day[], read: (day: Day) => number): number =>
  days.reduce((sum, day) => sum + read(day) * (1 / day.share - 1), 0)

const bounds = (name: string, missed: number, round: (value: number) => number) => ({
  [`estimatedMissed${name}Lower`]: round(missed * 0.8),
  [`estimatedMissed${name}Upper`]: round(missed * 1.2),
})

/** What the last seven days say of a campaign's budget. */
export interface BudgetAdvice {
  suggestedMicros: number
  missed: Record<string, string | number>
}

/** Sponsored Products' facts of the seven days before today. */
export const weekOfFacts = ({ world, profile, today, now }: AdsCaller): Fact[] =>
  world.market().facts(profile.profileId, addDays(today, -DAYS), addDays(today, -1), now)

/** Advice on a campaign's budget from a week's facts; null where it had no impressions in them. */
export const budgetAdvice = (caller: AdsCaller, campaign: Campaign, facts: readonly Fact[]): BudgetAdvice | null => {
  const own = facts.filter(fact => fact.campaignId === campaign.campaignId)
  if (own.length === 0) return null
  const dates = Array.from({ length: DAYS }, (_, i) => addDays(caller.today, i - DAYS))
  const days = dates.map(date =>
    dayOf(
      own.filter(fact => fact.day === date),
      campaign.budgetMicros,
    ),
  )
  const share = days.reduce((sum, day) => sum + day.share, 0) / DAYS
  const money = (micros: number): number => fromMicros(roundToUnit(micros, caller.marketplace.currency))
  const impressions = missedOf(days, day => day.impressions)
  const clicks = missedOf(days, day => day.clicks)
  const sales = missedOf(days, day => day.salesMicros)
  return {
    suggestedMicros: roundToUnit(campaign.budgetMicros / share, caller.marketplace.currency),
    missed: {
      startDate: compactDay(dates[0] ?? caller.today),
      endDate: compactDay(dates.at(-1) ?? caller.today),
      percentTimeInBudget: Math.round(share * 1000) / 1000,
      ...bounds('Impressions', impressions, Math.round),
      ...bounds('Clicks', clicks, Math.round),
      ...bounds('Sales', sales, money),
    },
  }
}

const toWire = (advice: BudgetAdvice | null): object => ({
  suggestedBudget: advice && fromMicros(advice.suggestedMicros),
  sevenDaysMissedOpportunities: advice && advice.missed,
  budgetRuleRecommendation: null,
})

/** `POST /sp/campaigns/budgetRecommendations`: budgets that would have lasted, by how long those there are did. */
export const registerBudgetRecommendations = (app: FastifyInstance, world: World, region: RegionKey): void => {
  app.post('/sp/campaigns/budgetRecommendations', (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, [media, 'application/json'])
    const ids = readTexts(readObject(request).campaignIds, 'campaignIds', 100)
    const facts = weekOfFacts(caller)
    const success: object[] = []
    const errors: object[] = []
    for (const [index, campaignId] of ids.entries()) {
      const campaign = world.books.campaigns.get(campaignId)
      if (campaign?.profileId === caller.profile.profileId)
        success.push({ index, campaignId, ...toWire(budgetAdvice(caller, campaign, facts)) })
      else errors.push({ index, campaignId, Error: { code: '404', details: 'The campaign was not found' } })
    }
    void reply.type(media)
    return JSON.stringify({ budgetRecommendationsSuccessResults: success, budgetRecommendationsErrorResults: errors })
  })
}
