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

const observed = (data: ExtendedData) => ({
  servingStatus: data?.servingStatus ?? null,
  createdAt: dateOf(data?.creationDateTime, data?.creationDate),
  updatedAt: dateOf(data?.lastUpdateDateTime, data?.lastUpdateDate),
})

const predicatesOf = (wire: { type: string; value?: string | null | undefined }[] | null | undefined): Predicate[] =>
  (wire ?? []).map(({ type, value }) => ({ type: autoGroups[type] ?? type, value: value ?? null }))

/** Our predicates in the marketplace's words. */
export const toPredicates = (expression: readonly Predicate[]) =>
  expression.map(({ type, value }) => ({ type: vendorAutoGroups[type] ?? type, ...(value !== null && { value }) }))

const biddingOf = (wire: Wire<typeof campaignWire>['dynamicBidding']): Bidding => ({
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
})

/** The whole `dynamicBidding`. Throws RangeError for a strategy that is only readable. */
export const toDynamicBidding = (bidding: Bidding) => {
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

export const fromCampaign = (wire: Wire<typeof campaignWire>): Campaign => ({
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
})

const budgetOf = (micros: Micros) => ({ budget: fromMicros(micros), budgetType: 'DAILY' })

export const toNewCampaign = ({ dailyBudgetMicros, bidding, ...rest }: NewCampaign) => ({
  ...rest,
  budget: budgetOf(dailyBudgetMicros),
  dynamicBidding: toDynamicBidding(bidding),
})

export const toCampaignChange = ({ dailyBudgetMicros, bidding, ...rest }: CampaignChange) => ({
  ...rest,
  ...(dailyBudgetMicros !== undefined && { budget: budgetOf(dailyBudgetMicros) }),
  ...(bidding && { dynamicBidding: toDynamicBidding(bidding) }),
})

export const fromAdGroup = (wire: Wire<typeof adGroupWire>): AdGroup => ({
  adGroupId: wire.adGroupId,
  campaignId: wire.campaignId,
  name: wire.name,
  state: stateOf(wire.state),
  defaultBidMicros: toMicros(wire.defaultBid),
  ...observed(wire.extendedData),
})

export const toNewAdGroup = ({ defaultBidMicros, ...rest }: NewAdGroup) => ({
  ...rest,
  defaultBid: fromMicros(defaultBidMicros),
})

export const toAdGroupChange = ({ defaultBidMicros, ...rest }: AdGroupChange) => ({
  ...rest,
  ...(defaultBidMicros !== undefined && { defaultBid: fromMicros(defaultBidMicros) }),
})

export const fromProductAd = (wire: Wire<typeof productAdWire>): ProductAd => ({
  adId: wire.adId,
  adGroupId: wire.adGroupId,
  campaignId: wire.campaignId,
  asin: wire.asin ?? null,
  sku: wire.sku ?? null,
  state: stateOf(wire.state),
  ...observed(wire.extendedData),
})

export const toNewProductAd = (ad: NewProductAd) => ({ ...ad })

const bidOf = (bid: number | null | undefined): number | null =>
  bid === null || bid === undefined ? null : toMicros(bid)
const withBid = <T extends { bidMicros?: Micros | undefined }>({ bidMicros, ...rest }: T) => ({
  ...rest,
  ...(bidMicros !== undefined && { bid: fromMicros(bidMicros) }),
})

// Match types come in capitals from this API and in small letters from neighbouring ones.
const matchTypeOf = (wire: string): MatchType => {
  const name = wire.toUpperCase()
  return name === 'EXACT' || name === 'PHRASE' ? name : 'BROAD'
}
const negativeMatchTypeOf = (wire: string): NegativeMatchType => {
  const name = wire.toUpperCase()
  return name === 'NEGATIVE_EXACT' || name === 'NEGATIVE_PHRASE' ? name : 'NEGATIVE_BROAD'
}

export const fromKeyword = (wire: Wire<typeof keywordWire>): Keyword => ({
  keywordId: wire.keywordId,
  adGroupId: wire.adGroupId,
  campaignId: wire.campaignId,
  text: wire.keywordText,
  matchType: matchTypeOf(wire.matchType),
  state: stateOf(wire.state),
  bidMicros: bidOf(wire.bid),
  ...observed(wire.extendedData),
})

export const toNewKeyword = ({ text, ...rest }: NewKeyword) => ({ ...withBid(rest), keywordText: text })
export const toKeywordChange = (change: KeywordChange) => withBid(change)

export const fromNegativeKeyword = (wire: Wire<typeof negativeKeywordWire>): NegativeKeyword => ({
  keywordId: wire.keywordId,
  adGroupId: wire.adGroupId ?? null,
  campaignId: wire.campaignId,
  text: wire.keywordText,
  matchType: negativeMatchTypeOf(wire.matchType),
  state: stateOf(wire.state),
  ...observed(wire.extendedData),
})

export const toNewNegativeKeyword = <T extends { text: string }>({ text, ...rest }: T) => ({
  ...rest,
  keywordText: text,
})

export const fromTarget = (wire: Wire<typeof targetWire>): Target => ({
  targetId: wire.targetId,
  adGroupId: wire.adGroupId,
  campaignId: wire.campaignId,
  expressionType: wire.expressionType === 'AUTO' ? 'AUTO' : 'MANUAL',
  expression: predicatesOf(wire.expression),
  resolvedExpression: predicatesOf(wire.resolvedExpression),
  state: stateOf(wire.state),
  bidMicros: bidOf(wire.bid),
  ...observed(wire.extendedData),
})

export const toNewTarget = ({ expression, ...rest }: NewTarget) => ({
  ...withBid(rest),
  expression: toPredicates(expression),
  expressionType: 'MANUAL',
})
export const toTargetChange = (change: TargetChange) => withBid(change)

export const fromNegativeTarget = (wire: Wire<typeof negativeTargetWire>): NegativeTarget => ({
  targetId: wire.targetId,
  adGroupId: wire.adGroupId ?? null,
  campaignId: wire.campaignId,
  expression: predicatesOf(wire.expression),
  resolvedExpression: predicatesOf(wire.resolvedExpression),
  state: stateOf(wire.state),
  ...observed(wire.extendedData),
})

export const toNewNegativeTarget = <T extends { expression: Predicate[] }>({ expression, ...rest }: T) => ({
  ...rest,
  expression: toPredicates(expression),
})
