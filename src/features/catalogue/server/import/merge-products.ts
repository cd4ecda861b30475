import type { Eligibility, ProductFacts } from '#integrations/amazon-ads/index.ts'
import type { CatalogItem, InventorySummary, Listing } from '#integrations/selling-partner/index.ts'

/** The part of a listing that every source of listings has. */
export type Listed = Omit<Listing, 'marketplaceId' | 'productType' | 'buyable' | 'discoverable' | 'issues'>

/** Everything that the marketplace reported about one seller's products in one marketplace. */
export interface ProductSources {
  listings: readonly Listed[]
  inventory: readonly InventorySummary[]
  catalog: readonly CatalogItem[]
  facts: readonly ProductFacts[]
  eligibility: readonly Eligibility[]
  /** Estimated fees of a sale, by sku. */
  fees: ReadonlyMap<string, number>
}

/** A product as imported; null is what nobody sources. */
export type ImportedProduct = ReturnType<typeof mergeProducts>[number]

/** The sentences of an eligibility, each once; null when there is none. */
export const eligibilityMessage = ({ reasons }: Eligibility): string | null =>
  [...new Set(reasons.map(reason => reason.message).filter(Boolean))].join(' ') || null

const byKey = <T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T> =>
  new Map(items.flatMap(item => [[keyOf(item) ?? '', item] as const]).filter(([key]) => key))

/**
 * One product for each sku of listings and stock (a sku may have one without the other). For name and price the listing
 * comes first, then the stock, the catalogue and the advertising API; an empty text counts as missing.
 */
export function mergeProducts(sources: ProductSources) {
  const listings = byKey(sources.listings, l => l.sku)
  const inventory = byKey(sources.inventory, i => i.sku)
  const catalog = byKey(sources.catalog, c => c.asin)
  const facts = byKey(sources.facts, f => f.asin)
  const eligibilityBySku = byKey(sources.eligibility, e => e.sku)
  // An answer for one sku says nothing about another with the same ASIN.
  const eligibilityByAsin = byKey(sources.eligibility, e => (e.sku ? null : e.asin))
  return [...new Set([...listings.keys(), ...inventory.keys()])].map(sku => {
    const listing = listings.get(sku)
    const stock = inventory.get(sku)
    const asin = listing?.asin || stock?.asin || null
    const item = catalog.get(asin ?? '')
    const fact = facts.get(asin ?? '')
    const eligibility = eligibilityBySku.get(sku) ?? eligibilityByAsin.get(asin ?? '')
    const price = listing && listing.priceMicros !== null ? listing : fact
    const available = stock ? stock.available : (listing?.merchantQuantity ?? null)
    return {
      sku,
      asin,
      fnsku: listing?.fnsku || stock?.fnsku || null,
      title: listing?.title || stock?.title || item?.title || fact?.title || null,
      brand: item?.brand || fact?.brand || null,
      category: item?.category || fact?.category || null,
      priceMicros: price?.priceMicros ?? null,
      currency: price?.currency ?? null,
      condition: listing?.condition || stock?.condition || null,
      imageUrl: listing?.imageUrl || item?.imageUrl || fact?.imageUrl || null,
      bestSellerRank: item?.bestSellerRank ?? fact?.bestSellerRank ?? null,
      availability: fact?.availability || availabilityOf(available),
      fulfilledByAmazon: listing?.fulfilledByAmazon ?? (stock ? true : null),
      eligibilityStatus: eligibility?.status ?? fact?.eligibilityStatus ?? null,
      eligibilityMessage: eligibility
        ? eligibilityMessage(eligibility)
        : (fact && fact.ineligibilityReasons.filter(Boolean).join(' ')) || null,
      available,
      reserved: stock?.reserved ?? null,
      unfulfillable: stock?.unfulfillable ?? null,
      inboundWorking: stock?.inboundWorking ?? null,
      inboundShipped: stock?.inboundShipped ?? null,
      inboundReceived: stock?.inboundReceiving ?? null,
      stockChangedAt: stock?.updatedAt ?? null,
      feesMicros: sources.fees.get(sku) ?? null,
    }
  })
}

// The terms of the advertising API, for stock that we know.
function availabilityOf(available: number | null): string | null {
  if (available === null) return null
  return available > 0 ? 'IN_STOCK' : 'OUT_OF_STOCK'
}
