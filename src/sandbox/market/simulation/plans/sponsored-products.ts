import type { AdGroup, Campaign } from '../../../core/model/store.ts'
import { slotsOf } from '../auction.ts'
import { barOf } from './negatives.ts'
import { type CampaignPlan, type Clause, type Draft, type GroupPlan, offersOf } from './plan.ts'
import { datesOf, overlap, type Window, windowOf } from './serving-windows.ts'

const groupPlan = (draft: Draft, group: AdGroup, around: Window): GroupPlan => {
  const { products: shelf } = draft.shelves
  const { adGroupId, campaignId, defaultBidMicros } = group
  const offers = offersOf(
    (shelf.ads.get(adGroupId) ?? []).map(ad => ({
      adId: ad.adId,
      good: draft.goodOf(ad.asin, ad.sku),
      window: overlap(around, windowOf(ad, draft.openedAt)),
    })),
  )
  if (offers.length === 0) return { adGroupId, offers, clauses: [], bar: barOf([], []) }
  const goods = offers.map(offer => offer.good)
  const clauses: Clause[] = []
  for (const keyword of shelf.keywords.get(adGroupId) ?? [])
    clauses.push({
      id: keyword.keywordId,
      bidMicros: keyword.bidMicros ?? defaultBidMicros,
      window: windowOf(keyword, draft.openedAt),
      terms: draft.reach.keyword(keyword.keywordText, keyword.matchType),
    })
  for (const target of shelf.targets.get(adGroupId) ?? [])
    clauses.push({
      id: target.targetId,
      bidMicros: target.bidMicros ?? defaultBidMicros,
      window: windowOf(target, draft.openedAt),
      terms: draft.reach.expression(target.expression, goods),
    })
  const parents = [campaignId, adGroupId]
  const bar = barOf(
    parents.flatMap(id => shelf.negativeKeywords.get(id) ?? []),
    parents.flatMap(id => shelf.negativeTargets.get(id) ?? []),
  )
  return { adGroupId, offers, clauses, bar }
}

/** A Sponsored Products campaign as the market sees it. */
export const productsPlan = (campaign: Campaign, draft: Draft): CampaignPlan => {
  const outer = windowOf(campaign, draft.openedAt)
  return {
    campaignId: campaign.campaignId,
    adProduct: 'SPONSORED_PRODUCTS',
    budgetMicros: campaign.budgetMicros,
    lifetimeBudget: false,
    life: outer,
    dates: datesOf(campaign, draft.profile.timezone),
    groups: () =>
      (draft.shelves.products.groups.get(campaign.campaignId) ?? []).map(group =>
        groupPlan(draft, group, overlap(outer, windowOf(group, draft.openedAt))),
      ),
    slotsOf: (term, good, fit, bidMicros) => slotsOf(term, good, fit, bidMicros, campaign),
  }
}
