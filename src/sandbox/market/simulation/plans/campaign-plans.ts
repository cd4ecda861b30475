import type { BrandAdGroup } from '../../../core/model/brands.ts'
import type { DisplayAdGroup, DisplayExpression } from '../../../core/model/display.ts'
import type { AdGroup, Expression, Profile } from '../../../core/model/store.ts'
import type { AdProduct } from '../../market.ts'
import type { Listing } from '../../queries/listing.ts'
import type { QueryMatcher } from '../../queries/query-matcher.ts'
import { brandSlotsOf, displaySlotsOf, type Match, type PlacementSlot, productSlotsOf } from '../auction.ts'
import type { AccountStructure } from './account-structure.ts'
import { createNegativeFilter } from './negatives.ts'
import type { AdGroupPlan, AdPlan, CampaignPlan, TargetPlan } from './plan.ts'
import { campaignDates, intersect, type Serving, type ServingWindow, servingWindow } from './serving-windows.ts'

/** Hours until a brand creative has passed its review. */
const REVIEW_HOURS = 1

/** What the plans of one profile are made from. */
export interface PlanContext {
  profile: Profile
  structure: AccountStructure
  matcher: QueryMatcher
  historyEnd: number
  /** The listing of an ad in the profile's marketplace; null when the seller does not sell it. */
  listingOf(asin: string, sku: string | null): Listing | null
}

interface AnyCampaign extends Serving {
  campaignId: string
  budgetMicros: number
  budgetType?: 'DAILY' | 'LIFETIME'
  startDate: string
  endDate: string | null
}

/** Plans of all campaigns of a profile. */
export function campaignPlans(context: PlanContext): CampaignPlan[] {
  const { products, brands, display } = context.structure
  return [
    ...plansOf(context, 'SPONSORED_PRODUCTS', products, productSlotsOf, productsAdGroup),
    ...plansOf(context, 'SPONSORED_BRANDS', brands, brandSlotsOf, brandsAdGroup),
    ...plansOf(context, 'SPONSORED_DISPLAY', display, displaySlotsOf, displayAdGroup),
  ]
}

function plansOf<C extends AnyCampaign, G extends Serving>(
  context: PlanContext,
  adProduct: AdProduct,
  { campaigns, adGroups }: { campaigns: readonly C[]; adGroups: ReadonlyMap<string, readonly G[]> },
  slotsOf: (match: Match, bidMicros: number, campaign: C) => PlacementSlot[],
  planOf: (context: PlanContext, adGroup: G, window: ServingWindow) => AdGroupPlan,
): CampaignPlan[] {
  const { profile, historyEnd } = context
  return campaigns.map(campaign => {
    const { campaignId, budgetMicros } = campaign
    const life = servingWindow(campaign, historyEnd)
    return {
      campaignId,
      adProduct,
      budgetMicros,
      lifetimeBudget: campaign.budgetType === 'LIFETIME',
      life,
      dates: campaignDates(campaign, profile.timezone),
      adGroups: () =>
        (adGroups.get(campaignId) ?? []).map(adGroup =>
          planOf(context, adGroup, intersect(life, servingWindow(adGroup, historyEnd))),
        ),
      slotsOf: (match, bidMicros) => slotsOf(match, bidMicros, campaign),
    }
  })
}

interface AdOf extends Serving {
  adId: string
  asin: string
  sku: string | null
}

/** Only ads of listings that are eligible for advertising can serve. */
function servableAds(context: PlanContext, around: ServingWindow, ads: readonly AdOf[], reviewHours = 0): AdPlan[] {
  return ads.flatMap(ad => {
    const listing = context.listingOf(ad.asin, ad.sku)
    const { from, to } = intersect(around, servingWindow(ad, context.historyEnd))
    const window = { from: from + reviewHours, to }
    if (!listing || listing.product.eligibility === 'INELIGIBLE' || window.from >= window.to) return []
    return [{ adId: ad.adId, listing, window }]
  })
}

function productsAdGroup(context: PlanContext, adGroup: AdGroup, around: ServingWindow): AdGroupPlan {
  const { matcher, historyEnd, structure } = context
  const { products } = structure
  const { adGroupId, campaignId, defaultBidMicros } = adGroup
  const ads = servableAds(context, around, products.ads.get(adGroupId) ?? [])
  if (ads.length === 0) return { adGroupId, ads, targets: [], blockedFrom: createNegativeFilter([], []) }
  const listings = ads.map(ad => ad.listing)
  const targets: TargetPlan[] = []
  for (const keyword of products.keywords.get(adGroupId) ?? [])
    targets.push({
      id: keyword.keywordId,
      bidMicros: keyword.bidMicros ?? defaultBidMicros,
      window: servingWindow(keyword, historyEnd),
      queries: matcher.byKeyword(keyword.keywordText, keyword.matchType),
    })
  for (const target of products.targets.get(adGroupId) ?? [])
    targets.push({
      id: target.targetId,
      bidMicros: target.bidMicros ?? defaultBidMicros,
      window: servingWindow(target, historyEnd),
      queries: matcher.byExpression(target.expression, listings),
    })
  const parents = [campaignId, adGroupId]
  const blockedFrom = createNegativeFilter(
    parents.flatMap(id => products.negativeKeywords.get(id) ?? []),
    parents.flatMap(id => products.negativeTargets.get(id) ?? []),
  )
  return { adGroupId, ads, targets, blockedFrom }
}

function brandsAdGroup(context: PlanContext, { adGroupId }: BrandAdGroup, around: ServingWindow): AdGroupPlan {
  const { matcher, historyEnd, structure } = context
  const { brands } = structure
  const shown = (brands.ads.get(adGroupId) ?? []).flatMap(ad => ad.asins.map(asin => ({ ...ad, asin, sku: null })))
  const ads = servableAds(context, around, shown, REVIEW_HOURS)
  const listings = ads.map(ad => ad.listing)
  const targets: TargetPlan[] = []
  if (ads.length > 0) {
    for (const keyword of brands.keywords.get(adGroupId) ?? []) {
      const queries = matcher.byKeyword(keyword.keywordText, keyword.matchType)
      const window = servingWindow(keyword, historyEnd)
      targets.push({ id: keyword.keywordId, bidMicros: keyword.bidMicros, window, queries })
    }
    for (const target of brands.targets.get(adGroupId) ?? []) {
      const queries = matcher.byExpression(target.expression, listings)
      targets.push({
        id: target.targetId,
        bidMicros: target.bidMicros,
        window: servingWindow(target, historyEnd),
        queries,
      })
    }
  }
  const blockedFrom = createNegativeFilter(
    brands.negativeKeywords.get(adGroupId) ?? [],
    brands.negativeTargets.get(adGroupId) ?? [],
  )
  return { adGroupId, ads, targets, blockedFrom }
}

function displayAdGroup(context: PlanContext, adGroup: DisplayAdGroup, around: ServingWindow): AdGroupPlan {
  const { matcher, historyEnd, structure } = context
  const { display } = structure
  const { adGroupId, defaultBidMicros } = adGroup
  const ads = servableAds(context, around, display.ads.get(adGroupId) ?? [])
  const listings = ads.map(ad => ad.listing)
  const displayTargets = ads.length > 0 ? (display.targets.get(adGroupId) ?? []) : []
  const targets = displayTargets.map(target => ({
    id: target.targetId,
    bidMicros: target.bidMicros ?? defaultBidMicros,
    window: servingWindow(target, historyEnd),
    queries: matcher.byExpression(target.expression.flatMap(contextualExpression), listings),
  }))
  const blockedFrom = createNegativeFilter([], display.negativeTargets.get(adGroupId) ?? [])
  return { adGroupId, ads, targets, blockedFrom }
}

const contextualTypes: Record<string, string> = {
  asinSameAs: 'ASIN_SAME_AS',
  asinCategorySameAs: 'ASIN_CATEGORY_SAME_AS',
  similarProduct: 'ASIN_SUBSTITUTE_RELATED',
}

/**
 * The pages on which a display target's ads appear, as Sponsored Products expressions. An audience that names a
 * category is found on its pages; any other is found where people look at complementary and similar products.
 */
function contextualExpression({ type, value }: DisplayExpression): Expression[] {
  const contextual = contextualTypes[type]
  if (contextual) return [{ type: contextual, ...(typeof value === 'string' && { value }) }]
  const parts = (Array.isArray(value) ? value : []).flatMap(part => {
    const partType = contextualTypes[part.type]
    return partType ? [{ ...part, type: partType }] : []
  })
  return parts.length > 0 ? parts : [{ type: 'ASIN_ACCESSORY_RELATED' }, { type: 'ASIN_SUBSTITUTE_RELATED' }]
}
