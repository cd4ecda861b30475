import type { z } from 'zod'
import { toMicros } from '#shared/money.ts'
import type { CatalogItem, FeesEstimate, InventorySummary, Listing, OrderMetrics, Participation } from './vocabulary.ts'
import type {
  catalogItemWire,
  feesWire,
  inventoryWire,
  listingWire,
  MoneyWire,
  orderMetricsWire,
  participationsWire,
} from './wire.ts'

const micros = (amount: string | number | null | undefined): number | null =>
  amount === null || amount === undefined || amount === '' ? null : toMicros(amount)
const microsOf = (money: MoneyWire | null | undefined): number | null => micros(money?.amount)

export function fromParticipations(wire: z.output<typeof participationsWire>): Participation[] {
  return wire.payload.map(({ marketplace, participation, storeName }) => ({
    marketplaceId: marketplace.id,
    countryCode: marketplace.countryCode,
    name: marketplace.name,
    currency: marketplace.defaultCurrencyCode,
    language: marketplace.defaultLanguageCode ?? null,
    storeName: storeName ?? null,
    participating: participation.isParticipating,
    suspendedListings: participation.hasSuspendedListings ?? false,
  }))
}

/** Summaries without a sku are left out: they belong to no product. */
export function fromInventory(wire: z.output<typeof inventoryWire>): InventorySummary[] {
  return wire.payload.inventorySummaries.flatMap(item => {
    const details = item.inventoryDetails
    if (!item.sellerSku) return []
    return [
      {
        sku: item.sellerSku,
        asin: item.asin || null,
        fnsku: item.fnSku || null,
        title: item.productName || null,
        condition: item.condition || null,
        // Without details there is only the total, which counts as sellable.
        available: details ? (details.fulfillableQuantity ?? 0) : (item.totalQuantity ?? 0),
        inboundWorking: details?.inboundWorkingQuantity ?? 0,
        inboundShipped: details?.inboundShippedQuantity ?? 0,
        inboundReceiving: details?.inboundReceivingQuantity ?? 0,
        reserved: details?.reservedQuantity?.totalReservedQuantity ?? 0,
        researching: details?.researchingQuantity?.totalResearchingQuantity ?? 0,
        unfulfillable: details?.unfulfillableQuantity?.totalUnfulfillableQuantity ?? 0,
        total: item.totalQuantity ?? 0,
        updatedAt: item.lastUpdatedTime ? new Date(item.lastUpdatedTime) : null,
      },
    ]
  })
}

/** The part of a listing that concerns one marketplace. Null when it is not listed there. */
export function fromListing(wire: z.output<typeof listingWire>, marketplaceId: string): Listing | null {
  const summary = wire.summaries?.find(s => s.marketplaceId === marketplaceId)
  if (!summary) return null
  const offers = (wire.offers ?? []).filter(offer => offer.marketplaceId === marketplaceId)
  const offer = offers.find(o => o.offerType === 'B2C') ?? offers[0]
  const channels = wire.fulfillmentAvailability ?? []
  // The seller's own channel is named DEFAULT, the marketplace's AMAZON_NA, AMAZON_EU and so on.
  const merchant = channels.find(channel => channel.fulfillmentChannelCode === 'DEFAULT')
  return {
    sku: wire.sku,
    marketplaceId,
    asin: summary.asin ?? null,
    fnsku: summary.fnSku ?? null,
    title: summary.itemName ?? null,
    imageUrl: summary.mainImage?.link ?? null,
    productType: summary.productType ?? null,
    condition: summary.conditionType ?? null,
    buyable: summary.status?.includes('BUYABLE') ?? false,
    discoverable: summary.status?.includes('DISCOVERABLE') ?? false,
    priceMicros: microsOf(offer?.price),
    currency: offer?.price?.currencyCode ?? null,
    merchantQuantity: merchant?.quantity ?? null,
    fulfilledByAmazon: channels.some(channel => channel.fulfillmentChannelCode.startsWith('AMAZON')),
    issues: (wire.issues ?? [])
      .filter(issue => !issue.marketplaceIds || issue.marketplaceIds.includes(marketplaceId))
      .map(({ code, severity, message }) => ({ code, severity, message })),
  }
}

export function fromCatalogItem(wire: z.output<typeof catalogItemWire>, marketplaceId: string): CatalogItem {
  const here = <T extends { marketplaceId: string }>(list: T[] | null | undefined) =>
    list?.find(part => part.marketplaceId === marketplaceId)
  const summary = here(wire.summaries)
  const images = (here(wire.images)?.images ?? []).filter(image => image.variant === 'MAIN')
  const ranks = here(wire.salesRanks)
  const rank = ranks?.classificationRanks?.[0] ?? ranks?.displayGroupRanks?.[0]
  return {
    asin: wire.asin,
    title: summary?.itemName ?? null,
    brand: summary?.brand ?? null,
    category: summary?.browseClassification?.displayName ?? summary?.websiteDisplayGroupName ?? null,
    imageUrl: images.toSorted((a, b) => (b.width ?? 0) - (a.width ?? 0))[0]?.link ?? null,
    bestSellerRank: rank?.rank ?? null,
  }
}

export function fromOrderMetrics(wire: z.output<typeof orderMetricsWire>): OrderMetrics[] {
  return wire.payload.map(metrics => {
    const [from = '', to = ''] = metrics.interval.split('--')
    return {
      from,
      to,
      units: metrics.unitCount,
      orderItems: metrics.orderItemCount,
      orders: metrics.orderCount,
      salesMicros: microsOf(metrics.totalSales) ?? 0,
      currency: metrics.totalSales.currencyCode ?? null,
    }
  })
}

/** Estimates in the order of the questions, matched by the number sent with each; a missing one failed. */
export function fromFees(wire: z.output<typeof feesWire>, count: number): FeesEstimate[] {
  return Array.from({ length: count }, (_, i) => {
    const row =
      wire.find(r => r.FeesEstimateIdentifier?.SellerInputIdentifier === String(i)) ??
      (count === wire.length ? wire[i] : undefined)
    const total = row?.FeesEstimate?.TotalFeesEstimate
    if (row?.Status !== 'Success' || total?.Amount === null || total?.Amount === undefined)
      return { ok: false, code: row?.Error?.Code || 'MISSING', message: row?.Error?.Message || 'no estimate' }
    return {
      ok: true,
      totalMicros: toMicros(total.Amount),
      currency: total.CurrencyCode ?? null,
      parts: (row.FeesEstimate?.FeeDetailList ?? []).map(part => ({
        type: part.FeeType,
        micros: micros(part.FinalFee?.Amount) ?? 0,
      })),
    }
  })
}
