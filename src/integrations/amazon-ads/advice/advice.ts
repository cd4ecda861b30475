import type { z } from 'zod'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { AdsCall, AdsRequest } from '../client.ts'
import { type Bidding, type BiddingStrategy, bidding as biddingField } from '../entities/bidding.ts'
import { chunks } from '../entities/outcome.ts'
import * as answer from './answers.ts'

/** What to recommend for: products not yet advertised, or an ad group that exists. */
type AdviceSubject = { asins: readonly string[] } | { campaignId: string; adGroupId: string }

interface KeywordQuestion {
  subject: AdviceSubject
  /** The profile's currency: these bids alone come in its smallest unit. */
  currency: string
  /** At most 200, which is the default. */
  max?: number
  sort?: 'CLICKS' | 'CONVERSIONS' | 'DEFAULT'
  locale?: string
  strategy?: BiddingStrategy
}

interface BidQuestion {
  subject: AdviceSubject
  /** Needed for products not yet advertised. */
  bidding?: Pick<Bidding, 'strategy' | 'placements'>
  bids: readonly answer.BidSubject[]
}

const media = (name: string) => `application/vnd.${name}+json`
const productPath = '/sp/targets/products/recommendations'

/** Whose budget: campaigns of one advertising product, or portfolios. */
const budgetCalls = {
  SPONSORED_PRODUCTS: { path: '/sp/campaigns/budget/usage', type: 'spcampaignbudgetusage.v1', ids: 'campaignIds' },
  SPONSORED_BRANDS: { path: '/sb/campaigns/budget/usage', type: 'sbcampaignbudgetusage.v1', ids: 'campaignIds' },
  SPONSORED_DISPLAY: { path: '/sd/campaigns/budget/usage', type: 'sdcampaignbudgetusage.v1', ids: 'campaignIds' },
  PORTFOLIO: { path: '/portfolios/budget/usage', type: 'portfoliobudgetusage.v1', ids: 'portfolioIds' },
} as const

/** What the marketplace advises and knows. Where it has nothing to say on a subject (its 422) the answer is empty. */
export type Advice = ReturnType<typeof createAdvice>

export function createAdvice(call: AdsCall) {
  const ask = <S extends z.ZodType>(request: Omit<AdsRequest<S>, 'method' | 'effect'> & { method?: 'GET' }) =>
    call({ method: 'POST', effect: 'read', ...request })

  const inChunks = async <T, R>(items: readonly T[], size: number, read: (chunk: T[]) => Promise<R[]>) => {
    const found: R[] = []
    for (const chunk of chunks(items, size)) found.push(...(await read(chunk)))
    return found
  }

  return {
    /** Keywords for up to 50 products or an ad group, best first, one row a match type. */
    keywords: ({ subject, currency, max = 200, sort = 'DEFAULT', locale, strategy }: KeywordQuestion) =>
      orNothing(
        ask({
          operation: 'recommend keywords',
          path: '/sp/targets/keywords/recommendations',
          mediaType: media('spkeywordsrecommendation.v5'),
          body: {
            recommendationType: 'asins' in subject ? 'KEYWORDS_FOR_ASINS' : 'KEYWORDS_FOR_ADGROUP',
            ...subject,
            maxRecommendations: max,
            sortDimension: sort,
            ...(locale && { locale }),
            ...(strategy && { biddingStrategy: toBidding({ strategy, placements: [] }).strategy }),
          },
          schema: answer.keywordAdvice(currency),
        }),
      ),
    /** Categories that fit the products and may be targeted. */
    categories: (asins: readonly string[], locale?: string) =>
      orNothing(
        ask({
          operation: 'recommend categories',
          path: `/sp/targets/categories/recommendations${locale ? `?locale=${encodeURIComponent(locale)}` : ''}`,
          mediaType: media('spproducttargeting.v3'),
          acceptType: media('spproducttargetingresponse.v5'),
          body: { asins, includeAncestor: false },
          schema: answer.categoryAdvice,
        }),
      ),
    /** The ids of all categories of the marketplace that can be targeted. */
    categoryIds: () =>
      ask({
        operation: 'read categories',
        method: 'GET',
        path: '/sp/targets/categories',
        acceptType: media('spproducttargetingresponse.v5'),
        schema: answer.categoryIds,
      }),
    /** The names of the brands in a category, by its id; empty where the marketplace does not know the category. */
    categoryBrands: (categoryId: string) =>
      orNothing(
        ask({
          operation: 'read brands of a category',
          method: 'GET',
          path: `/sp/targets/category/${encodeURIComponent(categoryId)}/refinements`,
          acceptType: media('spproducttargetingresponse.v3'),
          schema: answer.brandNames,
        }),
      ),
    /** Products worth targeting from the given ones' ads. */
    products: (asins: readonly string[], max = 50, locale?: string) =>
      orNothing(
        ask({
          operation: 'recommend products',
          path: productPath,
          mediaType: media('spproductrecommendation.v3'),
          acceptType: media('spproductrecommendationresponse.asins.v3'),
          body: { adAsins: asins, count: max, ...(locale && { locale }) },
          schema: answer.productAdvice,
        }),
      ),
    /** The same grouped by why. */
    productThemes: (asins: readonly string[], locale?: string) =>
      orNothing(
        ask({
          operation: 'recommend product themes',
          path: productPath,
          mediaType: media('spproductrecommendation.v3'),
          acceptType: media('spproductrecommendationresponse.themes.v3'),
          body: { adAsins: asins, ...(locale && { locale }) },
          schema: answer.themeAdvice,
        }),
      ),
    /** Low, middle and high bid for each subject, in the order of themes. */
    bids: ({ subject, bidding, bids }: BidQuestion) =>
      inChunks(bids, 100, chunk =>
        orNothing(
          ask({
            operation: 'recommend bids',
            path: '/sp/targets/bid/recommendations',
            mediaType: media('spthemebasedbidrecommendation.v5'),
            body: { ...bidSubject(subject, bidding), targetingExpressions: chunk.map(toBidExpression) },
            schema: answer.bidAdvice,
          }),
        ),
      ),
    /** Whether the products may be advertised by Sponsored Products, and why not. */
    eligibility: (products: readonly { asin: string; sku?: string }[], locale?: string) =>
      inChunks(products, 50, chunk =>
        ask({
          operation: 'check eligibility',
          path: '/eligibility/product/list',
          body: { adType: 'sp', productDetailsList: chunk, ...(locale && { locale }) },
          schema: answer.eligibility,
        }),
      ),
    /** What the marketplace knows of the products; unknown ones are missing. One page holds the three hundred of a call. */
    productFacts: (products: { asins: readonly string[] } | { skus: readonly string[] }) => {
      const [key, ids] = 'asins' in products ? (['asins', products.asins] as const) : (['skus', products.skus] as const)
      const all = { adType: 'SP', checkItemDetails: true, checkEligibility: true, pageIndex: 0, pageSize: 300 }
      return inChunks(ids, all.pageSize, chunk =>
        ask({
          operation: 'read product metadata',
          path: '/product/metadata',
          mediaType: media('productmetadatarequest.v1'),
          acceptType: media('productmetadataresponse.v1'),
          body: { [key]: chunk, ...all },
          schema: answer.productFacts,
        }),
      )
    },
    /** The daily budgets that campaigns of Sponsored Products should have, by their last seven days; unknown ones are missing. */
    budgets: (campaignIds: readonly string[]) =>
      inChunks(campaignIds, 100, chunk =>
        ask({
          operation: 'recommend budgets',
          path: '/sp/campaigns/budgetRecommendations',
          mediaType: media('budgetrecommendation.v3'),
          body: { campaignIds: chunk },
          schema: answer.budgetAdvice,
        }),
      ),
    /** Today's budget usage, of Sponsored Products campaigns by default; unknown campaigns are missing. */
    budgetUsage: (ids: readonly string[], owner: keyof typeof budgetCalls = 'SPONSORED_PRODUCTS') => {
      const { path, type, ids: key } = budgetCalls[owner]
      return inChunks(ids, 100, chunk =>
        ask({
          operation: 'read budget usage',
          path,
          mediaType: media(type),
          body: { [key]: chunk },
          schema: answer.budgetUsage,
        }),
      )
    },
  }
}

// The marketplace has nothing to say on some products; that is an empty answer, not a failure.
async function orNothing<T>(rows: Promise<T[]>): Promise<T[]> {
  try {
    return await rows
  } catch (error) {
    if (error instanceof UpstreamRejected && error.status === 422) return []
    throw error
  }
}

const toBidding = (bidding: Pick<Bidding, 'strategy' | 'placements'>) => biddingField.to({ ...bidding, audiences: [] })

function bidSubject(subject: AdviceSubject, bidding: BidQuestion['bidding']) {
  if (!('asins' in subject)) return { recommendationType: 'BIDS_FOR_EXISTING_AD_GROUP', ...subject }
  const { strategy, placementBidding } = toBidding({ strategy: 'SALES_DOWN_ONLY', placements: [], ...bidding })
  const adjustments = placementBidding.map(({ placement, percentage }) => ({ predicate: placement, percentage }))
  return { recommendationType: 'BIDS_FOR_NEW_AD_GROUP', asins: subject.asins, bidding: { strategy, adjustments } }
}

export function toBidExpression(subject: answer.BidSubject): { type: string; value?: string } {
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
