import { z } from 'zod'

const amount = z.number().nullish()

export const keywordAdviceWire = z.object({
  keywordTargetList: z
    .array(
      z.object({
        keyword: z.string(),
        recId: z.string().nullish(),
        translation: z.string().nullish(),
        searchTermImpressionRank: z.number().nullish(),
        searchTermImpressionShare: z.number().nullish(),
        bidInfo: z
          .array(
            z.object({
              matchType: z.string(),
              theme: z.string().nullish(),
              rank: z.number().nullish(),
              bid: amount,
              suggestedBid: z
                // The specification calls the middle `suggested`, the real answer `rangeMedian`.
                .object({ rangeStart: amount, rangeMedian: amount, suggested: amount, rangeEnd: amount })
                .nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
})

/** Version 3 says parent and path, 4 and 5 say parentCategoryId and categoryPath. */
/** The tree comes as text inside the answer. */
export const categoryTreeWire = z.object({ categoryTree: z.string() })
export interface CategoryNode {
  id: string | number
  /** Whether it can be targeted; absent where it is not said. */
  ta?: boolean | undefined
  ch?: CategoryNode[] | null | undefined
}
export const categoryNodes: z.ZodType<CategoryNode[]> = z.array(
  z.object({
    id: z.union([z.string(), z.number()]),
    ta: z.boolean().optional(),
    ch: z.lazy(() => categoryNodes).nullish(),
  }),
)

export const categoryRefinementsWire = z.object({
  brands: z.array(z.object({ name: z.string().nullish() })).nullish(),
})

export const categoryAdviceWire = z.object({
  categories: z
    .array(
      z.object({
        id: z.union([z.string(), z.number()]).transform(String),
        name: z.string(),
        path: z.string().nullish(),
        categoryPath: z.string().nullish(),
        parent: z.string().nullish(),
        parentCategoryId: z.string().nullish(),
        canBeTargeted: z.boolean().nullish(),
        asinCounts: z.object({ min: z.number().nullish(), max: z.number().nullish() }).nullish(),
      }),
    )
    .nullish(),
})

export const productAdviceWire = z.object({
  recommendations: z.array(z.object({ recommendedAsin: z.string(), themes: z.array(z.string()).nullish() })).nullish(),
  nextCursor: z.string().nullish(),
})

export const themeAdviceWire = z.object({
  recommendations: z
    .array(
      z.object({
        theme: z.string(),
        description: z.string().nullish(),
        recommendedAsins: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
  nextCursor: z.string().nullish(),
})

export const bidAdviceWire = z.object({
  bidRecommendations: z
    .array(
      z.object({
        theme: z.string(),
        bidRecommendationsForTargetingExpressions: z
          .array(
            z.object({
              targetingExpression: z.object({ type: z.string(), value: z.string().nullish() }),
              bidValues: z.array(z.object({ suggestedBid: z.number() })).nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
})

export const eligibilityWire = z.object({
  productResponseList: z
    .array(
      z.object({
        productDetails: z.object({ asin: z.string().nullish(), sku: z.string().nullish() }),
        overallStatus: z.string().nullish(),
        eligibilityStatusList: z
          .array(
            z.object({
              name: z.string().nullish(),
              severity: z.string().nullish(),
              message: z.string().nullish(),
              helpUrl: z.string().nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
})

const money = z.object({ amount: z.number().nullish(), currency: z.string().nullish() }).nullish()

export const productMetadataWire = z.object({
  ProductMetadataList: z
    .array(
      z.object({
        asin: z.string(),
        sku: z.string().nullish(),
        title: z.string().nullish(),
        brand: z.string().nullish(),
        category: z.string().nullish(),
        imageUrl: z.string().nullish(),
        bestSellerRank: z.union([z.number(), z.string()]).nullish(),
        basisPrice: money,
        priceToPay: money,
        availability: z.string().nullish(),
        eligibilityStatus: z.string().nullish(),
        ineligibilityReasons: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
  cursorToken: z.string().nullish(),
})

export const budgetUsageWire = z.object({
  success: z
    .array(
      z.object({
        campaignId: z.union([z.string(), z.number()]).transform(String).nullish(),
        portfolioId: z.union([z.string(), z.number()]).transform(String).nullish(),
        budget: z.number(),
        budgetUsagePercent: z.number(),
        usageUpdatedTimestamp: z.string().nullish(),
      }),
    )
    .nullish(),
  error: z
    .array(
      z.object({
        campaignId: z.union([z.string(), z.number()]).transform(String).nullish(),
        code: z.string().nullish(),
        details: z.string().nullish(),
      }),
    )
    .nullish(),
})
