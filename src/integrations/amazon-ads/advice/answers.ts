import { z } from 'zod'
import { type Micros, smallestUnitMicros } from '#shared/money.ts'
import type { MatchType } from '../entities/clauses.ts'
import * as as from '../entities/wire-fields.ts'

// What the marketplace advises and knows, read into our words.

const under = <S extends z.ZodType>(name: string, row: S) =>
  z
    .looseObject({})
    .transform(reply => reply[name])
    .pipe(as.listOf(row))
const maybeNumber = { from: as.orNull(z.number()) }
const isMatchType = (name: string): name is MatchType => name === 'EXACT' || name === 'PHRASE' || name === 'BROAD'

/**
 * One row a keyword and match type. The bids of this answer alone come in the currency's smallest unit (311 is 3.11
 * dollars) [the marketplace's own recorded answers]; null where it suggests none.
 */
export function keywordAdvice(currency: string) {
  const unit = smallestUnitMicros(currency)
  const from = maybeNumber.from.transform((minor): Micros | null => (minor === null ? null : Math.round(minor * unit)))
  const bid = as.schemaOf({
    fields: {
      matchType: { from: z.string().transform(type => type.toUpperCase()) },
      // The specification calls the middle `suggested`, the real answer `rangeMedian`.
      bidMicros: { wire: ['suggestedBid.rangeMedian', 'suggestedBid.suggested', 'bid'], from },
      lowMicros: { wire: 'suggestedBid.rangeStart', from },
      highMicros: { wire: 'suggestedBid.rangeEnd', from },
      rank: maybeNumber,
    },
  })
  const keyword = as.schemaOf({
    fields: {
      keyword: as.text,
      recommendationId: { wire: 'recId', ...as.maybeText },
      translation: as.maybeText,
      impressionRank: { wire: 'searchTermImpressionRank', ...maybeNumber },
      /** Percent of the impressions of this search term that went to the products. */
      impressionShare: { wire: 'searchTermImpressionShare', ...maybeNumber },
      bidInfo: { from: as.listOf(bid) },
    },
  })
  return under('keywordTargetList', keyword).transform(keywords =>
    keywords.flatMap(({ bidInfo, ...about }) =>
      bidInfo.flatMap(({ matchType, ...bids }) => (isMatchType(matchType) ? [{ ...about, matchType, ...bids }] : [])),
    ),
  )
}
export type KeywordAdvice = z.output<ReturnType<typeof keywordAdvice>>[number]

/** Categories that may not be targeted are left out. Version 3 says parent and path, 4 and 5 say parentCategoryId and categoryPath. */
export const categoryAdvice = under(
  'categories',
  as.schemaOf({
    fields: {
      categoryId: { wire: 'id', ...as.id },
      name: as.text,
      path: { wire: ['categoryPath', 'path'], ...as.maybeText },
      parentId: {
        wire: ['parentCategoryId', 'parent'],
        from: as.maybeText.from.transform(parent => (parent && parent !== '-1' ? parent : null)),
      },
      minProducts: { wire: 'asinCounts.min', ...maybeNumber },
      maxProducts: { wire: 'asinCounts.max', ...maybeNumber },
      canBeTargeted: { from: z.boolean().nullish() },
    },
  }),
).transform(categories =>
  categories.flatMap(({ canBeTargeted, ...category }) => (canBeTargeted === false ? [] : [category])),
)

interface CategoryNode {
  id: string
  /** Whether it can be targeted; absent where it is not said. */
  ta?: boolean | undefined
  ch: CategoryNode[]
}
const categoryNodes: z.ZodType<CategoryNode[]> = z.lazy(() =>
  as.listOf(z.object({ id: as.id.from, ta: z.boolean().optional(), ch: categoryNodes })),
)
const idsIn = (nodes: readonly CategoryNode[]): string[] =>
  nodes.flatMap(({ id, ta, ch }) => [...(ta === false ? [] : [id]), ...idsIn(ch)])
/** The ids of the categories that can be targeted. The tree comes as text inside the answer. */
export const categoryIds = z
  .object({ categoryTree: z.string() })
  .transform(({ categoryTree }) => idsIn(categoryNodes.parse(JSON.parse(categoryTree))))

export const brandNames = under('brands', z.object({ name: z.string().nullish() })).transform(brands =>
  brands.flatMap(({ name }) => (name?.trim() ? [name] : [])),
)

const texts = { from: as.listOf(z.string()) }
export const productAdvice = under(
  'recommendations',
  as.schemaOf({ fields: { asin: { wire: 'recommendedAsin', ...as.text }, themes: texts } }),
)
export const themeAdvice = under(
  'recommendations',
  as.schemaOf({
    fields: { theme: as.text, description: as.maybeText, asins: { wire: 'recommendedAsins', ...texts } },
  }),
)

const autoGroups = ['CLOSE_MATCH', 'LOOSE_MATCH', 'SUBSTITUTES', 'COMPLEMENTS'] as const

/** What a bid is asked for. */
export type BidSubject =
  | { type: 'KEYWORD'; matchType: MatchType; text: string }
  | { type: 'AUTO'; group: (typeof autoGroups)[number] }
  | { type: 'PRODUCT'; asin: string }
  | { type: 'CATEGORY'; categoryId: string }

function bidSubjectOf(type: string, value: string): BidSubject | undefined {
  const match = /^KEYWORD_(EXACT|PHRASE|BROAD)_MATCH$/.exec(type)?.[1]
  if (match && isMatchType(match)) return { type: 'KEYWORD', matchType: match, text: value }
  if (type === 'PAT_ASIN') return { type: 'PRODUCT', asin: value }
  if (type === 'PAT_CATEGORY') return { type: 'CATEGORY', categoryId: value }
  const group = autoGroups.find(name => name === type)
  return group && { type: 'AUTO', group }
}

const bidRow = z.object({
  targetingExpression: z.object({ type: z.string(), value: z.string().nullish() }),
  bidValues: as.listOf(z.object({ suggestedBid: as.amount.from })),
})
/**
 * Low, middle and high of the three values; expressions that were not asked for by our words are left out. The theme is the
 * season that the figures are for; CONVERSION_OPPORTUNITIES is the everyday one.
 */
export const bidAdvice = under(
  'bidRecommendations',
  z.object({ theme: z.string(), bidRecommendationsForTargetingExpressions: as.listOf(bidRow) }),
).transform(themes =>
  themes.flatMap(({ theme, bidRecommendationsForTargetingExpressions: rows }) =>
    rows.flatMap(({ targetingExpression: { type, value }, bidValues }) => {
      const subject = bidSubjectOf(type, value ?? '')
      const bids = bidValues.map(bid => bid.suggestedBid).toSorted((a, b) => a - b)
      const [low, high] = [bids[0], bids.at(-1)]
      if (!subject || low === undefined || high === undefined) return []
      const median = bids[Math.floor(bids.length / 2)] ?? low
      return [{ theme, subject, lowMicros: low, medianMicros: median, highMicros: high }]
    }),
  ),
)
export type BidAdvice = z.output<typeof bidAdvice>[number]

const statuses = ['ELIGIBLE', 'ELIGIBLE_WITH_WARNING', 'INELIGIBLE'] as const
const status = as.maybeText.from.transform(text => statuses.find(name => name === text) ?? null)

/** A status that is missing or unknown counts as INELIGIBLE: a product of unknown status must not be advertised. */
export const eligibility = under(
  'productResponseList',
  as.schemaOf({
    fields: {
      asin: { wire: 'productDetails.asin', ...as.maybeText },
      sku: { wire: 'productDetails.sku', ...as.maybeText },
      status: { wire: 'overallStatus', from: status.transform(found => found ?? ('INELIGIBLE' as const)) },
      reasons: {
        wire: 'eligibilityStatusList',
        from: as.listOf(
          z.object({
            name: as.maybeText.from.transform(name => name ?? 'UNKNOWN'),
            severity: as.maybeText.from,
            message: as.maybeText.from,
            helpUrl: as.maybeText.from,
          }),
        ),
      },
    },
  }),
)
export type Eligibility = z.output<typeof eligibility>[number]

const price = ['priceToPay', 'basisPrice']
const money = z.object({ amount: as.bid.from, currency: as.maybeText.from }).nullish()
const rank = z
  .union([z.number(), z.string()])
  .nullish()
  .transform(text => Number(text ?? Number.NaN))
export const productFacts = under(
  'ProductMetadataList',
  as.schemaOf({
    fields: {
      asin: as.text,
      sku: as.maybeText,
      title: as.maybeText,
      brand: as.maybeText,
      category: as.maybeText,
      imageUrl: as.maybeText,
      bestSellerRank: { from: rank.transform(number => (Number.isFinite(number) ? number : null)) },
      priceMicros: { wire: price, from: money.transform(paid => paid?.amount ?? null) },
      currency: { wire: price, from: money.transform(paid => paid?.currency ?? null) },
      availability: as.maybeText,
      eligibilityStatus: { from: status },
      ineligibilityReasons: texts,
    },
  }),
)
export type ProductFacts = z.output<typeof productFacts>[number]

export const budgetUsage = under(
  'success',
  as.schemaOf({
    fields: {
      /** The campaign's, or the portfolio's. */
      id: { wire: ['campaignId', 'portfolioId'], from: as.maybeId.from.transform(id => id ?? '') },
      budgetMicros: { wire: 'budget', ...as.amount },
      /** May pass 100: a day may spend up to twice its budget. */
      usagePercent: { wire: 'budgetUsagePercent', from: z.number() },
      updatedAt: { wire: 'usageUpdatedTimestamp', from: as.moment },
    },
  }),
)

const missedOpportunities = as.schemaOf({
  fields: {
    /** Share of the time in which there was budget, 0 to 1. */
    timeInBudget: { wire: 'percentTimeInBudget', ...maybeNumber },
    lowSalesMicros: { wire: 'estimatedMissedSalesLower', from: as.orNull(as.amount.from) },
    highSalesMicros: { wire: 'estimatedMissedSalesUpper', from: as.orNull(as.amount.from) },
    /** yyyyMMdd. */
    from: { wire: 'startDate', ...as.maybeText },
    to: { wire: 'endDate', ...as.maybeText },
  },
})

/** Budgets that would have lasted; null of campaigns that are too young or hardly ever shown. */
export const budgetAdvice = under(
  'budgetRecommendationsSuccessResults',
  as.schemaOf({
    fields: {
      campaignId: as.id,
      suggestedMicros: { wire: 'suggestedBudget', from: as.orNull(as.amount.from) },
      missed: { wire: 'sevenDaysMissedOpportunities', from: as.orNull(missedOpportunities) },
    },
  }),
)
export type BudgetAdvice = z.output<typeof budgetAdvice>[number]
