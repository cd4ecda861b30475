import { z } from 'zod'
import { integerId } from '#server/http-client/lossless.ts'
import type * as rules from '#shared/campaign-rules.ts'
import { type Micros, fromMicros, toMicros } from '#shared/money.ts'

// How values are read and written. Enumerations are read as text, since the marketplace adds members without notice; each has
// a fallback.

export type EntityState = 'ENABLED' | 'PAUSED' | 'ARCHIVED'
/** ARCHIVED is set by a call of its own. */
type WritableState = Exclude<EntityState, 'ARCHIVED'>
export type BiddingStrategy = rules.BiddingStrategy<'SPONSORED_PRODUCTS'>
export type Placement = rules.Placement<'SPONSORED_PRODUCTS'>
export type MatchType = 'EXACT' | 'PHRASE' | 'BROAD'
type NegativeMatchType = 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE' | 'NEGATIVE_BROAD'

/** Always sent whole: no document says whether the marketplace keeps a part that an update leaves out. */
export interface Bidding {
  /** OTHER is read only: a strategy that this product does not know. */
  strategy: BiddingStrategy | 'OTHER'
  /** 0 to 900 percent on top of the bid. */
  placements: { placement: Placement; percentage: number }[]
  /** Audiences that are bid on higher; kept whole so that an update does not lose what a person set in the console. */
  audiences: { percentage: number; audiences: { audienceId: string; type: string | null }[] }[]
}

/** One condition of a target, for instance ASIN_SAME_AS B0…; the four automatic groups are named as in the console. */
export interface Predicate {
  type: string
  value: string | null
}
/** A condition, or a named audience with conditions of its own inside: views of similarProduct within lookback 30. */
export interface DisplayPredicate {
  type: string
  value: string | DisplayPredicate[] | null
}

export const orNull = <S extends z.ZodType>(schema: S) => schema.nullish().transform(value => value ?? null)

export const listOf = <S extends z.ZodType>(row: S) =>
  z
    .array(row)
    .nullish()
    .transform(list => list ?? [])

// Object.entries forgets which strings the keys are.
const invert = <A extends string>(table: Record<A, string>): Record<string, A> =>
  Object.fromEntries(Object.entries(table).map(([a, b]) => [b, a])) as Record<string, A>

/** One of our words, whatever the letters' case; another word or none counts as the first. */
export const oneOf = <const W extends readonly [string, ...string[]]>(...words: W) =>
  z
    .string()
    .nullish()
    .transform((text): W[number] => words.find(word => word === text?.toUpperCase()) ?? words[0])

// A state that we do not know does not run as far as we can tell, so it is shown as paused.
const states: Record<string, EntityState> = {
  ENABLED: 'ENABLED',
  ENABLING: 'ENABLED',
  ARCHIVED: 'ARCHIVED',
  USER_DELETED: 'ARCHIVED',
}
const anyState = z.string().transform((state): EntityState => states[state.toUpperCase()] ?? 'PAUSED')
export const state = { from: anyState, to: (value: WritableState) => value }
/** In the older calls, where a change archives too. */
export const olderState = { from: anyState, to: (value: EntityState) => value.toLowerCase() }

/** Some calls write an id as an integer. */
export const entityId = z.union([z.string(), z.number()]).transform(String)
export const id = { from: entityId }
export const maybeId = { from: orNull(entityId) }
/** An empty id takes a campaign out of its portfolio; null would leave it there. */
export const portfolioId = { ...maybeId, to: (id: string | null) => id ?? '' }
/** In the older calls, which demand an integer. */
export const integer = { from: entityId, to: integerId }
export const maybeInteger = { from: orNull(entityId), to: (id: string | null) => (id === null ? null : integerId(id)) }
export const text = { from: z.string() }
export const maybeText = { from: orNull(z.string()) }
export const moment = z
  .union([z.string(), z.number()])
  .nullish()
  .transform(at => (at ? new Date(at) : null))
/** The marketplace's own word on why something does or does not run, and dates; null unless asked for. */
export const observed = {
  servingStatus: { wire: 'extendedData.servingStatus', ...maybeText },
  // ISO in newer answers, epoch milliseconds in older ones.
  createdAt: { wire: ['extendedData.creationDateTime', 'extendedData.creationDate'], from: moment },
  updatedAt: { wire: ['extendedData.lastUpdateDateTime', 'extendedData.lastUpdateDate'], from: moment },
} as const
export const olderObserved = {
  servingStatus: maybeText,
  createdAt: { wire: 'creationDate', from: moment },
  updatedAt: { wire: 'lastUpdatedDate', from: moment },
} as const

export const tags = {
  from: z
    .record(z.string(), z.string())
    .nullish()
    .transform(map => map ?? {}),
}
/** A flag that also comes as text. */
export const flag = z.union([z.boolean(), z.string().transform(word => word === 'true')]).nullish()
/** CPC pays clicks, VCPM a thousand viewable impressions. */
export const costType = { from: oneOf('CPC', 'VCPM') }
/** What Sponsored Display aims at: T00020 at products and categories, T00030 at audiences. */
export const tactic = {
  from: z.string().transform((code): 'PRODUCTS' | 'AUDIENCES' => (code === 'T00030' ? 'AUDIENCES' : 'PRODUCTS')),
}
/** What bids of Sponsored Display are to bring; REACH is paid by view. */
export const bidOptimization = {
  from: oneOf('CLICKS', 'REACH', 'CONVERSIONS'),
  to: (value: 'CLICKS' | 'REACH' | 'CONVERSIONS') => value.toLowerCase(),
}
export const landingPage = {
  from: z
    .object({ pageType: z.string().nullish(), url: z.string().nullish() })
    .nullish()
    .transform(page => ({ type: page?.pageType ?? null, url: page?.url ?? null })),
}

export const amount = {
  from: z.number().transform(value => toMicros(value)),
  to: (micros: Micros) => fromMicros(micros),
}
/** Null: the ad group's default bid holds. */
export const bid = { wire: 'bid', from: orNull(amount.from), to: amount.to }
export const dailyBudget = {
  wire: 'budget',
  from: z.object({ budget: amount.from }).transform(({ budget }) => budget),
  to: (micros: Micros) => ({ budget: fromMicros(micros), budgetType: 'DAILY' }),
}

/** The budget of Sponsored Brands where it is of this type, else null. */
export const budgetOf = (budgetType: 'DAILY' | 'LIFETIME') => ({
  wire: 'budget',
  isWhole: true,
  from: z
    .object({ budget: amount.from, budgetType: oneOf('DAILY', 'LIFETIME') })
    .transform(wire => (wire.budgetType === budgetType ? wire.budget : null)),
  to: (micros: Micros) => fromMicros(micros),
})

// 20260310 is 2026-03-10; a day with dashes stays as it is.
const dashedDay = z.string().transform(day => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
export const compactDay = { from: dashedDay }
export const maybeCompactDay = {
  from: orNull(dashedDay),
  to: (day: string | null) => day?.replaceAll('-', '') ?? null,
}

// Match types come in capitals from some calls, in small letters from others, and as negativeExact from the older ones.
export const matchType = { from: oneOf('BROAD', 'EXACT', 'PHRASE'), to: (type: MatchType) => type }
/** In the older calls. */
export const olderMatchType = { from: matchType.from, to: (type: MatchType) => type.toLowerCase() }
const negativeMatchTypes: Record<string, NegativeMatchType> = {
  NEGATIVEEXACT: 'NEGATIVE_EXACT',
  NEGATIVEPHRASE: 'NEGATIVE_PHRASE',
}
export const negativeMatchType = {
  from: z
    .string()
    .transform(
      (type): NegativeMatchType => negativeMatchTypes[type.replaceAll('_', '').toUpperCase()] ?? 'NEGATIVE_BROAD',
    ),
  to: (type: Exclude<NegativeMatchType, 'NEGATIVE_BROAD'>) => type,
}
/** In the older calls. */
export const olderNegativeMatchType = {
  from: negativeMatchType.from,
  to: (type: Exclude<NegativeMatchType, 'NEGATIVE_BROAD'>) =>
    type === 'NEGATIVE_EXACT' ? 'negativeExact' : 'negativePhrase',
}

const vendorAutoGroups = {
  CLOSE_MATCH: 'QUERY_HIGH_REL_MATCHES',
  LOOSE_MATCH: 'QUERY_BROAD_REL_MATCHES',
  SUBSTITUTES: 'ASIN_SUBSTITUTE_RELATED',
  COMPLEMENTS: 'ASIN_ACCESSORY_RELATED',
}
export type AutoGroup = keyof typeof vendorAutoGroups
const autoGroups = invert(vendorAutoGroups)
/** `asinSameAs` is ASIN_SAME_AS elsewhere. */
const upper = (type: string): string => (/[a-z]/.test(type) ? type.replace(/[A-Z]/g, '_$&').toUpperCase() : type)
export const predicates = {
  from: listOf(
    z
      .object({ type: z.string(), value: orNull(entityId) })
      .transform(({ type, value }): Predicate => ({ type: autoGroups[type] ?? upper(type), value })),
  ),
  to: (expression: readonly Predicate[]) =>
    expression.map(({ type, value }) => ({
      type: (vendorAutoGroups as Record<string, string>)[type] ?? type,
      ...(value !== null && { value }),
    })),
}
/** In the older calls: ASIN_SAME_AS is `asinSameAs` there. */
export const olderPredicates = {
  from: predicates.from,
  to: (expression: readonly Predicate[]) =>
    expression.map(({ type, value }) => ({
      type: type.toLowerCase().replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      ...(value !== null && { value }),
    })),
}
// Conditions nest once in what is documented; read to any depth.
const displayPredicate: z.ZodType<DisplayPredicate> = z.lazy(() =>
  z
    .object({ type: z.string(), value: orNull(z.union([entityId, z.array(displayPredicate)])) })
    .transform(({ type, value }) => ({ type: upper(type), value })),
)
export const displayPredicates = { from: listOf(displayPredicate) }

const placementPercentages = listOf(z.object({ placement: z.string(), percentage: z.number() }))
// Whatever the ad type has must have a word here.
const vendorStrategies: Record<BiddingStrategy, string> = {
  SALES_DOWN_ONLY: 'LEGACY_FOR_SALES',
  SALES_UP_AND_DOWN: 'AUTO_FOR_SALES',
  MANUAL: 'MANUAL',
  RULE_BASED: 'RULE_BASED',
}
const vendorPlacements: Record<Placement, string> = {
  TOP_OF_SEARCH: 'PLACEMENT_TOP',
  PRODUCT_PAGE: 'PLACEMENT_PRODUCT_PAGE',
  REST_OF_SEARCH: 'PLACEMENT_REST_OF_SEARCH',
  SITE_AMAZON_BUSINESS: 'SITE_AMAZON_BUSINESS',
}
const [strategies, placements] = [invert(vendorStrategies), invert(vendorPlacements)]

const audience = z
  .object({ audienceId: z.string(), audienceSegmentType: orNull(z.string()) })
  .transform(({ audienceId, audienceSegmentType: type }) => ({ audienceId, type }))
const dynamicBidding = z.object({
  strategy: z.string().nullish(),
  placementBidding: placementPercentages,
  shopperCohortBidding: listOf(
    z
      .object({ percentage: z.number().nullish(), audienceSegments: listOf(audience) })
      .transform(({ percentage, audienceSegments }) => ({ percentage: percentage ?? 0, audiences: audienceSegments })),
  ),
})

export const bidding = {
  wire: 'dynamicBidding',
  from: dynamicBidding.nullish().transform(
    (wire): Bidding => ({
      // Without a strategy the marketplace bids down only, which is its default.
      strategy: wire?.strategy ? (strategies[wire.strategy] ?? 'OTHER') : 'SALES_DOWN_ONLY',
      placements: (wire?.placementBidding ?? []).flatMap(({ placement, percentage }) => {
        const ours = placements[placement]
        return ours ? [{ placement: ours, percentage }] : []
      }),
      audiences: wire?.shopperCohortBidding ?? [],
    }),
  ),
  /** Throws RangeError for a strategy that is only readable. */
  to: ({ strategy, placements: raised, audiences }: Bidding) => {
    if (strategy === 'OTHER') throw new RangeError('a bidding strategy that is not known cannot be sent')
    const shopperCohortBidding = audiences.map(cohort => ({
      shopperCohortType: 'AUDIENCE_SEGMENT',
      percentage: cohort.percentage,
      audienceSegments: cohort.audiences.map(({ audienceId, type }) => ({
        audienceId,
        ...(type && { audienceSegmentType: type }),
      })),
    }))
    return {
      strategy: vendorStrategies[strategy],
      placementBidding: raised.map(({ placement, percentage }) => ({
        placement: vendorPlacements[placement],
        percentage,
      })),
      ...(shopperCohortBidding.length > 0 && { shopperCohortBidding }),
    }
  },
}

const vendorBrandPlacements: Record<rules.Placement<'SPONSORED_BRANDS'>, string> = {
  TOP_OF_SEARCH: 'TOP_OF_SEARCH',
  PRODUCT_PAGE: 'DETAIL_PAGE',
  HOME_PAGE: 'HOME',
  OTHER_PLACEMENTS: 'OTHER',
}
const brandPlacements = invert(vendorBrandPlacements)
/** What the marketplace bids for below top of search when it bids by itself. */
const vendorOptimizations: Record<Exclude<rules.BiddingStrategy<'SPONSORED_BRANDS'>, 'MANUAL'>, string> = {
  AUTOMATIC_SALES: 'MAXIMIZE_IMMEDIATE_SALES',
  AUTOMATIC_NEW_TO_BRAND: 'MAXIMIZE_NEW_TO_BRAND_CUSTOMERS',
}
const optimizations = invert(vendorOptimizations)

/** The bidding of Sponsored Brands: by the marketplace itself, or by hand with adjustments of placements, never both. */
export interface BrandBidding {
  strategy: rules.BiddingStrategy<'SPONSORED_BRANDS'>
  /** -99 to 900 percent; of MANUAL bidding only. */
  placements: { placement: rules.Placement<'SPONSORED_BRANDS'>; percentage: number }[]
}
const brandBiddingWire = z.object({
  bidOptimization: flag,
  bidOptimizationStrategy: z.string().nullish(),
  bidAdjustmentsByPlacement: placementPercentages,
})
export const brandBidding = {
  wire: 'bidding',
  from: brandBiddingWire.nullish().transform((wire): BrandBidding => {
    const isManual = wire?.bidOptimization === false
    const optimization = optimizations[wire?.bidOptimizationStrategy ?? ''] ?? 'AUTOMATIC_SALES'
    const adjusted = (wire?.bidAdjustmentsByPlacement ?? []).flatMap(({ placement, percentage }) => {
      const ours = brandPlacements[placement]
      return ours ? [{ placement: ours, percentage }] : []
    })
    return { strategy: isManual ? 'MANUAL' : optimization, placements: isManual ? adjusted : [] }
  }),
  to: ({ strategy, placements: adjusted }: BrandBidding) =>
    strategy === 'MANUAL'
      ? {
          bidOptimization: false,
          bidAdjustmentsByPlacement: adjusted.map(({ placement, percentage }) => ({
            placement: vendorBrandPlacements[placement],
            percentage,
          })),
        }
      : { bidOptimization: true, bidOptimizationStrategy: vendorOptimizations[strategy] },
}
