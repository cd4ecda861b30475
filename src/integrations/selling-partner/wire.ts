import { z } from 'zod'

const money = z.object({
  currencyCode: z.string().nullish(),
  amount: z.union([z.string(), z.number()]).nullish(),
})
export type MoneyWire = z.output<typeof money>
const count = z.number().nullish()
const page = z.object({ nextToken: z.string().nullish() }).nullish()

export const participationsWire = z.object({
  payload: z.array(
    z.object({
      marketplace: z.object({
        id: z.string(),
        name: z.string(),
        countryCode: z.string(),
        defaultCurrencyCode: z.string(),
        defaultLanguageCode: z.string().nullish(),
        domainName: z.string().nullish(),
      }),
      participation: z.object({ isParticipating: z.boolean(), hasSuspendedListings: z.boolean().nullish() }),
      storeName: z.string().nullish(),
    }),
  ),
})

export const inventoryWire = z.object({
  payload: z.object({
    inventorySummaries: z.array(
      z.object({
        asin: z.string().nullish(),
        fnSku: z.string().nullish(),
        sellerSku: z.string().nullish(),
        condition: z.string().nullish(),
        productName: z.string().nullish(),
        totalQuantity: count,
        lastUpdatedTime: z.string().nullish(),
        inventoryDetails: z
          .object({
            fulfillableQuantity: count,
            inboundWorkingQuantity: count,
            inboundShippedQuantity: count,
            inboundReceivingQuantity: count,
            reservedQuantity: z
              .object({
                totalReservedQuantity: count,
                pendingCustomerOrderQuantity: count,
                pendingTransshipmentQuantity: count,
                fcProcessingQuantity: count,
              })
              .nullish(),
            researchingQuantity: z.object({ totalResearchingQuantity: count }).nullish(),
            unfulfillableQuantity: z.object({ totalUnfulfillableQuantity: count }).nullish(),
          })
          .nullish(),
      }),
    ),
  }),
  pagination: page,
})

export const listingWire = z.object({
  sku: z.string(),
  summaries: z
    .array(
      z.object({
        marketplaceId: z.string(),
        asin: z.string().nullish(),
        productType: z.string().nullish(),
        conditionType: z.string().nullish(),
        status: z.array(z.string()).nullish(),
        fnSku: z.string().nullish(),
        itemName: z.string().nullish(),
        mainImage: z.object({ link: z.string() }).nullish(),
      }),
    )
    .nullish(),
  offers: z.array(z.object({ marketplaceId: z.string(), offerType: z.string(), price: money.nullish() })).nullish(),
  fulfillmentAvailability: z.array(z.object({ fulfillmentChannelCode: z.string(), quantity: count })).nullish(),
  issues: z
    .array(
      z.object({
        code: z.string(),
        message: z.string(),
        severity: z.string(),
        marketplaceIds: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
})

export const listingsWire = z.object({ items: z.array(listingWire), pagination: page })

export const catalogItemWire = z.object({
  asin: z.string(),
  summaries: z
    .array(
      z.object({
        marketplaceId: z.string(),
        brand: z.string().nullish(),
        itemName: z.string().nullish(),
        browseClassification: z.object({ displayName: z.string(), classificationId: z.string() }).nullish(),
        websiteDisplayGroupName: z.string().nullish(),
      }),
    )
    .nullish(),
  images: z
    .array(
      z.object({
        marketplaceId: z.string(),
        images: z.array(z.object({ variant: z.string(), link: z.string(), width: count })),
      }),
    )
    .nullish(),
  salesRanks: z
    .array(
      z.object({
        marketplaceId: z.string(),
        classificationRanks: z.array(z.object({ title: z.string(), rank: z.number() })).nullish(),
        displayGroupRanks: z.array(z.object({ title: z.string(), rank: z.number() })).nullish(),
      }),
    )
    .nullish(),
})

export const catalogWire = z.object({ items: z.array(catalogItemWire), pagination: page })

export const orderMetricsWire = z.object({
  payload: z.array(
    z.object({
      interval: z.string(),
      unitCount: z.number(),
      orderItemCount: z.number(),
      orderCount: z.number(),
      totalSales: money,
    }),
  ),
})

const feeMoney = z.object({ CurrencyCode: z.string().nullish(), Amount: z.number().nullish() }).nullish()

export const feesWire = z.array(
  z.object({
    Status: z.string().nullish(),
    FeesEstimateIdentifier: z
      .object({ SellerInputIdentifier: z.string().nullish(), IdValue: z.string().nullish() })
      .nullish(),
    FeesEstimate: z
      .object({
        TotalFeesEstimate: feeMoney,
        FeeDetailList: z.array(z.object({ FeeType: z.string(), FinalFee: feeMoney })).nullish(),
      })
      .nullish(),
    Error: z.object({ Code: z.string().nullish(), Message: z.string().nullish() }).nullish(),
  }),
)
