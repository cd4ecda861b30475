import type { Portfolio } from '../../core/model/store.ts'
import { adProducts } from '../../market/market.ts'
import type { AdsCaller } from '../ads-caller.ts'

/** What a portfolio's campaigns have spent in the days its cap is for, so far; nothing without a cap. */
export function portfolioSpend({ world, profile, today, now }: AdsCaller, portfolio: Portfolio): number {
  if (portfolio.policy === 'NO_CAP') return 0
  const from = portfolio.policy === 'MONTHLY_RECURRING' ? `${today.slice(0, 7)}-01` : (portfolio.startDate ?? today)
  const to = portfolio.endDate !== null && portfolio.endDate < today ? portfolio.endDate : today
  if (from > to) return 0
  const { campaigns, brandCampaigns, displayCampaigns } = world.store
  const inside = new Set<string>()
  for (const collection of [campaigns, brandCampaigns, displayCampaigns])
    for (const { campaignId, portfolioId } of collection.values())
      if (portfolioId === portfolio.portfolioId) inside.add(campaignId)
  if (inside.size === 0) return 0
  let spent = 0
  for (const adProduct of adProducts)
    for (const fact of world.market().facts(profile.profileId, from, to, now, adProduct))
      if (inside.has(fact.campaignId)) spent += fact.costMicros
  return spent
}

/** Share of the cap that is spent; 0 without a cap, and may pass 1. */
export const capUsage = (caller: AdsCaller, portfolio: Portfolio): number =>
  portfolio.amountMicros ? portfolioSpend(caller, portfolio) / portfolio.amountMicros : 0
