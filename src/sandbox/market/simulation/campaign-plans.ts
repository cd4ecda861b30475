import { addDays, startOfDayIn } from '#shared/time.ts'
import { type EntityOf, entitiesOf, type Role } from '../../core/model/ad-products.ts'
import type { DisplayExpression } from '../../core/model/display.ts'
import type { Campaign, Expression } from '../../core/model/store.ts'
import { hourIndexOf } from '../local-hours.ts'
import { type AdProduct, adProducts } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import type { Query } from '../queries/queries.ts'
import type { QueryMatcher } from '../queries/query-matcher.ts'
import { type SlotsOf, slotsByProduct } from './auction.ts'
import { type CampaignRules, createRules, noRules, type RulesContext } from './rules.ts'
import { intersect, type ServingWindow, servingWindow, type Serving } from './serving-windows.ts'
import { type MatchType, matchWords } from '../queries/matching.ts'
import { getOrMake } from '../get-or-make.ts'

/** The hour from which negatives block a query; Infinity when none does. */
type BlockedFrom = (query: Query) => number

interface NegativeKeyword extends Serving {
  keywordText: string
  matchType: MatchType
}
interface NegativeTarget extends Serving {
  expression: readonly { type: string; value?: unknown }[]
}

/** The earliest hour for each key. A lookup per query then replaces a walk through thousands of negatives. */
function earliest(entries: readonly (readonly [key: string, from: number])[]): Map<string, number> {
  const byKey = new Map<string, number>()
  for (const [key, from] of entries) byKey.set(key, Math.min(from, byKey.get(key) ?? from))
  return byKey
}

const enabled = <T extends Serving>(negatives: readonly T[]): T[] =>
  negatives.filter(negative => negative.state === 'ENABLED')

function blockedPages(negatives: readonly NegativeTarget[]): Map<string, number> {
  return earliest(
    enabled(negatives).flatMap(({ expression, createdAt }) =>
      expression
        .filter(({ type, value }) => /^asin_?same_?as$/i.test(type) && typeof value === 'string')
        .map(({ value }) => [(value as string).toLowerCase(), hourIndexOf(createdAt)] as const),
    ),
  )
}

/** The words of a query as negatives match them: all together, and every run of consecutive words. */
interface Phrases {
  whole: string
  runs: readonly string[]
}
const phrasesByQuery = new WeakMap<Query, Phrases>()
function phrasesOf({ words }: Query): Phrases {
  const runs = words.flatMap((_, start) =>
    words.slice(start).map((__, i) => words.slice(start, start + i + 1).join(' ')),
  )
  return { whole: words.join(' '), runs }
}

/** Which queries and pages the negatives of a campaign and its ad group block, however many negatives there are. */
function createNegativeFilter(
  negativeKeywords: readonly NegativeKeyword[],
  negativeTargets: readonly NegativeTarget[],
): BlockedFrom {
  const keywords = enabled(negativeKeywords).map(({ matchType, keywordText, createdAt }) => ({
    matchType,
    phrase: matchWords(keywordText).join(' '),
    from: hourIndexOf(createdAt),
  }))
  const ofType = (matchType: MatchType): Map<string, number> =>
    earliest(keywords.filter(one => one.matchType === matchType).map(one => [one.phrase, one.from] as const))
  const [exact, phrase, page] = [ofType('NEGATIVE_EXACT'), ofType('NEGATIVE_PHRASE'), blockedPages(negativeTargets)]
  phrase.delete('')
  return query => {
    if (query.kind === 'page') return page.get(query.text) ?? Number.POSITIVE_INFINITY
    if (keywords.length === 0) return Number.POSITIVE_INFINITY
    const { whole, runs } = getOrMake(phrasesByQuery, query, phrasesOf)
    let from = exact.get(whole) ?? Number.POSITIVE_INFINITY
    for (const run of runs) from = Math.min(from, phrase.get(run) ?? Number.POSITIVE_INFINITY)
    return from
  }
}

interface TargetPlan {
  id: string
  bidMicros: number
  window: ServingWindow
  queries: readonly Query[]
  /** See `Match`. */
  closeness: number
}

interface AdGroupPlan {
  adGroupId: string
  ads: readonly { adId: string; listing: Listing; window: ServingWindow }[]
  targets: readonly TargetPlan[]
  blockedFrom: BlockedFrom
}

/** A campaign of any ad product, in one shape for the simulation. */
export interface CampaignPlan {
  campaignId: string
  adProduct: AdProduct
  budgetMicros: number
  /** The budget is for the campaign's whole life instead of a day. */
  lifetimeBudget: boolean
  rules: CampaignRules
  /** From the hour of its creation until it stops serving, whatever its dates. */
  life: ServingWindow
  dates: ServingWindow
  /** Its ad groups. Expensive, so ask only for campaigns that serve. */
  adGroups(): readonly AdGroupPlan[]
  slotsOf: SlotsOf
}

export interface PlanContext extends RulesContext {
  matcher: QueryMatcher
  historyEnd: number
  /** The listing of an ad in the profile's marketplace; null when the seller does not sell it. */
  listingOf: (asin: string, sku: string | null) => Listing | null
}

const midnights = new Map<string, number>()
/** The hour in which a local day starts. Cached: a large account has few days and many campaigns. */
function firstHourOf(day: string, timezone: string): number {
  const key = `${timezone}|${day}`
  let hour = midnights.get(key)
  if (hour === undefined) {
    hour = hourIndexOf(startOfDayIn(day, timezone).getTime())
    if (midnights.size > 10_000) midnights.clear()
    midnights.set(key, hour)
  }
  return hour
}

/** From the start of a campaign's first day to the end of its last, in the profile's time zone. */
function datesOf({ startDate, endDate }: EntityOf<'campaigns'>, timezone: string): ServingWindow {
  return {
    from: firstHourOf(startDate, timezone),
    to: endDate ? firstHourOf(addDays(endDate, 1), timezone) : Number.POSITIVE_INFINITY,
  }
}

export function campaignPlans(context: PlanContext): CampaignPlan[] {
  const { store, profile, historyEnd } = context
  const rulesOf = createRules(context)
  return adProducts.flatMap(adProduct => {
    const entities = <R extends Role>(role: R): EntityOf<R>[] => entitiesOf(store, adProduct, role, profile.profileId)
    const adGroups = Map.groupBy(entities('adGroups'), adGroup => adGroup.campaignId)
    const planOf = adGroupPlanner(context, adProduct, entities)
    return entities('campaigns').map(campaign => {
      const { campaignId, budgetMicros } = campaign
      const life = servingWindow(campaign, historyEnd)
      const rules = adProduct === 'SPONSORED_PRODUCTS' ? rulesOf(campaign as Campaign) : noRules
      const aimed = rules.roas === null ? campaign : { ...campaign, roas: rules.roas }
      return {
        campaignId,
        adProduct,
        budgetMicros,
        lifetimeBudget: campaign.budgetType === 'LIFETIME',
        rules,
        life,
        dates: datesOf(campaign, profile.timezone),
        adGroups: () =>
          (adGroups.get(campaignId) ?? []).map(adGroup =>
            planOf(adGroup, intersect(life, servingWindow(adGroup, historyEnd))),
          ),
        slotsOf: (match, bidMicros, conditions) =>
          slotsByProduct[adProduct](match, bidMicros * rules.bidFactor, aimed, conditions),
      }
    })
  })
}

/** The marketplace prefers ads that were meant for the very words that somebody typed. */
const closenessOf: Partial<Record<string, number>> = { EXACT: 1.08, BROAD: 0.93 }

/** Hours until a brand creative has passed its review. */
const REVIEW_HOURS = 1

/** Plans the ad groups of an ad product, each within its campaign's window. */
function adGroupPlanner(
  { matcher, historyEnd, listingOf }: PlanContext,
  adProduct: AdProduct,
  entities: <R extends Role>(role: R) => EntityOf<R>[],
): (adGroup: EntityOf<'adGroups'>, around: ServingWindow) => AdGroupPlan {
  /** The entities of an ad group; negatives can be those of a campaign. */
  const byParent = <R extends Exclude<Role, 'campaigns'>>(role: R): ((parentId: string) => EntityOf<R>[]) => {
    const groups = Map.groupBy(entities(role), one => (one as { adGroupId: string | null }).adGroupId ?? one.campaignId)
    return parentId => groups.get(parentId) ?? []
  }
  const [adsOf, keywordsOf, targetsOf] = [byParent('ads'), byParent('keywords'), byParent('targets')]
  const [negativeKeywordsOf, negativeTargetsOf] = [byParent('negativeKeywords'), byParent('negativeTargets')]
  const reviewHours = adProduct === 'SPONSORED_BRANDS' ? REVIEW_HOURS : 0

  return ({ adGroupId, campaignId, defaultBidMicros = 0 }, around) => {
    const ads = adsOf(adGroupId).flatMap(ad => {
      const { from, to } = intersect(around, servingWindow(ad, historyEnd))
      const window = { from: from + reviewHours, to }
      return (ad.asins ?? [ad.asin ?? '']).flatMap(asin => {
        const listing = listingOf(asin, ad.sku ?? null)
        // Only ads of listings that are eligible for advertising can serve.
        if (!listing || listing.product.eligibility === 'INELIGIBLE' || window.from >= window.to) return []
        return [{ adId: ad.adId, listing, window }]
      })
    })
    const parents = [campaignId, adGroupId]
    const blockedFrom = createNegativeFilter(parents.flatMap(negativeKeywordsOf), parents.flatMap(negativeTargetsOf))
    if (ads.length === 0) return { adGroupId, ads, targets: [], blockedFrom }
    const listings = ads.map(ad => ad.listing)
    const keywords = keywordsOf(adGroupId).map(keyword => ({
      id: keyword.keywordId,
      bidMicros: keyword.bidMicros ?? defaultBidMicros,
      window: servingWindow(keyword, historyEnd),
      queries: matcher.byKeyword(keyword.keywordText, keyword.matchType),
      closeness: closenessOf[keyword.matchType] ?? 1,
    }))
    const targets = targetsOf(adGroupId).map(target => ({
      id: target.targetId,
      bidMicros: target.bidMicros ?? defaultBidMicros,
      window: servingWindow(target, historyEnd),
      queries: matcher.byExpression(
        adProduct === 'SPONSORED_DISPLAY'
          ? (target.expression as DisplayExpression[]).flatMap(contextualExpression)
          : (target.expression as Expression[]),
        listings,
      ),
      closeness: 1,
    }))
    return { adGroupId, ads, targets: [...keywords, ...targets], blockedFrom }
  }
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
