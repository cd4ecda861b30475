import type { z } from 'zod'
import { smallestUnitMicros, toMicros } from '#shared/money.ts'
import type { MatchType } from '../entities/conversions.ts'
import type {
  BidAdvice,
  BidSubject,
  BudgetUsage,
  CategoryAdvice,
  Eligibility,
  KeywordAdvice,
  ProductFacts,
} from './vocabulary.ts'
import type {
  bidAdviceWire,
  budgetUsageWire,
  categoryAdviceWire,
  eligibilityWire,
  keywordAdviceWire,
  productMetadataWire,
} from './wire.ts'

const isMatchType = (name: string): name is MatchType => name === 'EXACT' || name === 'PHRASE' || name === 'BROAD'

/**
 * One row a keyword and match type. The bids of this answer alone come in the currency's smallest unit (311 is 3.11
 * dollars) [the marketplace's own recorded answers].
 */
export function fromKeywordAdvice(wire: z.output<typeof keywordAdviceWire>, currency: string): KeywordAdvice[] {
  const micros = (minor: number | null | undefined) =>
    minor === null || minor === undefined ? null : Math.round(minor * smallestUnitMicros(currency))
  return (wire.keywordTargetList ?? []).flatMap(keyword =>
    (keyword.bidInfo ?? []).flatMap(info => {
      const matchType = info.matchType.toUpperCase()
      if (!isMatchType(matchType)) return []
      const range = info.suggestedBid
      return [
        {
          keyword: keyword.keyword,
          matchType,
          bidMicros: micros(range?.rangeMedian ?? range?.suggested ?? info.bid),
          lowMicros: micros(range?.rangeStart),
          highMicros: micros(range?.rangeEnd),
          rank: info.rank ?? null,
          recommendationId: keyword.recId ?? null,
          translation: keyword.translation ?? null,
          impressionRank: keyword.searchTermImpressionRank ?? null,
          impressionShare: keyword.searchTermImpressionShare ?? null,
        },
      ]
    }),
  )
}

/** Categories that may not be targeted are left out. */
export function fromCategoryAdvice(wire: z.output<typeof categoryAdviceWire>): CategoryAdvice[] {
  return (wire.categories ?? [])
    .filter(category => category.canBeTargeted !== false)
    .map(category => {
      const parent = category.parentCategoryId ?? category.parent
      return {
        categoryId: category.id,
        name: category.name,
        path: category.categoryPath ?? category.path ?? null,
        parentId: parent && parent !== '-1' ? parent : null,
        minProducts: category.asinCounts?.min ?? null,
        maxProducts: category.asinCounts?.max ?? null,
      }
    })
}

const autoGroups = ['CLOSE_MATCH', 'LOOSE_MATCH', 'SUBSTITUTES', 'COMPLEMENTS'] as const

export function toBidExpression(subject: BidSubject): { type: string; value?: string } {
  switch (subject.type) {
    case 'KEYWORD':
      return { type: `KEYWORD_${subject.matchType}_MATCH`, value: subject.text }
    case 'AUTO':
      return { type: subject.group }
    case 'PRODUCT':
      return { type: 'PAT_ASIN', value: subject.asin }
    case 'CATEGORY':
      return { type: 'PAT_CATEGORY', value: subject.categoryId }
  }
}

function fromBidExpression(type: string, value: string): BidSubject | undefined {
  const match = /^KEYWORD_(EXACT|PHRASE|BROAD)_MATCH$/.exec(type)?.[1]
  if (match && isMatchType(match)) return { type: 'KEYWORD', matchType: match, text: value }
  if (type === 'PAT_ASIN') return { type: 'PRODUCT', asin: value }
  if (type === 'PAT_CATEGORY') return { type: 'CATEGORY', categoryId: value }
  const group = autoGroups.find(name => name === type)
  return group && { type: 'AUTO', group }
}

/** Low, middle and high of the three values; expressions that were not asked for by our words are left out. */
export function fromBidAdvice(wire: z.output<typeof bidAdviceWire>): BidAdvice[] {
  return (wire.bidRecommendations ?? []).flatMap(({ theme, bidRecommendationsForTargetingExpressions: rows }) =>
    (rows ?? []).flatMap(({ targetingExpression: { type, value }, bidValues }) => {
      const subject = fromBidExpression(type, value ?? '')
      const bids = (bidValues ?? []).map(bid => toMicros(bid.suggestedBid)).toSorted((a, b) => a - b)
      const [low, high] = [bids[0], bids.at(-1)]
      if (!subject || low === undefined || high === undefined) return []
      return [
        { theme, subject, lowMicros: low, medianMicros: bids[Math.floor(bids.length / 2)] ?? low, highMicros: high },
      ]
    }),
  )
}

const statusOf = (name: string | null | undefined): Eligibility['status'] | null =>
  name === 'ELIGIBLE' || name === 'ELIGIBLE_WITH_WARNING' || name === 'INELIGIBLE' ? name : null

/** A status that is missing or unknown counts as INELIGIBLE: a product of unknown status must not be advertised. */
export function fromEligibility(wire: z.output<typeof eligibilityWire>): Eligibility[] {
  return (wire.productResponseList ?? []).map(({ productDetails, overallStatus, eligibilityStatusList }) => ({
    asin: productDetails.asin ?? null,
    sku: productDetails.sku ?? null,
    status: statusOf(overallStatus) ?? 'INELIGIBLE',
    reasons: (eligibilityStatusList ?? []).map(reason => ({
      name: reason.name ?? 'UNKNOWN',
      severity: reason.severity ?? null,
      message: reason.message ?? null,
      helpUrl: reason.helpUrl ?? null,
    })),
  }))
}

export function fromProductMetadata(wire: z.output<typeof productMetadataWire>): ProductFacts[] {
  return (wire.ProductMetadataList ?? []).map(product => {
    const price = product.priceToPay ?? product.basisPrice
    const rank = Number(product.bestSellerRank ?? Number.NaN)
    return {
      asin: product.asin,
      sku: product.sku ?? null,
      title: product.title ?? null,
      brand: product.brand ?? null,
      category: product.category ?? null,
      imageUrl: product.imageUrl ?? null,
      bestSellerRank: Number.isFinite(rank) ? rank : null,
      priceMicros: price?.amount === null || price?.amount === undefined ? null : toMicros(price.amount),
      currency: price?.currency ?? null,
      availability: product.availability ?? null,
      eligibilityStatus: statusOf(product.eligibilityStatus),
      ineligibilityReasons: product.ineligibilityReasons ?? [],
    }
  })
}

export function fromBudgetUsage(wire: z.output<typeof budgetUsageWire>): BudgetUsage[] {
  return (wire.success ?? []).map(usage => ({
    id: usage.campaignId ?? usage.portfolioId ?? '',
    budgetMicros: toMicros(usage.budget),
    usagePercent: usage.budgetUsagePercent,
    updatedAt: usage.usageUpdatedTimestamp ? new Date(usage.usageUpdatedTimestamp) : null,
  }))
}
