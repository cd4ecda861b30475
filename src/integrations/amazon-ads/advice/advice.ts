import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import { toDynamicBidding } from '../structure/mapper.ts'
import {
  fromBidAdvice,
  fromBudgetUsage,
  fromCategoryAdvice,
  fromEligibility,
  fromKeywordAdvice,
  fromProductMetadata,
  toBidExpression,
} from './mapper.ts'
import type {
  AdviceSubject,
  BidAdvice,
  BidQuestion,
  BudgetUsage,
  CategoryAdvice,
  Eligibility,
  KeywordAdvice,
  KeywordQuestion,
  ProductAdvice,
  ProductFacts,
  ProductTheme,
} from './vocabulary.ts'
import * as wire from './wire.ts'

export interface Advice {
  /** Keywords for up to 50 products or an ad group, best first, one row a match type. */
  keywords(question: KeywordQuestion): Promise<KeywordAdvice[]>
  /** Categories that fit the products and may be targeted. */
  categories(asins: readonly string[], locale?: string): Promise<CategoryAdvice[]>
  /** Products worth targeting from the given ones' ads. */
  products(asins: readonly string[], max?: number, locale?: string): Promise<ProductAdvice[]>
  /** The same grouped by why. */
  productThemes(asins: readonly string[], locale?: string): Promise<ProductTheme[]>
  /** Low, middle and high bid for each subject; empty where the marketplace supports none (its 422). */
  bids(question: BidQuestion): Promise<BidAdvice[]>
  /** Whether the products may be advertised by Sponsored Products, and why not. */
  eligibility(products: readonly { asin: string; sku?: string }[], locale?: string): Promise<Eligibility[]>
  /** What the marketplace knows of the products; unknown ones are missing. */
  productFacts(products: { asins: readonly string[] } | { skus: readonly string[] }): Promise<ProductFacts[]>
  /** Today's use of the campaigns' budgets; campaigns it cannot tell are missing. */
  budgetUsage(campaignIds: readonly string[]): Promise<BudgetUsage[]>
}

const media = (name: string) => `application/vnd.${name}+json`
const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

export const createAdvice = (call: AdsCall): Advice => {
  const perChunk = async <T, R>(items: readonly T[], size: number, one: (chunk: T[]) => Promise<R[]>): Promise<R[]> => {
    const found: R[] = []
    for (const chunk of chunks(items, size)) found.push(...(await one(chunk)))
    return found
  }

  return {
    keywords: async ({ subject, currency, max = 200, sort = 'DEFAULT', locale, strategy }) => {
      const reply = await call({
        operation: 'recommend keywords',
        method: 'POST',
        path: '/sp/targets/keywords/recommendations',
        mediaType: media('spkeywordsrecommendation.v5'),
        body: {
          ...keywordSubject(subject),
          maxRecommendations: max,
          sortDimension: sort,
          ...(locale && { locale }),
          ...(strategy && { biddingStrategy: toDynamicBidding({ strategy, placements: [], audiences: [] }).strategy }),
        },
        effect: 'read',
        schema: wire.keywordAdviceWire,
      })
      return fromKeywordAdvice(reply, currency)
    },

    categories: async (asins, locale) => {
      const reply = await call({
        operation: 'recommend categories',
        method: 'POST',
        path: `/sp/targets/categories/recommendations${locale ? `?locale=${encodeURIComponent(locale)}` : ''}`,
        mediaType: media('spproducttargeting.v3'),
        acceptType: media('spproducttargetingresponse.v5'),
        body: { asins, includeAncestor: false },
        effect: 'read',
        schema: wire.categoryAdviceWire,
      })
      return fromCategoryAdvice(reply)
    },

    products: async (asins, max = 50, locale) => {
      const reply = await call({
        operation: 'recommend products',
        method: 'POST',
        path: '/sp/targets/products/recommendations',
        mediaType: media('spproductrecommendation.v3'),
        acceptType: media('spproductrecommendationresponse.asins.v3'),
        body: { adAsins: asins, count: max, ...(locale && { locale }) },
        effect: 'read',
        schema: wire.productAdviceWire,
      })
      return (reply.recommendations ?? []).map(r => ({ asin: r.recommendedAsin, themes: r.themes ?? [] }))
    },

    productThemes: async (asins, locale) => {
      const reply = await call({
        operation: 'recommend product themes',
        method: 'POST',
        path: '/sp/targets/products/recommendations',
        mediaType: media('spproductrecommendation.v3'),
        acceptType: media('spproductrecommendationresponse.themes.v3'),
        body: { adAsins: asins, ...(locale && { locale }) },
        effect: 'read',
        schema: wire.themeAdviceWire,
      })
      return (reply.recommendations ?? []).map(({ theme, description, recommendedAsins }) => ({
        theme,
        description: description ?? null,
        asins: recommendedAsins ?? [],
      }))
    },

    bids: ({ subject, bidding, bids }) =>
      perChunk(bids, 100, async chunk => {
        try {
          const reply = await call({
            operation: 'recommend bids',
            method: 'POST',
            path: '/sp/targets/bid/recommendations',
            mediaType: media('spthemebasedbidrecommendation.v5'),
            body: { ...bidSubject(subject, bidding), targetingExpressions: chunk.map(toBidExpression) },
            effect: 'read',
            schema: wire.bidAdviceWire,
          })
          return fromBidAdvice(reply)
        } catch (error) {
          if (error instanceof UpstreamRejected && error.status === 422) return []
          throw error
        }
      }),

    eligibility: (products, locale) =>
      perChunk(products, 50, async chunk => {
        const reply = await call({
          operation: 'check eligibility',
          method: 'POST',
          path: '/eligibility/product/list',
          body: { adType: 'sp', productDetailsList: chunk, ...(locale && { locale }) },
          effect: 'read',
          schema: wire.eligibilityWire,
        })
        return fromEligibility(reply)
      }),

    productFacts: products => {
      const [key, ids] = 'asins' in products ? (['asins', products.asins] as const) : (['skus', products.skus] as const)
      return perChunk(ids, 300, async chunk => {
        const reply = await call({
          operation: 'read product metadata',
          method: 'POST',
          path: '/product/metadata',
          mediaType: media('productmetadatarequest.v1'),
          acceptType: media('productmetadataresponse.v1'),
          body: {
            [key]: chunk,
            adType: 'SP',
            checkItemDetails: true,
            checkEligibility: true,
            pageIndex: 0,
            pageSize: 300,
          },
          effect: 'read',
          schema: wire.productMetadataWire,
        })
        return fromProductMetadata(reply)
      })
    },

    budgetUsage: campaignIds =>
      perChunk(campaignIds, 100, async chunk => {
        const reply = await call({
          operation: 'read budget usage',
          method: 'POST',
          path: '/sp/campaigns/budget/usage',
          mediaType: media('spcampaignbudgetusage.v1'),
          body: { campaignIds: chunk },
          effect: 'read',
          schema: wire.budgetUsageWire,
        })
        return fromBudgetUsage(reply)
      }),
  }
}

const keywordSubject = (subject: AdviceSubject) =>
  'asins' in subject
    ? { recommendationType: 'KEYWORDS_FOR_ASINS', asins: subject.asins }
    : { recommendationType: 'KEYWORDS_FOR_ADGROUP', ...subject }

const bidSubject = (subject: AdviceSubject, bidding: BidQuestion['bidding']) => {
  if (!('asins' in subject)) return { recommendationType: 'BIDS_FOR_EXISTING_AD_GROUP', ...subject }
  const { strategy, placementBidding } = toDynamicBidding({
    strategy: 'SALES_DOWN_ONLY',
    placements: [],
    ...bidding,
    audiences: [],
  })
  const adjustments = placementBidding.map(({ placement, percentage }) => ({ predicate: placement, percentage }))
  return { recommendationType: 'BIDS_FOR_NEW_AD_GROUP', asins: subject.asins, bidding: { strategy, adjustments } }
}
