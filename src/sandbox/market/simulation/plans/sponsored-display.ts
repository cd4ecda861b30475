import type { DisplayAdGroup, DisplayCampaign, DisplayExpression } from '../../../core/model/display.ts'
import type { Expression } from '../../../core/model/store.ts'
import { displaySlotsOf } from '../auction.ts'
import { barOf } from './negatives.ts'
import { type CampaignPlan, type Clause, type Draft, type GroupPlan, offersOf } from './plan.ts'
import { datesOf, overlap, type Window, windowOf } from './serving-windows.ts'

const contextual: Record<string, string> = {
  asinSameAs: 'ASIN_SAME_AS',
  asinCategorySameAs: 'ASIN_CATEGORY_SAME_AS',
  similarProduct: 'ASIN_SUBSTITUTE_RELATED',
}

/**
 * The pages on which a target's ads stand, in the words of Sponsored Products. An audience that names a category is met
 * there; any other is met where people look who buy such things.
 */
const pagesOf = ({ type, value }: DisplayExpression): Expression[] => {
  const known = contextual[type]
  if (known) return [{ type: known, ...(typeof value === 'string' && { value }) }]
  const named = (Array.isArray(value) ? value : []).flatMap(part => {
    const inner = contextual[part.type]
    return inner ? [{ ...part, type: inner }] : []
  })
  return named.length > 0 ? named : [{ type: 'ASIN_ACCESSORY_RELATED' }, { type: 'ASIN_SUBSTITUTE_RELATED' }]
}

const groupPlan = (draft: Draft, group: DisplayAdGroup, around: Window): GroupPlan => {
  const { display: shelf } = draft.shelves
  const { adGroupId, defaultBidMicros } = group
  const offers = offersOf(
    (shelf.ads.get(adGroupId) ?? []).map(ad => ({
      adId: ad.adId,
      good: draft.goodOf(ad.asin, ad.sku),
      window: overlap(around, windowOf(ad, draft.openedAt)),
    })),
  )
  const goods = offers.map(offer => offer.good)
  const targets = offers.length > 0 ? (shelf.targets.get(adGroupId) ?? []) : []
  const clauses = targets.map(
    (target): Clause => ({
      id: target.targetId,
      bidMicros: target.bidMicros ?? defaultBidMicros,
      window: windowOf(target, draft.openedAt),
      terms: draft.reach.expression(target.expression.flatMap(pagesOf), goods),
    }),
  )
  return { adGroupId, offers, clauses, bar: barOf([], shelf.negativeTargets.get(adGroupId) ?? []) }
}

/** A Sponsored Display campaign as the market sees it: pictures of a product on others' pages. */
export const displayPlan = (campaign: DisplayCampaign, draft: Draft): CampaignPlan => {
  const outer = windowOf(campaign, draft.openedAt)
  return {
    campaignId: campaign.campaignId,
    adProduct: 'SPONSORED_DISPLAY',
    budgetMicros: campaign.budgetMicros,
    lifetimeBudget: false,
    life: outer,
    dates: datesOf(campaign, draft.profile.timezone),
    groups: () =>
      (draft.shelves.display.groups.get(campaign.campaignId) ?? []).map(group =>
        groupPlan(draft, group, overlap(outer, windowOf(group, draft.openedAt))),
      ),
    slotsOf: (term, good, fit, bidMicros) => displaySlotsOf(term, good, fit, bidMicros, campaign),
  }
}
