import { z } from 'zod'
import { toMicros } from '#shared/money.ts'

// The vendor's answers, each turned into our words. Amounts are micros of the currency next to them.

export const text = z
  .string()
  .nullish()
  .transform(value => value ?? null)
const filledText = text.transform(value => value || null)
const count = z
  .number()
  .nullish()
  .transform(value => value ?? 0)
const rank = z.object({ rank: z.number() })
const money = z
  .object({ currencyCode: text, amount: z.union([z.string(), z.number()]).nullish() })
  .transform(({ currencyCode, amount }) => ({
    currency: currencyCode,
    micros: amount === null || amount === undefined || amount === '' ? null : toMicros(amount),
  }))
const nextToken = z
  .object({ nextToken: text })
  .nullish()
  .transform(page => page?.nextToken || undefined)

export type Participation = z.output<typeof participations>[number]
export const participations = z
  .object({
    payload: z.array(
      z
        .object({
          marketplace: z.object({
            id: z.string(),
            name: z.string(),
            countryCode: z.string(),
            defaultCurrencyCode: z.string(),
            defaultLanguageCode: text,
          }),
          participation: z.object({ isParticipating: z.boolean(), hasSuspendedListings: z.boolean().nullish() }),
          storeName: text,
        })
        .transform(({ marketplace, participation, storeName }) => ({
          marketplaceId: marketplace.id,
          countryCode: marketplace.countryCode,
          name: marketplace.name,
          currency: marketplace.defaultCurrencyCode,
          language: marketplace.defaultLanguageCode,
          storeName,
          participating: participation.isParticipating,
          suspendedListings: participation.hasSuspendedListings ?? false,
        })),
    ),
  })
  .transform(({ payload }) => payload)

const stockDetails = z.object({
  fulfillableQuantity: count,
  inboundWorkingQuantity: count,
  inboundShippedQuantity: count,
  inboundReceivingQuantity: count,
  reservedQuantity: z.object({ totalReservedQuantity: count }).nullish(),
  researchingQuantity: z.object({ totalResearchingQuantity: count }).nullish(),
  unfulfillableQuantity: z.object({ totalUnfulfillableQuantity: count }).nullish(),
})
const stock = z
  .object({
    asin: filledText,
    fnSku: filledText,
    sellerSku: filledText,
    condition: filledText,
    productName: filledText,
    totalQuantity: count,
    lastUpdatedTime: filledText,
    inventoryDetails: stockDetails.nullish(),
  })
  .transform(({ sellerSku, inventoryDetails: details, totalQuantity: total, lastUpdatedTime, ...item }) => ({
    sku: sellerSku ?? '',
    asin: item.asin,
    fnsku: item.fnSku,
    title: item.productName,
    condition: item.condition,
    // Without details there is only the total, which counts as sellable.
    available: details?.fulfillableQuantity ?? total,
    inboundWorking: details?.inboundWorkingQuantity ?? 0,
    inboundShipped: details?.inboundShippedQuantity ?? 0,
    inboundReceiving: details?.inboundReceivingQuantity ?? 0,
    reserved: details?.reservedQuantity?.totalReservedQuantity ?? 0,
    researching: details?.researchingQuantity?.totalResearchingQuantity ?? 0,
    unfulfillable: details?.unfulfillableQuantity?.totalUnfulfillableQuantity ?? 0,
    total,
    updatedAt: lastUpdatedTime ? new Date(lastUpdatedTime) : null,
  }))

/** Stock of one sku in the marketplace's warehouses. */
export type InventorySummary = z.output<typeof stock>
/** Summaries without a sku are left out: they belong to no product. */
export const inventory = z
  .object({ payload: z.object({ inventorySummaries: z.array(stock) }), pagination: nextToken })
  .transform(({ payload, pagination }) => ({
    items: payload.inventorySummaries.filter(item => item.sku),
    nextToken: pagination,
  }))

const localListing = z.object({
  sku: z.string(),
  summaries: z
    .array(
      z.object({
        marketplaceId: z.string(),
        asin: text,
        productType: text,
        conditionType: text,
        status: z.array(z.string()).nullish(),
        fnSku: text,
        itemName: text,
        mainImage: z.object({ link: z.string() }).nullish(),
      }),
    )
    .nullish(),
  offers: z.array(z.object({ marketplaceId: z.string(), offerType: z.string(), price: money.nullish() })).nullish(),
  fulfillmentAvailability: z
    .array(z.object({ fulfillmentChannelCode: z.string(), quantity: z.number().nullish() }))
    .nullish(),
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

/** One sku as listed in one marketplace. */
export type Listing = NonNullable<z.output<ReturnType<typeof listingIn>>>
/** The part of a listing that concerns one marketplace. Null when it is not listed there. */
export function listingIn(marketplaceId: string) {
  return localListing.transform(wire => {
    const summary = wire.summaries?.find(part => part.marketplaceId === marketplaceId)
    if (!summary) return null
    const offers = (wire.offers ?? []).filter(offer => offer.marketplaceId === marketplaceId)
    const offer = offers.find(one => one.offerType === 'B2C') ?? offers[0]
    const channels = wire.fulfillmentAvailability ?? []
    // The seller's own channel is named DEFAULT, the marketplace's AMAZON_NA, AMAZON_EU and so on.
    const merchant = channels.find(channel => channel.fulfillmentChannelCode === 'DEFAULT')
    return {
      sku: wire.sku,
      marketplaceId,
      asin: summary.asin,
      fnsku: summary.fnSku,
      title: summary.itemName,
      imageUrl: summary.mainImage?.link ?? null,
      productType: summary.productType,
      condition: summary.conditionType,
      buyable: summary.status?.includes('BUYABLE') ?? false,
      discoverable: summary.status?.includes('DISCOVERABLE') ?? false,
      priceMicros: offer?.price?.micros ?? null,
      currency: offer?.price?.currency ?? null,
      /** Stock the seller ships from; null where it is the marketplace's to ship. */
      merchantQuantity: merchant?.quantity ?? null,
      fulfilledByAmazon: channels.some(channel => channel.fulfillmentChannelCode.startsWith('AMAZON')),
      issues: (wire.issues ?? [])
        .filter(issue => !issue.marketplaceIds || issue.marketplaceIds.includes(marketplaceId))
        .map(({ code, severity, message }) => ({ code, severity, message })),
    }
  })
}

/** A page of listings, those of other marketplaces left out. */
export const listingsIn = (marketplaceId: string) =>
  z
    .object({ items: z.array(listingIn(marketplaceId)), pagination: nextToken })
    .transform(({ items, pagination }) => ({ items: items.filter(item => item !== null), nextToken: pagination }))

const localItem = z.object({
  asin: z.string(),
  summaries: z
    .array(
      z.object({
        marketplaceId: z.string(),
        brand: text,
        itemName: text,
        browseClassification: z.object({ displayName: z.string() }).nullish(),
        websiteDisplayGroupName: text,
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
        classificationRanks: z.array(rank).nullish(),
        displayGroupRanks: z.array(rank).nullish(),
      }),
    )
    .nullish(),
})

export type CatalogItem = z.output<ReturnType<typeof catalogIn>>[number]
/** The catalogue's facts as one marketplace has them. */
export function catalogIn(marketplaceId: string) {
  const here = <T extends { marketplaceId: string }>(list: T[] | null | undefined) =>
    list?.find(part => part.marketplaceId === marketplaceId)
  const item = localItem.transform(({ asin, summaries, images, salesRanks }) => {
    const summary = here(summaries)
    const main = (here(images)?.images ?? []).filter(image => image.variant === 'MAIN')
    const ranks = here(salesRanks)
    return {
      asin,
      title: summary?.itemName ?? null,
      brand: summary?.brand ?? null,
      category: summary?.browseClassification?.displayName ?? summary?.websiteDisplayGroupName ?? null,
      imageUrl: main.toSorted((a, b) => b.width - a.width)[0]?.link ?? null,
      /** Best rank in its narrowest category, null when unranked. */
      bestSellerRank: (ranks?.classificationRanks?.[0] ?? ranks?.displayGroupRanks?.[0])?.rank ?? null,
    }
  })
  return z.object({ items: z.array(item) }).transform(({ items }) => items)
}

/** Sales of everything, advertised or not, by interval. */
export const orderMetrics = z
  .object({
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
  .transform(({ payload }) =>
    payload.map(({ interval, unitCount, orderItemCount, orderCount, totalSales }) => {
      const [from = '', to = ''] = interval.split('--')
      const { micros, currency } = totalSales
      return {
        from,
        to,
        units: unitCount,
        orderItems: orderItemCount,
        orders: orderCount,
        salesMicros: micros ?? 0,
        currency,
      }
    }),
  )

const feeMoney = z.object({ CurrencyCode: text, Amount: z.number().nullish() }).nullish()
const feesEstimate = z.object({
  Status: text,
  FeesEstimateIdentifier: z.object({ SellerInputIdentifier: text }).nullish(),
  FeesEstimate: z
    .object({
      TotalFeesEstimate: feeMoney,
      FeeDetailList: z.array(z.object({ FeeType: z.string(), FinalFee: feeMoney })).nullish(),
    })
    .nullish(),
  Error: z.object({ Code: text, Message: text }).nullish(),
})

/** Estimates in the order of the questions, matched by the number sent with each; a missing one failed. */
export const feesFor = (questions: number) =>
  z.array(feesEstimate).transform(rows =>
    Array.from({ length: questions }, (_, i) => {
      const row =
        rows.find(one => one.FeesEstimateIdentifier?.SellerInputIdentifier === String(i)) ??
        (questions === rows.length ? rows[i] : undefined)
      const total = row?.FeesEstimate?.TotalFeesEstimate
      if (row?.Status !== 'Success' || typeof total?.Amount !== 'number')
        return {
          ok: false as const,
          code: row?.Error?.Code || 'MISSING',
          message: row?.Error?.Message || 'no estimate',
        }
      const parts = (row.FeesEstimate?.FeeDetailList ?? []).map(part => ({
        type: part.FeeType,
        micros: toMicros(part.FinalFee?.Amount ?? 0),
      }))
      return { ok: true as const, totalMicros: toMicros(total.Amount), currency: total.CurrencyCode, parts }
    }),
  )
