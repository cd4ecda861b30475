import type { z } from 'zod'
import { type Micros, fromMicros, toMicros } from '#shared/money.ts'
import type {
  AdGroup,
  AdGroupChange,
  Bidding,
  BiddingStrategy,
  Campaign,
  CampaignChange,
  EntityState,
  Keyword,
  KeywordChange,
  MatchType,
  NegativeKeyword,
  NegativeMatchType,
  NegativeTarget,
  NewAdGroup,
  NewCampaign,
  NewKeyword,
  NewProductAd,
  NewTarget,
  Placement,
  Predicate,
  ProductAd,
  Target,
  TargetChange,
} from './entities.ts'
import type {
  adGroupWire,
  campaignWire,
  ExtendedData,
  keywordWire,
  negativeKeywordWire,
  negativeTargetWire,
  productAdWire,
  targetWire,
} from './wire.ts'

type Wire<S extends z.ZodType> = z.output<S>

// Object.entries forgets which strings the keys are.
const invert = <A extends string>(table: Record<A, string>): Record<string, A> =>
  Object.fromEntries(Object.entries(table).map(([a, b]) => [b, a])) as Record<string, A>

// Whatever the ad type has must have a word here.
const vendorStrategies: Record<BiddingStrategy, string> = {
  SALES_DOWN_ONLY: 'LEGACY_FOR_SALES',
  SALES_UP_AND_DOWN: 'AUTO_FOR_SALES',
  MANUAL: 'MANUAL',
  RULE_BASED: 'RULE_BASED',
}
const strategies = invert(vendorStrategies)

const vendorPlacements: Record<Placement, string> = {
  TOP_OF_SEARCH: 'PLACEMENT_TOP',
  PRODUCT_PAGE: 'PLACEMENT_PRODUCT_PAGE',
  REST_OF_SEARCH: 'PLACEMENT_REST_OF_SEARCH',
  SITE_AMAZON_BUSINESS: 'SITE_AMAZON_BUSINESS',
}
const placements = invert(vendorPlacements)

const autoGroups: Record<string, string> = {
  QUERY_HIGH_REL_MATCHES: 'CLOSE_MATCH',
  QUERY_BROAD_REL_MATCHES: 'LOOSE_MATCH',
  ASIN_SUBSTITUTE_RELATED: 'SUBSTITUTES',
  ASIN_ACCESSORY_RELATED: 'COMPLEMENTS',
}
const vendorAutoGroups = invert(autoGroups)

// A state we do not know does not run as far as we can tell, so it is shown as paused.
const states: Record<string, EntityState> = {
  ENABLED: 'ENABLED',
  ENABLING: 'ENABLED',
  PAUSED: 'PAUSED',
  PROPOSED: 'PAUSED',
  ARCHIVED: 'ARCHIVED',
  USER_DELETED: 'ARCHIVED',
}
const stateOf = (wire: string): EntityState => states[wire.toUpperCase()] ?? 'PAUSED'

const dateOf = (iso: string | null | undefined, epoch: number | null | undefined): Date | null =>
  iso ? new Date(iso) : epoch ? new Date(epoch) : null

function observed(data: ExtendedData) {
  return {
    servingStatus: data?.servingStatus ?? null,
    createdAt: dateOf(data?.creationDateTime, data?.creationDate),
    updatedAt: dateOf(data?.lastUpdateDateTime, data?.lastUpdateDate),
  }
}

const predicatesOf = (wire: { type: string; value?: string | null | undefined }[] | null | undefined): Predicate[] =>
  (wire ?? []).map(({ type, value }) => ({ type: autoGroups[type] ?? type, value: value ?? null }))

/** Our predicates in the marketplace's words. */
export const toPredicates = (expression: readonly Predicate[]) =>
  expression.map(({ type, value }) => ({ type: vendorAutoGroups[type] ?? type, ...(value !== null && { value }) }))

function biddingOf(wire: Wire<typeof campaignWire>['dynamicBidding']): Bidding {
  return {
    // Without a strategy the marketplace bids down only, which is its default.
    strategy: wire?.strategy ? (strategies[wire.strategy] ?? 'OTHER') : 'SALES_DOWN_ONLY',
    placements: (wire?.placementBidding ?? []).flatMap(({ placement, percentage }) => {
      const mapped = placements[placement]
      return mapped ? [{ placement: mapped, percentage }] : []
    }),
    audiences: (wire?.shopperCohortBidding ?? []).map(cohort => ({
      percentage: cohort.percentage ?? 0,
      audiences: (cohort.audienceSegments ?? []).map(a => ({
        audienceId: a.audienceId,
        type: a.audienceSegmentType ?? null,
      })),
    })),
  }
}

/** The whole `dynamicBidding`. Throws RangeError for a strategy that is only readable. */
export function toDynamicBidding(bidding: Bidding) {
  if (bidding.strategy === 'OTHER') throw new RangeError('a bidding strategy that is not known cannot be sent')
  return {
    strategy: vendorStrategies[bidding.strategy],
    placementBidding: bidding.placements.map(p => ({
      placement: vendorPlacements[p.placement],
      percentage: p.percentage,
    })),
    ...(bidding.audiences.length > 0 && {
      shopperCohortBidding: bidding.audiences.map(cohort => ({
        shopperCohortType: 'AUDIENCE_SEGMENT',
        percentage: cohort.percentage,
        audienceSegments: cohort.audiences.map(a => ({
          audienceId: a.audienceId,
          ...(a.type && { audienceSegmentType: a.type }),
        })),
      })),
    }),
  }
}

export function fromCampaign(wire: Wire<typeof campaignWire>): Campaign {
  return {
    campaignId: wire.campaignId,
    name: wire.name,
    state: stateOf(wire.state),
    targetingType: wire.targetingType === 'AUTO' ? 'AUTO' : 'MANUAL',
    dailyBudgetMicros: toMicros(wire.budget.budget),
    bidding: biddingOf(wire.dynamicBidding),
    startDate: wire.startDate,
    endDate: wire.endDate ?? null,
    portfolioId: wire.portfolioId ?? null,
    tags: wire.tags ?? {},
    ...observed(wire.extendedData),
  }
}

const budgetOf = (micros: Micros) => ({ budget: fromMicros(micros), budgetType: 'DAILY' })

export function toNewCampaign({ dailyBudgetMicros, bidding, ...rest }: NewCampaign) {
  return {
    ...rest,
    budget: budgetOf(dailyBudgetMicros),
    dynamicBidding: toDynamicBidding(bidding),
  }
}

export function toCampaignChange({ dailyBudgetMicros, bidding, ...rest }: CampaignChange) {
  return {
    ...rest,
    ...(dailyBudgetMicros !== undefined && { budget: budgetOf(dailyBudgetMicros) }),
    ...(bidding && { dynamicBidding: toDynamicBidding(bidding) }),
  }
}

export function fromAdGroup(wire: Wire<typeof adGroupWire>): AdGroup {
  return {
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    name: wire.name,
    state: stateOf(wire.state),
    defaultBidMicros: toMicros(wire.defaultBid),
    ...observed(wire.extendedData),
  }
}

export function toNewAdGroup({ defaultBidMicros, ...rest }: NewAdGroup) {
  return {
    ...rest,
    defaultBid: fromMicros(defaultBidMicros),
  }
}

export function toAdGroupChange({ defaultBidMicros, ...rest }: AdGroupChange) {
  return {
    ...rest,
    ...(defaultBidMicros !== undefined && { defaultBid: fromMicros(defaultBidMicros) }),
  }
}

export function fromProductAd(wire: Wire<typeof productAdWire>): ProductAd {
  return {
    adId: wire.adId,
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    asin: wire.asin ?? null,
    sku: wire.sku ?? null,
    state: stateOf(wire.state),
    ...observed(wire.extendedData),
  }
}

export const toNewProductAd = (ad: NewProductAd) => ({ ...ad })

const bidOf = (bid: number | null | undefined): number | null =>
  bid === null || bid === undefined ? null : toMicros(bid)
function withBid<T extends { bidMicros?: Micros | undefined }>({ bidMicros, ...rest }: T) {
  return {
    ...rest,
    ...(bidMicros !== undefined && { bid: fromMicros(bidMicros) }),
  }
}

// Match types come in capitals from this API and in small letters from neighbouring ones.
function matchTypeOf(wire: string): MatchType {
  const name = wire.toUpperCase()
  return name === 'EXACT' || name === 'PHRASE' ? name : 'BROAD'
}
function negativeMatchTypeOf(wire: string): NegativeMatchType {
  const name = wire.toUpperCase()
  return name === 'NEGATIVE_EXACT' || name === 'NEGATIVE_PHRASE' ? name : 'NEGATIVE_BROAD'
}

export function fromKeyword(wire: Wire<typeof keywordWire>): Keyword {
  return {
    keywordId: wire.keywordId,
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    text: wire.keywordText,
    matchType: matchTypeOf(wire.matchType),
    state: stateOf(wire.state),
    bidMicros: bidOf(wire.bid),
    ...observed(wire.extendedData),
  }
}

export const toNewKeyword = ({ text, ...rest }: NewKeyword) => ({ ...withBid(rest), keywordText: text })
export const toKeywordChange = (change: KeywordChange) => withBid(change)

export function fromNegativeKeyword(wire: Wire<typeof negativeKeywordWire>): NegativeKeyword {
  return {
    keywordId: wire.keywordId,
    adGroupId: wire.adGroupId ?? null,
    campaignId: wire.campaignId,
    text: wire.keywordText,
    matchType: negativeMatchTypeOf(wire.matchType),
    state: stateOf(wire.state),
    ...observed(wire.extendedData),
  }
}

export function toNewNegativeKeyword<T extends { text: string }>({ text, ...rest }: T) {
  return {
    ...rest,
    keywordText: text,
  }
}

export function fromTarget(wire: Wire<typeof targetWire>): Target {
  return {
    targetId: wire.targetId,
    adGroupId: wire.adGroupId,
    campaignId: wire.campaignId,
    expressionType: wire.expressionType === 'AUTO' ? 'AUTO' : 'MANUAL',
    expression: predicatesOf(wire.expression),
    resolvedExpression: predicatesOf(wire.resolvedExpression),
    state: stateOf(wire.state),
    bidMicros: bidOf(wire.bid),
    ...observed(wire.extendedData),
  }
}

export function toNewTarget({ expression, ...rest }: NewTarget) {
  return {
    ...withBid(rest),
    expression: toPredicates(expression),
    expressionType: 'MANUAL',
  }
}
export const toTargetChange = (change: TargetChange) => withBid(change)

export function fromNegativeTarget(wire: Wire<typeof negativeTargetWire>): NegativeTarget {
  return {
    targetId: wire.targetId,
    adGroupId: wire.adGroupId ?? null,
    campaignId: wire.campaignId,
    expression: predicatesOf(wire.expression),
    resolvedExpression: predicatesOf(wire.resolvedExpression),
    state: stateOf(wire.state),
    ...observed(wire.extendedData),
  }
}

export function toNewNegativeTarget<T extends { expression: Predicate[] }>({ expression, ...rest }: T) {
  return {
    ...rest,
    expression: toPredicates(expression),
  }
}
