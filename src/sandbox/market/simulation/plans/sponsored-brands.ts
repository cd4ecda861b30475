import type { BrandAdGroup, BrandCampaign } from '../../../core/model/brands.ts'
import { brandSlotsOf } from '../auction.ts'
import { barOf } from './negatives.ts'
import { type CampaignPlan, type Clause, type Draft, type GroupPlan, offersOf } from './plan.ts'
import { datesOf, overlap, type Window, windowOf } from './serving-windows.ts'

/** Hours until a creative has passed its review. */
const REVIEW_HOURS = 1

const groupPlan = (draft: Draft, { adGroupId }: BrandAdGroup, around: Window): GroupPlan => {
  const { brands: shelf } = draft.shelves
  const offers = offersOf(
    (shelf.ads.get(adGroupId) ?? []).flatMap(ad => {
      const window = overlap(around, windowOf(ad, draft.openedAt))
      return ad.asins.map(asin => ({
        adId: ad.adId,
        good: draft.goodOf(asin, null),
        window: { ...window, from: window.from + REVIEW_HOURS },
      }))
    }),
  )
  const goods = offers.map(offer => offer.good)
  const clauses: Clause[] = []
  if (offers.length > 0) {
    for (const keyword of shelf.keywords.get(adGroupId) ?? []) {
      const terms = draft.reach.keyword(keyword.keywordText, keyword.matchType)
      const window = windowOf(keyword, draft.openedAt)
      clauses.push({ id: keyword.keywordId, bidMicros: keyword.bidMicros, window, terms })
    }
    for (const target of shelf.targets.get(adGroupId) ?? []) {
      const terms = draft.reach.expression(target.expression, goods)
      const window = windowOf(target, draft.openedAt)
      clauses.push({ id: target.targetId, bidMicros: target.bidMicros, window, terms })
    }
  }
  const bar = barOf(shelf.negativeKeywords.get(adGroupId) ?? [], shelf.negativeTargets.get(adGroupId) ?? [])
  return { adGroupId, offers, clauses, bar }
}

/** A Sponsored Brands campaign as the market sees it: a banner that shows a brand's products. */
export const brandsPlan = (campaign: BrandCampaign, draft: Draft): CampaignPlan => {
  const outer = windowOf(campaign, draft.openedAt)
  return {
    campaignId: campaign.campaignId,
    adProduct: 'SPONSORED_BRANDS',
    budgetMicros: campaign.budgetMicros,
    lifetimeBudget: campaign.budgetType === 'LIFETIME',
    life: outer,
    dates: datesOf(campaign, draft.profile.timezone),
    groups: () =>
      (draft.shelves.brands.groups.get(campaign.campaignId) ?? []).map(group =>
        groupPlan(draft, group, overlap(outer, windowOf(group, draft.openedAt))),
      ),
    slotsOf: (term, good, fit, bidMicros) => brandSlotsOf(term, good, fit, bidMicros, campaign),
  }
}
