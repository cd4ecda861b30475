import { setTimeout as wait } from 'node:timers/promises'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Seller } from '#integrations/selling-partner/index.ts'
import type { Listed } from './merge-products.ts'

// A search of listings returns at most this many.
const SEARCH_LIMIT = 1000
const POLL_MS = 15_000
const POLLS = 120

/**
 * Everything that the seller lists in the profile's marketplace. Listings beyond the limit of a search come from the
 * report of listings, which has fewer columns (no condition, no fnsku). Throws when the marketplace cannot make that report.
 */
export async function readListings(seller: Seller, profile: Profile, signal: AbortSignal): Promise<Listed[]> {
  const found: Listed[] = []
  for await (const page of seller.listings(profile.marketplaceAmazonId)) {
    signal.throwIfAborted()
    found.push(...page)
  }
  if (found.length < SEARCH_LIMIT) return found
  const searched = new Map(found.map(listing => [listing.sku, listing]))
  const rows = await readFile(seller, profile, signal)
  const fromFile = rows.map((row): Listed => {
    const { sku, asin, title, imageUrl, priceMicros, fulfilledByAmazon } = row
    const currency = priceMicros === null ? null : profile.currency
    const merchantQuantity = fulfilledByAmazon ? null : row.quantity
    const missing = { fnsku: null, condition: null }
    const fromRow = {
      sku,
      asin,
      title,
      imageUrl,
      priceMicros,
      currency,
      merchantQuantity,
      fulfilledByAmazon,
      ...missing,
    }
    return searched.get(sku) ?? fromRow
  })
  const inFile = new Set(rows.map(row => row.sku))
  return [...fromFile, ...found.filter(listing => !inFile.has(listing.sku))]
}

async function readFile(seller: Seller, profile: Profile, signal: AbortSignal) {
  const marketplaceId = profile.marketplaceAmazonId
  const { reportId } = await seller.reports.request({
    type: 'GET_MERCHANT_LISTINGS_ALL_DATA',
    marketplaceIds: [marketplaceId],
  })
  for (let i = 0; i < POLLS; i++) {
    const report = await seller.reports.get(reportId)
    if (report.status === 'DONE' && report.documentId) return seller.reports.listings(report.documentId, marketplaceId)
    if (report.status === 'CANCELLED') return []
    if (report.status === 'FATAL') break
    await wait(POLL_MS, undefined, { signal })
  }
  throw new Error('The marketplace did not make the report of listings.')
}
